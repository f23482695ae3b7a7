// Messages received in the wrong order: which of the receives that a pattern asked to watch were overtaken.
//
// Watched receives are kept by receiving location, in ascending order of their send times: a receive takes away all
// that were sent after its message, so what is pushed next is never earlier than what is left. So nothing is searched;
// what nothing can overtake any more is let go whenever a list has doubled since. How far that is, linking tells: it
// knows which messages are still on their way. Cost: constant per receive. Memory: two numbers and a Wait for each
// watched receive that something may still overtake, at most twice that.
#pragma once

#include <vector>

#include "waitstate/definitions.hpp"
#include "waitstate/message.hpp"

namespace waitstate::analysis {

class Overtaking {
 public:
  explicit Overtaking(const Definitions& definitions);

  /// Watches the receive of `message`, whose `wait` and `watcher` are handed back.
  void watch(const Message& message, const Wait& wait, std::uint32_t watcher);
  /// No message to the process that is received from now on was sent before `bound`.
  void none_before(ProcessId process, Time bound) { bounds_[process.index()] = bound; }

  /// A message was received: calls found(Overtaken, watcher) for each watched receive that it should have come before.
  template <class Found>
  void received(const Message& m, Found&& found) {
    std::vector<Watched>& watched = locations_[m.receiver.index()].watched;
    while (!watched.empty() && watched.back().send_time > m.send_time) {
      Watched w = watched.back();
      watched.pop_back();
      w.what.overtaker = m.sender;
      found(w.what, w.watcher);
    }
  }

 private:
  static constexpr std::size_t fewest_watched = 16;  // for which letting go pays

  struct Watched {
    Time send_time;
    std::uint32_t watcher;
    Overtaken what;
  };
  struct Receiver {
    std::vector<Watched> watched;  ///< ascending in send time
    std::size_t limit = fewest_watched;
    std::size_t process = 0;  ///< index into bounds_
  };

  void let_go(Receiver& receiver);

  std::vector<Receiver> locations_;
  std::vector<Time> bounds_;  ///< by process
};

}  // namespace waitstate::analysis

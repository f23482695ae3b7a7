// Messages received in the wrong order: finds which of the receives that a pattern watches were overtaken.
//
// Watched receives are kept by receiving location, in ascending order of their send times: a receive removes all that
// were sent after its message, so the next one that is pushed is never earlier than the remaining ones. So nothing is
// searched; receives that can no longer be overtaken are dropped whenever a list has doubled. Linking provides the
// bound for that: it knows which messages are still on their way.
//
// Cost: constant per receive. Memory: an Overtaken for each watched receive that may still be overtaken, at
// most twice that, and not more than `most_watched` in all (or 64 a location). A message that nobody receives keeps all
// receives after it to the end of the trace, so the older ones of a long list go into a scratch file, and return when
// it is their turn.
#pragma once

#include <type_traits>
#include <vector>

#include "util/paged_table.hpp"
#include "util/spill/scratch_file.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::analysis {

class Overtaking {
 public:
  static constexpr std::size_t most_watched = std::size_t{1} << 18;  // about 30 MB

  /// `watched` is how many receives may be kept in memory, of all locations together.
  explicit Overtaking(const Definitions& definitions, std::size_t watched = most_watched);

  /// Watches the receive of `message`; `wait` and `watcher` are returned if it is overtaken.
  void watch(const Message& message, const Wait& wait, std::uint32_t watcher);
  /// Says that no message to the process that is received from now on was sent before `bound`.
  void watermark(ProcessId process, Time bound) { bounds_[process.index()] = bound; }

  /// Says that a message was received: calls found(Overtaken, watcher) for each watched receive that it should have
  /// preceded.
  template <class Found>
  void received(const Message& m, Found&& found) {
    Receiver& receiver = locations_[m.receiver.index()];
    std::vector<Watched>& watched = receiver.watched;
    for (;;) {
      while (!watched.empty() && watched.back().what.send_time > m.send_time) {
        Watched w = watched.back();
        watched.pop_back();
        w.what.overtaker = m.sender;
        found(w.what, w.watcher);
      }
      if (!watched.empty() || !aside_after(receiver, m.send_time)) [[likely]]
        return;
      bring_back(receiver);
    }
  }

  /// No message is received any more.
  void forget() { locations_ = util::PagedTable<Receiver>(locations_.size()); }

  /// Number of receives in the scratch file.
  std::size_t aside() const { return static_cast<std::size_t>(file_.size() / sizeof(Watched)); }

 private:
  static constexpr std::size_t fewest_watched = 16;  // the list length from which dropping pays
  static constexpr std::size_t fewest_aside = 64;    // the list length from which setting aside pays

  struct Watched {
    std::uint32_t watcher;
    Overtaken what;
  };
  static_assert(std::is_trivially_copyable_v<Watched>);  // it is written byte by byte
  struct Aside {  ///< receives of one location in the scratch file, ascending in send time
    std::uint64_t place = 0;
    std::size_t count = 0;
    Time last = 0;  ///< largest send time
  };
  struct Receiver {
    std::vector<Watched> watched;  ///< ascending in send time, after those in `aside`
    std::vector<Aside> aside;      ///< the older ones, ascending in send time
    std::size_t limit = fewest_watched;
  };

  static bool aside_after(const Receiver& r, Time send_time) {
    return !r.aside.empty() && r.aside.back().last > send_time;
  }
  void release(LocationId l, Receiver& receiver);
  void set_aside(Receiver& receiver);
  void bring_back(Receiver& receiver);

  const Definitions& definitions_;
  util::PagedTable<Receiver> locations_;
  util::ScratchFile file_;
  const std::size_t aside_from_;   ///< number of watched receives of a location from which on the older ones are set
                                   ///< aside
  util::PagedTable<Time> bounds_;  ///< by process, one more for locations without
};

}  // namespace waitstate::analysis

// Tells from which time on messages may still be delivered to a process: a pattern keeps what happened before until no
// message that was sent earlier can come any more.
//
// Per receiver it keeps the sends that may not be delivered yet. When the list has doubled, it is looked through, what
// has been delivered is thrown out, and the oldest of the rest is told. Cost: constant per message on average. Memory:
// twice the messages in flight.
#pragma once

#include <cstddef>
#include <vector>

#include "link/listener.hpp"
#include "link/messages/messages.hpp"
#include "link/processes.hpp"
#include "util/prefetch.hpp"

namespace waitstate::link {

class MessagesInFlight {
 public:
  MessagesInFlight(const Messages& messages, const Processes& processes, Listener& listener)
      : messages_(messages), processes_(processes), listener_(listener), incoming_(processes.size()) {}

  /// No location has records before it that have not been linked.
  void all_linked_until(Time watermark) { watermark_ = watermark; }

  /// A message or a run of them, of which the first was sent at that time.
  void add(ProcessId receiver, QueueEntry sent, Time time) { incoming_[receiver.index()].sent.push_back({sent, time}); }
  /// Tells the receiver's watermark if much has been added since the last time.
  void tell_if_many(ProcessId receiver) {
    const Incoming& incoming = incoming_[receiver.index()];
    if (incoming.sent.size() >= incoming.limit) tell(receiver);
  }

  // Before add(), some time after each other.
  void prefetch(ProcessId receiver) const { util::prefetch(&incoming_[receiver.index()]); }
  void prefetch_end(ProcessId receiver) const {
    const std::vector<Sent>& sent = incoming_[receiver.index()].sent;
    util::prefetch<true>(sent.data() + sent.size());
  }

 private:
  static constexpr std::size_t fewest = 16;  // sends for which looking at them pays
  struct Sent {
    QueueEntry what;
    Time time;
  };
  struct Incoming {
    std::vector<Sent> sent;  ///< sends that may be undelivered
    std::size_t limit = fewest;
  };

  bool undelivered(const Sent& sent, ProcessId receiver) const;
  void tell(ProcessId receiver);

  const Messages& messages_;
  const Processes& processes_;
  Listener& listener_;
  std::vector<Incoming> incoming_;  ///< by process
  Time watermark_ = 0;
};

}  // namespace waitstate::link

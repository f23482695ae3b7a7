// Tells the listener about the messages of a call once all of them are known: its receives when all their sends have
// been matched, its sends when all their receives have been.
//
// The receives of a location are delivered in the order of its calls. So a receive whose send is not there holds back
// all later ones of its location, until the send is read, or the sending process has been read to its end: however far
// off that is, no receive is given up before. A send without a receive holds back nobody; it may be received as long as
// its receiver has not ended.
//
// With several workers a message is matched and its receive delivered at the home of its receiver. The home of its
// sender has a message of its own for it, with the send only, until the answer comes: then its sends are delivered
// there as if it had been matched there; a send that has none in the end is not received. The answer has the receive
// only if its call may have made the sender wait, or if somebody wants all messages.
//
// Cost: constant per message. Memory: calls whose messages wait; where there are many, those that only stand behind one
// that waits are spilled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "link/calls.hpp"
#include "link/exchange/port.hpp"
#include "link/listener.hpp"
#include "link/messages/away_sends.hpp"
#include "link/messages/channels.hpp"
#include "link/messages/message_searches.hpp"
#include "link/messages/messages.hpp"
#include "link/messages/mpi_presence.hpp"
#include "link/messages/spilled_receives.hpp"
#include "link/processes.hpp"
#include "util/front_queue.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class MessageDelivery {
 public:
  /// Calls that may wait for their senders, of all locations together and of each at least: where nothing is missing,
  /// somebody may always be read on, however few they are (the one whose next event is the earliest of all).
  static constexpr std::size_t most_waiting = 1 << 15, most_waiting_of_each = 64;

  /// `listener` may be null, and so `in_flight`; `presence`, if nobody asks for Message::seen_time; `searches`; and
  /// `port`, if there is one worker only.
  MessageDelivery(const Processes& processes, Calls& calls, Messages& messages, Channels& channels, AwaySends& away,
                  Diagnostics& diagnostics, Listener* listener, MessagesInFlight* in_flight,
                  const MpiPresence* presence, MessageSearches* searches = nullptr, Port* port = nullptr);

  /// The call completes receives, of which one is linked next.
  void completes_receives(LocationId l, CallRef call) {
    CallState& c = calls_[call];
    if (c.has_receives) return;
    c.has_receives = true;
    if (receives_[l.index()].empty()) first_receives_[l.index()] = call;
    if (behind_.empty() || !add_behind(l, call)) receives_[l.index()].push_back(call);
  }
  /// Both halves of a message are known.
  void matched(MessageRef message);
  /// A send of the worker's own, whose receiver is another worker's, has been answered.
  void answered(const SendAnswer& answer);
  void answered(const ReceiveAnswer& answer);
  /// All records of the call have been linked. Its own hold is dropped when it has been delivered.
  void call_closed(CallRef call) {
    const CallState& c = calls_[call];
    if (c.has_receives)
      deliver_receives_if_first(c.call.location, call);
    else
      finish_call(call);
  }
  /// The process has been marked as ended: what waits for its sends waits in vain.
  void process_ended(ProcessId process);
  /// Everything has been read: what is still in the channels stays without a partner. `unreceived`, if given, is told
  /// of each send, and the call that it was made in.
  void finish(const std::function<void(const MessageState&, const Call&)>& unreceived = {});
  /// All answers are in: sends to other workers that have none are not received.
  void finish_away();

  /// True if so many receives of the location wait for their senders that it should not be read on.
  bool waits_for_others(LocationId l) const { return receives_[l.index()].size() > most_waiting_; }
  /// Spills what stands behind receives that wait.
  void spill();

  /// Adds the counts of another worker.
  void join(const MessageDelivery& other) {
    matched_ += other.matched_;
    missing_count_ += other.missing_count_;
  }
  template <class Archive>
  void travel(Archive& archive) {
    archive(matched_, missing_count_);
  }
  std::uint64_t messages_matched() const { return matched_; }
  /// Receives whose sends do not come, so far.
  std::uint64_t missing_count() const { return missing_count_; }
  /// Bytes of spilled calls (for figures on memory).
  std::uint64_t spilled() const { return spilled_.size(); }
  /// Number of notes on who waits, or waited, for whom (for figures on memory).
  std::size_t waiters() const;

  /// Asks for what matched() will look at of a message that waits.
  void prefetch(const MessageState& m) const;

 private:
  static constexpr std::uint32_t none = Messages::none;
  static constexpr std::size_t fewest_waiters = 16;  // entries for which looking at them pays

  struct Waiters {                      ///< waiters for a process
    std::vector<LocationId> locations;  ///< locations whose oldest receive waits, or waited, for it
    std::size_t limit = fewest_waiters;
  };
  struct Behind {  ///< a call, or a row of calls that is spilled
    CallRef call = none;
    SpilledReceives::Row row{};
  };

  void deliver_receives(LocationId l);
  bool add_behind(LocationId l, CallRef call);
  void spill(LocationId l);
  void bring_back(LocationId l);
  // If the call is not the location's first, and that one still waits for whom it did, it need not be looked at.
  void deliver_receives_if_first(LocationId l, CallRef call) {
    if (first_receives_[l.index()] == call || !blocked_on_[l.index()].valid()) deliver_receives(l);
  }
  void deliver_receives_of(CallRef call);
  void look_when_seen(Message& message) const;
  void tell_searches(CallRef call);
  void account_for_receives(CallRef call);
  void account_for_sends(CallRef call);
  void tell_of_missing_sends(CallRef call);
  void tell_of_missing_receives(CallRef call);
  void wait_for(LocationId l, ProcessId sender);
  void answer(const MessageState& message);
  void answer_is_in(MessageRef message);
  void deliver_sends_if_ready(CallRef call);
  bool has_late_receive(const CallState& call) const;
  void finish_call(CallRef call);
  void prefetch(const util::FrontQueue<CallRef>& calls) const;

  void mark_missing(MessageRef message);
  void report_unreceived(const MessageState& m);
  void tell_of_unreceived(const SpilledSends::Send& s);

  const Processes& processes_;
  Calls& calls_;
  Messages& messages_;
  Channels& channels_;
  AwaySends& away_;
  Diagnostics& diagnostics_;
  Listener* const listener_;
  const MpiPresence* const presence_;
  MessageSearches* const message_searches_;
  Port* const port_;
  const Wanted wanted_;
  const std::size_t most_waiting_;  ///< for each location
  util::PagedTable<util::FrontQueue<CallRef>>
      receives_;  ///< by location: calls that completed receives and are not delivered yet, in order
  std::unordered_map<std::uint32_t, std::deque<Behind>>
      behind_;  ///< by location: those behind these, if some of them are spilled
  SpilledReceives spilled_;
  // These states of the partners of messages lie side by side: with many locations, their queues are in no cache.
  std::vector<CallRef> first_receives_;  ///< by location: the first of `receives_`, or none
  std::vector<ProcessId> blocked_on_;    ///< by location: whom that one waits for, of whose waiters the location is
                                         ///< one; none if it has to be looked at again
  util::PagedTable<Waiters> waiters_;    ///< by process
  std::vector<Message> views_;           ///< scratch of deliveries
  std::uint64_t matched_ = 0, missing_count_ = 0;
};

}  // namespace waitstate::link

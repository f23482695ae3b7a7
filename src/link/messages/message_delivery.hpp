// Tells the listener about the messages of a call once all of them are known: its receives when all their sends have
// been matched, its sends when all their receives have been.
//
// The receives of a location are delivered in the order of its calls. So a receive whose send is not there holds back
// all later ones of its location, until the send is read, or the sending process has been read to its end, or
// give_up() gives it up. A send without a receive holds back nobody; it may be received as long as its receiver has not
// ended.
//
// Cost: constant per message. Memory: calls whose messages wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/messages/channels.hpp"
#include "link/messages/message_searches.hpp"
#include "link/messages/messages.hpp"
#include "link/messages/mpi_presence.hpp"
#include "link/processes.hpp"
#include "util/front_queue.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

class MessageDelivery {
 public:
  /// Calls that may wait for their senders, of all locations together and of each at least: where nothing is missing,
  /// somebody may always be read on, however few they are (the one whose next event is the earliest of all).
  static constexpr std::size_t most_waiting = 1 << 15, most_waiting_of_each = 64;

  /// `listener` may be null, and so `presence`, if nobody asks for Message::seen_time, and `searches`.
  MessageDelivery(const Processes& processes, Calls& calls, Messages& messages, Channels& channels,
                  Diagnostics& diagnostics, Listener* listener, const MpiPresence* presence,
                  MessageSearches* searches = nullptr);

  /// The call completes receives, of which one is linked next.
  void completes_receives(LocationId l, CallRef call) {
    CallState& c = calls_[call];
    if (c.has_receives) return;
    c.has_receives = true;
    if (receives_[l.index()].empty()) first_receives_[l.index()] = call;
    receives_[l.index()].push_back(call);
  }
  /// Both halves of a message are known.
  void matched(MessageRef message);
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

  /// True if so many receives of the location wait for their senders that it should not be read on.
  bool waits_for_others(LocationId l) const { return receives_[l.index()].size() > most_waiting_; }
  /// Gives up a receive, whose send is then counted as missing, when all locations that have not been read to their end
  /// wait for others, this one among them. False if nothing has changed: then the location is to be read on all the
  /// same.
  bool give_up(LocationId waiting);

  std::uint64_t messages_matched() const { return matched_; }
  /// Receives whose sends do not come, so far.
  std::uint64_t missing_count() const { return missing_count_; }
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
  struct Overdue {
    MessageRef receive = none;
    LocationId location;
    Ticks by = 0;
  };

  void deliver_receives(LocationId l);
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
  void deliver_sends_if_ready(CallRef call);
  bool has_late_receive(const CallState& call) const;
  void finish_call(CallRef call);
  void prefetch(const util::FrontQueue<CallRef>& calls) const;

  void mark_missing(MessageRef message);
  LocationId awaited(LocationId l);
  void look_for_overdue(LocationId l, Overdue& most) const;
  void report_unreceived(const MessageState& m);

  const Processes& processes_;
  Calls& calls_;
  Messages& messages_;
  Channels& channels_;
  Diagnostics& diagnostics_;
  Listener* const listener_;
  const MpiPresence* const presence_;
  MessageSearches* const message_searches_;
  const Wanted wanted_;
  const std::size_t most_waiting_;  ///< for each location
  std::vector<util::FrontQueue<CallRef>>
      receives_;  ///< by location: calls that completed receives and are not delivered yet, in order
  // These states of the partners of messages lie side by side: with many locations, their queues are in no cache.
  std::vector<CallRef> first_receives_;  ///< by location: the first of `receives_`, or none
  std::vector<ProcessId> blocked_on_;    ///< by location: whom that one waits for, of whose waiters the location is
                                         ///< one; none if it has to be looked at again
  std::vector<Waiters> waiters_;         ///< by process
  std::vector<std::uint32_t> seen_;      ///< by location, if give_up() was called: in which search of it last
  std::uint32_t searches_ = 0;           ///< scratch of give_up()
  std::vector<Message> views_;           ///< scratch of deliveries
  std::uint64_t matched_ = 0, missing_count_ = 0;
};

}  // namespace waitstate::link

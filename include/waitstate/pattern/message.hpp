// The compound events of point-to-point communication, as patterns' callbacks receive them.
//
// All views are valid during the callback only. Times are timer ticks of the location's (offset-corrected) clock.
#pragma once

#include <cstdint>
#include <span>

#include "waitstate/pattern/fields.hpp"
#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate {

/// An uninterrupted interval that a location spent in one call path (exclusive of callees).
struct Interval {
  CallPathId callpath;
  Time begin = 0, end = 0;
};

/// One region instance in which communication was recorded: an MPI call, entered and left.
struct Call {
  LocationId location;
  CallPathId callpath;
  RegionId region;
  MpiFunction function{};
  std::uint16_t number = 0;  ///< number of the call on its location, modulo 65,536. If several calls are entered at one
                             ///< time, each has a larger number than the one before
  Time enter = 0;
  Time exit = 0;
  // The calls before this one, as the reason why the location came late:
  Interval before;    ///< the longest interval between the previous call with communication and this one
  Interval previous;  ///< the previous call with communication
  Interval earlier;   ///< the longest interval before the previous call, if no call since then lasted as long

  /// The call path of the location in [from, to): that of `before`, `previous` or `earlier`, whichever covers most of
  /// it, or that of this call if the location was in it. Only one of many intervals between two calls is known, so this
  /// is the main one: if it covers less than a tenth, the result is none.
  CallPathId meanwhile(Time from, Time to) const {
    const auto covered = [&](const Interval& s) {
      const Time a = s.begin > from ? s.begin : from, b = s.end < to ? s.end : to;
      return s.callpath.valid() && b > a ? b - a : 0;
    };
    Time most = 0;
    CallPathId longest;
    for (const Interval* const s : {&before, &previous, &earlier})
      if (const Time t = covered(*s); t > most) most = t, longest = s->callpath;
    if (most == 0 || most < (to - from) / 10)
      return covered({callpath, enter, exit}) > most ? callpath : CallPathId::none();
    return longest;
  }
};

/// The place of an event, as messages name it.
struct SourceLocation {
  LocationId location;
  Time time = 0;
};

/// One wait: which location lost how much time, where, and which one caused it.
struct Wait {
  LocationId location;       ///< the location that waited
  CallPathId callpath;       ///< call path of the waiting call
  Time enter = 0, exit = 0;  ///< enter and exit of the waiting call
  Time begin = 0;            ///< begin of the wait, which lasts `ticks`
  Ticks ticks = 0;
  LocationId culprit;           ///< the location that caused it; none if no particular one did
  CallPathId culprit_callpath;  ///< call path of the culprit during the wait; none if it is not known
};

/// The wait of call `waiting` from `begin` on, because `culprit` came too late.
inline Wait make_wait(const Call& waiting, Time begin, Ticks ticks, const Call& culprit) {
  return {waiting.location,
          waiting.callpath,
          waiting.enter,
          waiting.exit,
          begin,
          ticks,
          culprit.location,
          culprit.meanwhile(begin, begin + static_cast<Time>(ticks))};
}
/// Like the function above, with a wait that begins when the waiting call is entered.
inline Wait make_wait(const Call& waiting, Ticks ticks, const Call& culprit) {
  return make_wait(waiting, waiting.enter, ticks, culprit);
}

/// A message of which both ends are known. Matched by communicator, sending and receiving process and tag, first in
/// first out.
struct Message {
  LocationId sender, receiver;  ///< the threads that recorded the send and the (completed) receive
  CommId comm;
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;          ///< as recorded by the sender
  Time send_time = 0;               ///< time of the send event
  Time recv_time = 0;               ///< time of the receive event (for a non-blocking receive, its completion)
  const Call* send = nullptr;       ///< the call that started the send (Send, Isend, Start, …)
  const Call* recv_post = nullptr;  ///< the call that posted the receive (Recv, Irecv, Start, …); the completing call
                                    ///< itself if the post is not in the trace
  const Call* recv = nullptr;       ///< the call in which the receive completed (Recv, Wait, …)
  std::uint32_t post_order = 0;     ///< place of the receive among those that `recv_post` posted, from 0 (MPI_Startall
                                    ///< posts several)
  Time seen_time = 0;  ///< first time since the enter of `send` at which the receiving process was in MPI, at most the
                       ///< enter of `recv_post`; 0 unless a pattern asks for message queues (PatternInfo)

  static auto fields(auto& e, auto&& f) {
    return f(Field{"sender", e.sender}, Field{"receiver", e.receiver}, Field{"comm", e.comm}, Field{"tag", e.tag},
             Field{"bytes", e.bytes}, Field{"send_time", e.send_time}, Field{"recv_time", e.recv_time},
             Field{"send", e.send}, Field{"recv_post", e.recv_post}, Field{"recv", e.recv},
             Field{"post_order", e.post_order}, Field{"seen_time", e.seen_time});
  }
};

/// A call that looked for a message: MPI_Probe, Mprobe, Iprobe, Improbe, or a test of the request that received it.
struct SearchingCall {
  const Call* call = nullptr;
  /// The part of the call's time until the message was sent, without what belongs to another message; the whole call if
  /// nothing was found. Of several polls one after the other that stand together, `ticks` are those inside of calls.
  Time begin = 0, end = 0;
  Ticks ticks = 0;

  static auto fields(auto& e, auto&& f) {
    return f(Field{"call", e.call}, Field{"begin", e.begin}, Field{"end", e.end}, Field{"ticks", e.ticks});
  }
};

/// The calls in which a thread looked for a message before it received it. Of MPI_Probe and Mprobe the next receive of
/// the thread tells which one it was; of polls too, if no data was moved meanwhile. Delivered before the
/// CompletedReceives of the message, or, if nothing was found, when that is known.
struct MessageSearch {
  const Call* send = nullptr;  ///< the call that started the send of the message; null if none was found
  const Call* recv = nullptr;  ///< the call in which the receive completed; null if none was found
  CommId comm;
  std::uint32_t tag = 0;
  std::uint64_t bytes = 0;
  /// Enter of the first call that looked for the message, or received it, behind those that ended before it was sent; 0
  /// if none was found.
  Time found_time = 0;
  std::span<const SearchingCall> calls;  ///< in their order, never empty

  static auto fields(auto& e, auto&& f) {
    return f(Field{"send", e.send}, Field{"recv", e.recv}, Field{"comm", e.comm}, Field{"tag", e.tag},
             Field{"bytes", e.bytes}, Field{"found_time", e.found_time}, Field{"calls", e.calls});
  }
  SourceLocation where() const { return {calls.front().call->location, calls.front().call->enter}; }
};

/// A call in which one or more receives completed. Delivered in the order of the calls of each location, once the sends
/// of all receives are known; receives without a send in the trace are left out (and counted in Diagnostics).
struct CompletedReceives {
  const Call& call;
  std::span<const Message> messages;  ///< in the order of their receive events; may be empty if none was matched
  std::uint32_t call_number = 0;      ///< equal to the number in the CompletedSends of this call; reused later
  bool sends_follow = false;          ///< true if sends complete in this call, too

  static auto fields(auto& e, auto&& f) {
    return f(Field{"call", e.call}, Field{"messages", e.messages}, Field{"call_number", e.call_number},
             Field{"sends_follow", e.sends_follow});
  }
  SourceLocation where() const { return {call.location, call.exit}; }
};

/// A call in which one or more sends completed: the blocking send itself, or the Wait… of a non-blocking one. Delivered
/// once the receives of all of them are known, after the CompletedReceives of the same call, in no other order. Sends
/// without a receive in the trace are left out.
struct CompletedSends {
  const Call& call;
  std::span<const Message> messages;  ///< in the order of their completion
  Ticks receive_wait = 0;             ///< the ticks of a LateSender or ReceiveWait published for the same call, else 0
  std::uint32_t call_number = 0;      ///< equal to the number in the CompletedReceives of this call

  static auto fields(auto& e, auto&& f) {
    return f(Field{"call", e.call}, Field{"messages", e.messages}, Field{"receive_wait", e.receive_wait},
             Field{"call_number", e.call_number});
  }
  SourceLocation where() const { return {call.location, call.exit}; }
};

/// Published to the engine while completed receives are delivered: the time that their call waited for them, if no
/// LateSender (late_sender.hpp) says so.
struct ReceiveWait {
  Ticks ticks;
};

/// Published to the engine while completed receives are delivered (in completed_receives_callback, or for an event
/// published there). Asks for one overtaken_callback of the publisher if a later receive of the same location receives
/// an older message.
struct WatchOvertaking {
  const Message& message;
  const Wait& wait;  ///< returned in Overtaken
};

/// A received message that WatchOvertaking named, and the first receive in a later call of the same location whose
/// message had been sent earlier: the two were received in the wrong order. Delivered to the pattern that named the
/// message.
struct Overtaken {
  Wait wait;                           ///< as given in WatchOvertaking
  LocationId source;                   ///< sender of the message that was received too early
  std::uint64_t bytes;                 ///< size of that message
  LocationId overtaker;                ///< sender of the older message that was received later
  CommId comm;                         ///< communicator of the message that was received too early
  std::uint32_t tag = 0;               ///< tag of that message
  Time send_time = 0, recv_time = 0;   ///< as in its Message
  Time send_enter = 0, send_exit = 0;  ///< enter and exit of the call that started its send

  static auto fields(auto& e, auto&& f) {
    return f(Field{"wait", e.wait}, Field{"source", e.source}, Field{"bytes", e.bytes}, Field{"overtaker", e.overtaker},
             Field{"comm", e.comm}, Field{"tag", e.tag}, Field{"send_time", e.send_time},
             Field{"recv_time", e.recv_time}, Field{"send_enter", e.send_enter}, Field{"send_exit", e.send_exit});
  }
  SourceLocation where() const { return {wait.location, wait.exit}; }
};

}  // namespace waitstate

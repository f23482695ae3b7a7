// The messages that are open: sent, received or both, and not delivered to everybody who waits for them.
//
// A message is used twice from the start: its send is to complete, its receive to be delivered (release(), as in
// Calls). It uses the calls that take part in it. It stands in up to three lists, each linked through the messages
// themselves: the queue of its channel while one half is missing, the receives of a call and the sends that completed
// in a call. A row of sends in a queue may be in a scratch file instead; then a run stands for them there
// (SpilledSends). Cost: no allocation, two cache lines a message.
#pragma once

#include <cstdint>

#include "link/calls.hpp"
#include "link/exchange/homes.hpp"
#include "util/pool.hpp"
#include "waitstate/pattern/message.hpp"

namespace waitstate::link {

/// Number of a message in Messages.
using MessageRef = std::uint32_t;

/// An entry of a channel's queue: a message, or a run of sends that are in the scratch file; or nothing, at its end.
class QueueEntry {
 public:
  constexpr QueueEntry() = default;
  static constexpr QueueEntry of_message(MessageRef m) { return QueueEntry{m}; }
  static constexpr QueueEntry of_run(std::uint32_t run) { return QueueEntry{run | run_bit}; }

  constexpr bool exists() const { return value_ != none; }
  constexpr bool is_run() const { return value_ >= run_bit && value_ != none; }
  constexpr bool is_message() const { return value_ < run_bit; }
  constexpr MessageRef message() const { return value_; }
  constexpr std::uint32_t run() const { return value_ & ~run_bit; }
  friend constexpr bool operator==(QueueEntry, QueueEntry) = default;

 private:
  static constexpr std::uint32_t none = util::Pool<int>::none, run_bit = std::uint32_t{1} << 31;
  constexpr explicit QueueEntry(std::uint32_t value) : value_(value) {}
  std::uint32_t value_ = none;
};

struct MessageState {
  static constexpr std::uint32_t none = util::Pool<int>::none;

  Time send_time = 0, recv_time = 0;
  std::uint64_t bytes = 0;  ///< bytes that were sent; those that were received as long as the send is not known
  LocationId sender, receiver;
  std::uint32_t tag = 0;
  CommId comm;
  CallRef send_call = none, recv_post = none, recv_call = none, send_done_call = none;
  QueueEntry next_in_channel;
  MessageRef next_receive = none, next_send = none;  ///< in the lists of recv_call and of send_done_call
  std::uint32_t place = none;                        ///< for the merge: of its send
  std::uint32_t post_order = 0;                      ///< as in Message
  std::uint32_t searches = none;                     ///< calls that looked for it: see MessageSearches
  std::uint32_t send_step = 0, receive_step = 0;     ///< as in CommRecord
  std::uint32_t slot = none;                         ///< number of a foreign send at its home; none of others
  WorkerId sender_home = 0;                          ///< home of a foreign send
  std::uint8_t uses = 0;
  bool has_send = false, has_recv = false;
  bool at_once = false;        ///< as SendRecord has it
  bool start_unknown = false;  ///< as SendAnswer has it
  bool missing = false;        ///< its send is known not to come
  bool delivered = false;      ///< to the receiver
  std::int8_t received = 0;    ///< 1, -1: more, or less, was received than sent

  /// False of a message of which only the time is known when its receive was posted: `recv_time`, see SendAnswer.
  bool shows_receive() const { return has_recv && recv_post != none; }
};

/// Sends in a row of one channel that are in the scratch file.
struct SpilledRun {
  std::uint64_t place = 0;  ///< in the file
  std::uint32_t count = 0;  ///< number of sends; 0 if they are in memory again
  LocationId receiver;
  Time first_time = 0;  ///< send time of the first one
  QueueEntry next_in_channel;
};

class Messages {
 public:
  static constexpr MessageRef none = MessageState::none;

  explicit Messages(Calls& calls) : calls_(calls) {}

  [[gnu::always_inline]] MessageRef add() {  // it is on the way of every message
    const MessageRef id = pool_.acquire();
    pool_[id].uses = 2;
    return id;
  }
  MessageState& operator[](MessageRef id) { return pool_[id]; }
  const MessageState& operator[](MessageRef id) const { return pool_[id]; }
  void release(MessageRef id) {
    MessageState& m = pool_[id];
    if (--m.uses != 0) return;
    for (const CallRef call : {m.send_call, m.recv_post, m.recv_call, m.send_done_call})
      if (call != none) calls_.release(call);
    pool_.release(id);
  }
  std::size_t alive() const { return pool_.alive(); }
  /// So many that they and their calls do not stay in the processor's caches.
  bool exceed_caches() const { return pool_.alive() > cached; }

  /// The send of the message completes in the call; the first call that says so counts.
  void complete_send(MessageRef id, CallRef call) {
    MessageState& m = pool_[id];
    if (m.send_done_call != none) return;
    CallState& c = calls_[call];
    m.send_done_call = call;
    calls_.keep(call);
    (c.last_send == none ? c.first_send : pool_[c.last_send].next_send) = id;
    c.last_send = id;
    if (!m.has_recv) ++c.open_sends;
  }
  /// The message is received in the call that it names.
  void add_to_receives(MessageRef id) {
    CallState& c = calls_[pool_[id].recv_call];
    (c.last_receive == none ? c.first_receive : pool_[c.last_receive].next_receive) = id;
    c.last_receive = id;
    ++c.open_receives;
  }

  /// Valid as long as the message and its calls are in use.
  Message view(MessageRef id) const {
    const MessageState& m = pool_[id];
    Message v;
    v.sender = m.sender;
    v.receiver = m.receiver;
    v.comm = m.comm;
    v.tag = m.tag;
    v.bytes = m.bytes;
    v.post_order = m.post_order;
    v.send_time = m.send_time;
    v.recv_time = m.recv_time;
    v.send = &calls_[m.send_call].call;
    v.recv_post = &calls_[m.recv_post].call;
    v.recv = &calls_[m.recv_call].call;
    return v;
  }

  // For what is spilled; the calls are none of its business.
  MessageRef add_again(const MessageState& message) {
    const MessageRef id = pool_.acquire_stale();
    pool_[id] = message;
    return id;
  }
  /// Something else stands for the message from now on: who still has its number may take it for delivered.
  void hand_over(MessageRef id) {
    pool_[id].delivered = true;
    pool_.release(id);
  }
  std::uint32_t add_run(const SpilledRun& run) {
    const std::uint32_t id = runs_.acquire();
    runs_[id] = run;
    return id;
  }
  void release_run(std::uint32_t run) {
    runs_[run].count = 0;
    runs_.release(run);
  }
  SpilledRun& run(std::uint32_t run) { return runs_[run]; }
  const SpilledRun& run(std::uint32_t run) const { return runs_[run]; }

  /// The entry behind it in its channel.
  QueueEntry& next(QueueEntry e) {
    return e.is_run() ? runs_[e.run()].next_in_channel : pool_[e.message()].next_in_channel;
  }

 private:
  static constexpr std::size_t cached = 4096;

  Calls& calls_;
  util::Pool<MessageState> pool_;
  util::Pool<SpilledRun> runs_;
};

}  // namespace waitstate::link

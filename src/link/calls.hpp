// The calls that linking still needs, by number.
//
// A call is needed by its own delivery, by the messages that were sent, posted, received or completed in it, by
// requests, collective and one-sided operations that began in it, by barriers that wait for other threads. None of them
// outlives the others for certain, so calls are reference counted by hand: whoever keeps a CallRef keeps the call
// (keep(), or add() for the first), and releases it when done. With the last release() the call is gone and its number
// is given to another one. The same words mean the same wherever something is numbered: messages, operations, epochs.
// Cost: an increment, no allocation; two cache lines a call.
#pragma once

#include "link/call_accounts.hpp"
#include "util/pool.hpp"
#include "waitstate/pattern/message.hpp"

namespace waitstate::link {

/// Number of a call in Calls.
using CallRef = std::uint32_t;

/// Records and messages that a call still waits for, and how many refer to it.
struct CallLinks {
  static constexpr std::uint32_t none = util::Pool<int>::none;

  std::uint32_t uses = 0;          ///< how many keep it, its delivery among them
  std::uint32_t records_left = 0;  ///< records of the call not linked yet
  std::uint32_t open_receives = 0, open_sends = 0;
  /// Messages that were received in it, and those whose send completed in it: lists, see MessageState.
  std::uint32_t first_receive = none, last_receive = none, first_send = none, last_send = none;
  std::uint32_t posted = 0;          ///< non-blocking receives that it posted, so far
  std::uint32_t completions = none;  ///< non-blocking collectives that completed in it (Collectives)
  bool has_receives = false, receives_delivered = false;
};

struct alignas(64) CallState : CallLinks {  // two cache lines
  Call call;
};

/// Tells the calls of a location apart.
struct CallKey {
  Time enter = 0, exit = 0;
  std::uint16_t number = 0;

  CallKey() = default;
  explicit CallKey(const Call& call) : enter(call.enter), exit(call.exit), number(call.number) {}
  bool operator==(const CallKey&) const = default;
};

/// True if both are one call, of which there may be several copies.
inline bool same_call(const Call& a, const Call& b) { return a.location == b.location && CallKey(a) == CallKey(b); }

class Calls {
 public:
  /// With `accounts`, these are told when all of a call is known.
  explicit Calls(CallAccounts* accounts = nullptr) : accounts_(accounts) {}

  /// A call with one use, whose `call` is still to be filled in.
  [[gnu::always_inline]] CallRef add(std::uint32_t records) {  // it is on the way of every call with records
    const CallRef id = pool_.acquire_stale();
    CallState& c = pool_[id];
    static_cast<CallLinks&>(c) = CallLinks{};
    c.uses = 1;
    c.records_left = records;
    if (accounts_ != nullptr) accounts_->add(id);
    return id;
  }
  /// A call of another worker's, with one use; it has no records here.
  CallRef adopt(const Call& call) {
    const CallRef id = add(0);
    pool_[id].call = call;
    return id;
  }
  CallState& operator[](CallRef id) { return pool_[id]; }
  const CallState& operator[](CallRef id) const { return pool_[id]; }
  void keep(CallRef id) { ++pool_[id].uses; }
  void release(CallRef id) {
    if (--pool_[id].uses != 0) return;
    if (accounts_ != nullptr) accounts_->close(id, pool_[id].call);
    pool_.release(id);
  }
  /// Asks for the memory of a call that will be looked at later.
  void prefetch(CallRef id) const {
    util::prefetch(&pool_[id], sizeof(CallState));
    if (accounts_ != nullptr) accounts_->prefetch(id);
  }
  /// Forgets all uses at once, and the call's account: whoever has one is about to forget it.
  void forget(CallRef id) {
    if (accounts_ != nullptr) accounts_->add(id);
    pool_.release(id);
  }
  std::size_t alive() const { return pool_.alive(); }
  /// Null if nobody wants them.
  CallAccounts* accounts() const { return accounts_; }

 private:
  util::Pool<CallState> pool_;
  CallAccounts* const accounts_;
};

}  // namespace waitstate::link

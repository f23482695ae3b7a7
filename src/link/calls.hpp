// The calls that messages, requests and collective operations still refer to: each lives as long as somebody holds it.
#pragma once

#include "util/pool.hpp"
#include "waitstate/message.hpp"

namespace waitstate::link {

/// What is still expected of a call, and who refers to it.
struct CallLinks {
  static constexpr std::uint32_t none = util::Pool<int>::none;

  std::uint32_t holds = 0;         ///< messages, requests and collective operations that refer to it, and its delivery
  std::uint32_t records_left = 0;  ///< records of the call not linked yet
  std::uint32_t open_receives = 0, open_sends = 0;
  std::uint32_t first_receive = none, last_receive = none, first_send = none, last_send = none;
  std::uint32_t completions = none;  ///< non-blocking collectives that completed in it (Collectives)
  bool has_receives = false, receives_delivered = false;
};

struct alignas(64) CallState : CallLinks {  // two cache lines
  Call call;
};

class Calls {
 public:
  /// A call with one hold on it, whose `call` is still to be filled in.
  std::uint32_t add(std::uint32_t records) {
    const std::uint32_t id = pool_.acquire_stale();
    CallState& c = pool_[id];
    static_cast<CallLinks&>(c) = CallLinks{};
    c.holds = 1;
    c.records_left = records;
    return id;
  }
  CallState& operator[](std::uint32_t id) { return pool_[id]; }
  const CallState& operator[](std::uint32_t id) const { return pool_[id]; }
  void hold(std::uint32_t id) { ++pool_[id].holds; }
  void drop(std::uint32_t id) {
    if (--pool_[id].holds == 0) pool_.release(id);
  }
  void release(std::uint32_t id) { pool_.release(id); }  ///< whoever holds it
  std::size_t alive() const { return pool_.alive(); }

 private:
  util::Pool<CallState> pool_;
};

}  // namespace waitstate::link

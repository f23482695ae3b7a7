// A step: an event at which a location gives something to others, or may need something of them. The replay of the run
// on an ideal machine goes from step to step (causes/ideal); in between it only has to know how much time was spent
// outside of MPI. 48 bytes.
#pragma once

#include <cstdint>

#include "waitstate/trace/event_type.hpp"
#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate::replay {

struct StepRecord {
  /// In brackets: what `on`, `other` and `number` are.
  enum class Kind : std::uint8_t {
    begin,      ///< the location's first event
    send,       ///< a message is sent (other: location that it is for)
    receive,    ///< a message is received (other: name of its send)
    operation,  ///< end of a blocking collective operation (on: communicator, number: the operation's)
    request,    ///< start of a non-blocking one (on: communicator, other: location of its end, number: the operation's;
                ///< all known only if it ends)
    completion,   ///< its end (on: communicator, other: name of its start, number: the operation's)
    enter_world,  ///< enter of a call that initialises or finalises MPI (number: 1 if it finalises)
    exit_world,   ///< its exit (other: time of the enter, number: the same)
    window,       ///< end of a collective operation on a window (on: window)
    call,         ///< the call that the next step, a sync or a lock, lies in (on: region, other: time of the enter,
                  ///< number: as in Call)
    sync,         ///< synchronisation with a group (on: window)
    lock,         ///< a record of a lock, `type` says which (on: window, other: target, number: the lock's)
    exit_lock     ///< exit of a call with such records (other: time of the enter, number: as in Call)
  };
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  /// A step's name: its location, and the low half of its number in the log of the worker that reads the location.
  static constexpr std::uint64_t name(LocationId l, std::uint64_t number) {
    return std::uint64_t{l.value} << 32 | (number & 0xffffffffu);
  }

  Time time = 0;
  Ticks outside = 0;           ///< time outside of MPI since the location's first event
  std::uint32_t callpath = 0;  ///< number in the location's own tree; once linked, in that of the whole trace
  std::uint32_t segment = 0;   ///< segment that `callpath` lies in
  std::uint32_t on = 0;
  Kind kind{};
  EventType type{};
  CollectiveOp op{};  ///< in operation, request and completion
  std::uint64_t other = none, number = none;
};
static_assert(sizeof(StepRecord) == 48);

}  // namespace waitstate::replay

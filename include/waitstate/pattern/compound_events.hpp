// The compound events, one row each. Everything that concerns all of them is made from the rows: the callbacks of
// Pattern and of link::Listener, their numbers, the interests of patterns.
//
// A new event needs a row here, its struct with `fields` (fields.hpp) and `where`, and the code that makes it; copying
// it for another thread, dispatching it, and passing it to patterns in C++ and Python follow.
#pragma once

#include <cstddef>
#include <cstdint>

#include "waitstate/pattern/collective.hpp"
#include "waitstate/pattern/device.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/pattern/mpi_account.hpp"
#include "waitstate/pattern/rma.hpp"
#include "waitstate/pattern/team.hpp"

namespace waitstate {

// X(name, type): `name`_callback of a pattern receives a `type`. Events that linking makes.
#define WAITSTATE_COMPOUND_EVENTS(X)             \
  X(completed_receives, CompletedReceives)       \
  X(completed_sends, CompletedSends)             \
  X(message_search, MessageSearch)               \
  X(collective, Collective)                      \
  X(completed_collectives, CompletedCollectives) \
  X(other_collective, OtherCollective)           \
  X(handle_creation, HandleCreation)             \
  X(team_barrier, TeamBarrier)                   \
  X(task_idle, TaskIdle)                         \
  X(device_wait, DeviceWait)                     \
  X(unused_threads, UnusedThreads)               \
  X(lock_acquired, LockAcquired)                 \
  X(rma_operation, RmaOperation)                 \
  X(rma_collective, RmaCollective)               \
  X(rma_access_epoch, RmaAccessEpoch)            \
  X(rma_exposure_epoch, RmaExposureEpoch)        \
  X(rma_lock_epoch, RmaLockEpoch)                \
  X(rma_passive_call, RmaPassiveCall)            \
  X(rma_wait_change, RmaWaitChange)              \
  X(mpi_account, MpiAccount)

// Events that the analysis makes for patterns that ask for them.
#define WAITSTATE_ANALYSIS_EVENTS(X) \
  X(overtaken, Overtaken)            \
  X(published, Published)

// Single events of the stream: X(name).
#define WAITSTATE_STREAM_EVENTS(X) X(enter) X(exit) X(send) X(recv) X(metric) X(event)

/// The callbacks, numbered.
enum class Callback : std::uint8_t {
#define X(name, ...) name,
  WAITSTATE_COMPOUND_EVENTS(X) WAITSTATE_ANALYSIS_EVENTS(X) WAITSTATE_STREAM_EVENTS(X)
#undef X
};
inline constexpr const char* callback_names[] = {
#define X(name, ...) #name "_callback",
    WAITSTATE_COMPOUND_EVENTS(X) WAITSTATE_ANALYSIS_EVENTS(X) WAITSTATE_STREAM_EVENTS(X)
#undef X
};
inline constexpr std::size_t callback_count = sizeof(callback_names) / sizeof(*callback_names);
/// The name of the callback in a pattern.
constexpr const char* name(Callback c) { return callback_names[static_cast<std::size_t>(c)]; }

/// Overridden callbacks, one bit each: interest_lock_acquired stands for lock_acquired_callback.
using Interests = std::uint64_t;
static_assert(callback_count <= 64);
constexpr Interests interest(Callback c) { return Interests{1} << static_cast<unsigned>(c); }

enum Interest : Interests {
#define X(name, ...) interest_##name = interest(Callback::name),
  WAITSTATE_COMPOUND_EVENTS(X) WAITSTATE_ANALYSIS_EVENTS(X) WAITSTATE_STREAM_EVENTS(X)
#undef X
#define X(name) | interest_##name
      interest_any_event = 0 WAITSTATE_STREAM_EVENTS(X),
#undef X
};

}  // namespace waitstate

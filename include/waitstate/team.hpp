// The compound events of thread teams: what a pattern's callbacks receive.
//
// A team is what a fork starts and a join ends: the master that forked it and the workers, one communicator for all
// teams of the same threads. The n-th part that a thread takes in teams of a communicator belongs to the communicator's
// n-th team. What a worker does there is called from where the master has forked: call paths say so.
//
// All views are valid during the callback only. Times are timer ticks.
#pragma once

#include <cstdint>
#include <span>

#include "waitstate/message.hpp"
#include "waitstate/region_class.hpp"

namespace waitstate {

/// A barrier that all threads of a team have passed, the n-th of each in the team. Delivered in the order of the
/// barriers of a team; barriers that a thread never came to are not delivered.
struct TeamBarrier {
  RegionClass region_class{};            ///< omp_ebarrier or omp_ibarrier
  std::span<const Call* const> members;  ///< the barrier as each thread called it, by location
};

/// A lock that a thread acquired, with who had it before. Owners are in the order of the recorded acquisition counter;
/// a thread that acquires what it had last itself is left out.
struct LockAcquired {
  const Call& call;       ///< in which the lock was acquired
  Time acquire_time = 0;  ///< when it was
  const Call& released;   ///< in which the previous owner released it last: its location is that owner
  Time release_time = 0;  ///< when it did
};

}  // namespace waitstate

// The wait for a lock that another thread holds: the same for all kinds of locks.
#pragma once

#include <algorithm>

#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

/// Adds the wait to the pattern's first metric, if the acquiring call is of that class. Where the previous owner was
/// meanwhile: in the call that released the lock, if that was all the time (a critical section), else where it spent
/// most of the time before.
inline void add_lock_wait(const LockAcquired& a, RegionClass of_class, Context& context) {
  if (!a.call.region.valid() || context.definitions()[a.call.region].region_class != of_class) return;
  const Time until = std::min(a.release_time, a.acquire_time);
  if (until <= a.call.enter) return;
  Wait wait = make_wait(a.call, static_cast<Ticks>(until - a.call.enter), a.released);
  if (a.released.enter <= a.call.enter) wait.culprit_callpath = a.released.callpath;
  context.add_wait(0, wait);
}

}  // namespace waitstate::patterns

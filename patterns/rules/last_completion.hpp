// The origin that completed its access epoch last, as the target of an exposure epoch sees it.
#pragma once

#include <algorithm>

#include "waitstate/pattern/rma.hpp"

namespace waitstate::patterns {

struct LastCompletion {
  explicit LastCompletion(const RmaExposureEpoch& e) {
    if (e.wait.function != MpiFunction::win_wait) return;  // MPI_Win_test does not wait
    for (const RmaExposureOrigin& o : e.origins)
      if (last == nullptr || o.complete.enter > last->enter) last = &o.complete;
    if (last != nullptr) until = std::min(last->enter, e.wait.exit);
  }

  const Call* last = nullptr;  ///< the MPI_Win_complete of that origin; null if there is nothing to wait for
  Time until = 0;              ///< its enter, or the exit of the wait if that is earlier
};

}  // namespace waitstate::patterns

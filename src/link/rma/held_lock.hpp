// Locks of windows that are never released.
#pragma once

#include <compare>

#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

/// A lock that was asked for, and maybe given, and never released.
struct HeldLock {
  LocationId location;
  RmaWinId window;
  LocationId target;  ///< none: all
  Time enter = 0;     ///< enter of the call that asked for it
  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
};

}  // namespace waitstate::link

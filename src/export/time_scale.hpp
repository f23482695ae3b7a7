// Ticks as nanoseconds since the first event of a trace, exact whatever the clock's resolution: by 128 bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::exports {

class TimeScale {
 public:
  TimeScale(const Clock& clock, Time first) : resolution_(clock.resolution), first_(first) {}

  /// 0 for times before the first event; the largest number that readers take for those beyond it.
  std::uint64_t nanoseconds(Time t) const {
    if (t <= first_) return 0;
    const Wide exact = static_cast<Wide>(t - first_) * 1'000'000'000u / resolution_;
    return static_cast<std::uint64_t>(
        std::min<Wide>(exact, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())));
  }

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t resolution_;
  Time first_;
};

}  // namespace waitstate::exports

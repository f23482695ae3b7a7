// The parts of a result that a pattern may use for a line at the top of the report (Pattern::headline()).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waitstate {

class ReportFacts {
 public:
  virtual ~ReportFacts() = default;
  /// The inclusive value of a metric, by its id, over all call paths and locations. 0 if it was not analysed.
  virtual std::int64_t total(std::string_view metric) const = 0;
  /// Ticks as the report shows durations, e.g. "152.3 ms".
  virtual std::string duration(std::int64_t ticks) const = 0;
};

}  // namespace waitstate

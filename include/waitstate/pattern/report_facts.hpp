// What a pattern may ask of a result when it writes a line for the top of the report (Pattern::headline()).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waitstate {

class ReportFacts {
 public:
  virtual ~ReportFacts() = default;
  /// Of a metric, by its id: inclusive, over all call paths and locations. 0 if it was not analysed.
  virtual std::int64_t total(std::string_view metric) const = 0;
  /// Ticks as the report shows them, e.g. "0.152340"; without unit.
  virtual std::string seconds(std::int64_t ticks) const = 0;
};

}  // namespace waitstate

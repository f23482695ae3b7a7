// The counters of a trace as a table: their sums, per second of the time spent where they were counted or as a mean,
// and their smallest and largest values.
#pragma once

#include <cstdint>
#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A value of a counter with its unit, e.g. "1,234", "12.5 J".
std::string counter_text(const MetricInfo& metric, std::int64_t value);

/// At most `rows` counters, all if 0; empty if there are none.
std::string counter_table(const AnalysisResult& result, std::size_t rows, const Style& style);

}  // namespace waitstate::report

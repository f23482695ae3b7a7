// The values of one metric along the call tree, along the system tree, and by region.
//
// Values are inclusive along the metric tree; several are combined by the metric's aggregation. Cost: a pass over the
// values of the metric, and one over the call paths, locations or regions.
#pragma once

#include <cstdint>
#include <vector>

#include "report/facts/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

enum class ViewBy { callpath, location, region };

/// Values by call path: without and with all that it calls.
struct CallPathValues {
  std::vector<std::int64_t> exclusive, inclusive;
};
CallPathValues values_by_callpath(const AnalysisResult& result, MetricIndex metric, const Totals& totals);

struct ProcessValues {
  struct Process {
    ProcessId id;  ///< none: locations that belong to no process
    std::vector<LocationId> locations;
    std::int64_t value = 0;
  };
  std::vector<std::int64_t> values;  ///< by location
  std::vector<Process> all;          ///< processes with a location, in the order of their first ones
};
ProcessValues values_by_process(const AnalysisResult& result, MetricIndex metric, const Totals& totals);

/// The values by region, and two further values: that of call paths which are programs, and that of unknown regions.
std::vector<std::int64_t> values_by_region(const AnalysisResult& result, MetricIndex metric, const Totals& totals);

}  // namespace waitstate::report

// One metric along the call tree, along the system tree, or by region, as CSV.
#pragma once

#include <iosfwd>

#include "report/facts/views.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// All rows that are not zero, in the order of the trees; times in seconds. The rows of a counter by call path have one
/// column more: rate (per second of the time spent there) or mean, empty where it is unknown.
///   metric,callpath,exclusive,inclusive   |   metric,process,location,value   |   metric,region,file,line,value
void view_csv(const AnalysisResult& result, MetricIndex metric, ViewBy by, std::ostream& out);

}  // namespace waitstate::report

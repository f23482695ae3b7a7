// The run in phases, as CSV.
#pragma once

#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A row for each phase and quantity. Times are seconds since the first event, durations are in seconds, both with
/// twelve significant digits; efficiencies are 0 to 1, and left out where they are not known. A row with a call path or
/// a location (its number) has the part of a metric that is there: the largest few.
///   phase,begin,end,quantity,value,callpath,location
///   0,0.5,0.75,time|longest|parallel_efficiency|load_balance|communication_efficiency|METRIC,0.25,,
///   0,0.5,0.75,METRIC,0.2,main/MPI_Recv,
///   0,0.5,0.75,METRIC,0.15,,3
void write_phases_csv(const AnalysisResult& result, std::ostream& out);

}  // namespace waitstate::report

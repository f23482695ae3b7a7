// The run in phases (phases.hpp), as a table.
#pragma once

#include <iosfwd>
#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A line a phase: when it began, how long it took, its efficiency, and what was waited most in it. "" without phases.
/// At most `most` lines, those of the longest phases, in the order of time.
std::string phases_text(const AnalysisResult& result, std::size_t most, const Style& style);

/// A row for each phase and quantity. Times in seconds since the first event, durations in seconds, with twelve
/// significant digits; efficiencies from 0 to 1, not where they are not known. A row with a call path or a location
/// (its number) has the part of a metric that is there: the largest few.
///   phase,begin,end,quantity,value,callpath,location
///   0,0.5,0.75,time|longest|parallel_efficiency|load_balance|communication_efficiency|METRIC,0.25,,
///   0,0.5,0.75,METRIC,0.2,main/MPI_Recv,
///   0,0.5,0.75,METRIC,0.15,,3
void write_phases_csv(const AnalysisResult& result, std::ostream& out);

}  // namespace waitstate::report

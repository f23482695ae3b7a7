// The severity table as CSV, in the form in which reference results of this field are exchanged:
//
//   metric,callpath,location,value
//   mpi_latesender,p2p/main/late_sender/MPI_Recv,1,0.0501234567891
//
// A trace with counters has two more columns, which are empty for all other metrics: `rate`, of a counter whose values
// add up, per second of the time in that call path on that location; `mean`, of a counter that is a state.
//
// Values are inclusive along the metric tree and exclusive along the call tree; rows that are zero are left out.
// Seconds have twelve significant digits, counts and bytes are integers; format/csv.hpp says how fields and paths are
// written.
#pragma once

#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

void write_csv(const AnalysisResult& result, std::ostream& out);

}  // namespace waitstate::report

// The severity table as CSV, in the form that reference results of this field are exchanged in:
//
//   metric,callpath,location,value
//   mpi_latesender,p2p/main/late_sender/MPI_Recv,1,0.0501234567891
//
// Inclusive along the metric tree, exclusive along the call tree; rows that are zero are left out. Seconds have twelve
// significant digits, counts and bytes are integers; fields are quoted only where CSV needs it (RFC 4180).
#pragma once

#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

void write_csv(const AnalysisResult& result, std::ostream& out);

}  // namespace waitstate::report

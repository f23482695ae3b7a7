// The severity table as CSV, in the form that reference results of this field are exchanged in:
//
//   metric,callpath,location,value
//   mpi_latesender,p2p/main/late_sender/MPI_Recv,1,0.0501234567891
//
// Inclusive along the metric tree, exclusive along the call tree; rows that are zero are left out. Seconds have twelve
// significant digits, counts and bytes are integers; fields are quoted only where CSV needs it (RFC 4180).
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

void write_csv(const AnalysisResult& result, std::ostream& out);

/// The text as a field, in quotes where it needs them.
std::string csv_field(std::string_view text);
/// A value as the table shows it: seconds, and counters that are no integers, with twelve
/// significant digits, else an integer.
std::string csv_number(const AnalysisResult& result, const MetricInfo& metric, std::int64_t value);

}  // namespace waitstate::report

// The settings of the MPI library that the recorder noted: control variables of MPI_T, as properties of the trace where
// all processes have the same value (names of such properties are in capitals), else of processes.
#pragma once

#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A heading and a line each; empty if there are none.
std::string mpi_settings(const AnalysisResult& result, const Style& style);

}  // namespace waitstate::report

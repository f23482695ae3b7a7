// The settings of the MPI library that the recorder noted: control variables of MPI_T, as properties of the trace where
// all processes have the same value (names of such properties are in capitals), else of processes. The recorder also
// notes how many events of the library are missing, or do not have their own times.
#pragma once

#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A heading and a line for each setting; empty if there are none.
std::string mpi_settings(const AnalysisResult& result, const Style& style);
/// One line without its end; empty if all events are there.
std::string library_event_losses(const AnalysisResult& result);

}  // namespace waitstate::report

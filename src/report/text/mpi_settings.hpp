// The settings of the MPI library that the recorder noted: control variables of MPI_T, as properties of the trace where
// all processes have the same value (names of such properties are in capitals), else of processes. And what it noted of
// events that the library told it of: how many are not there, or not at their time.
#pragma once

#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A heading and a line each; empty if there are none.
std::string mpi_settings(const AnalysisResult& result, const Style& style);
/// One line without its end; empty if all of them are there.
std::string library_event_losses(const AnalysisResult& result);

}  // namespace waitstate::report

// The parts of a run that the scope of a report leaves out, in words.
#pragma once

#include <string>

#include "report/facts/scope.hpp"
#include "report/facts/totals.hpp"

namespace waitstate::report {

/// "MPI_Init and MPI_Finalize".
std::string init_exit_text(const InitExit& libraries);
/// Names the calls that run.counted() leaves out; "" if it is the whole.
std::string without_text(const RunTotals& run);

}  // namespace waitstate::report

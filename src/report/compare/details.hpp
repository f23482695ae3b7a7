// Changes from one run to another beside the values of metrics, as text: efficiency, problems, durations of single
// waits, phases, and flow_changes.hpp.
#pragma once

#include <string>

#include "report/facts/runs/details_by_run.hpp"
#include "report/format/layout.hpp"

namespace waitstate::report {

/// The text of at most `top` changes of each kind; "" if there is none. Begins with an empty line.
std::string details_text(const DetailsByRun& d, std::size_t top, const Style& style);

/// The title of a wait state that is a problem, or its id if it has none.
std::string problem_title(const DetailsByRun& d, const ProblemByRun& problem);
/// "visits of main_loop, 4 in each", or "16 stretches of time".
std::string kind_of_phases(const PhaseKind& kind);

}  // namespace waitstate::report

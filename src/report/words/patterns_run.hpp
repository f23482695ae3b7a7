// The wait states that were looked for, in words.
#pragma once

#include <string>
#include <string_view>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// "only mpi_latesender", "all but costs, slow_slaves" - whichever is shorter -, or "none"; "" if all built-in patterns
/// were run, or the report does not say which (a CUBE report of another tool).
std::string patterns_run(const AnalysisResult& result);

/// patterns_run() as a sentence: "Only mpi_latesender was looked for."
std::string patterns_run_sentence(const AnalysisResult& result);

/// "it was not analysed; ..." with the option that analyses it, for a metric of a built-in pattern that a report lacks;
/// "" if no metric has that id.
std::string how_to_analyse(std::string_view id);

/// The reason why the report has no metric of that id: it was not analysed, or no metric has that id.
std::string why_no_metric(const AnalysisResult& result, std::string_view id);

}  // namespace waitstate::report

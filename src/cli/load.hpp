// Checks the inputs that the user names: whether they are of the kind that the command takes. Analyses a trace into a
// result in memory. For reports see AnalysisChoice::load().
#pragma once

#include <string>
#include <vector>

#include "analysis/internal_options.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::cli {

/// Throws TraceError if there is no file or folder of that name.
void expect_some_file(const std::string& report_or_trace);
/// Throws TraceError if a report is named as a trace; the message says what can be done with a report.
void expect_trace(const std::string& trace);
/// Analyses a trace, with progress on a terminal, or to `progress_fd`; `waits`, if not null, is told of all waits.
/// Throws TraceError.
AnalysisResult analyze_with_progress(const std::string& trace, AnalysisOptions options = {},
                                     analysis::InternalOptions internal = {}, int progress_fd = -1);

/// The metric with this id. Throws UsageError that says whether it was not analysed or does not exist.
MetricIndex metric_of(const AnalysisResult& result, const std::string& id);

/// Tells the user that some of these metrics (all if empty) cannot be determined, because a table for other programs
/// has no place to say so.
void note_what_a_table_lacks(const AnalysisResult& result, const std::vector<MetricIndex>& metrics = {});

}  // namespace waitstate::cli

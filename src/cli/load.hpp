// What the user names as an input: whether it is what the command takes, and a trace as a result in memory. Reports:
// AnalysisChoice::load().
#pragma once

#include <string>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::cli {

/// Throws TraceError if there is no file or folder of that name.
void expect_some_file(const std::string& report_or_trace);
/// Throws TraceError if what is named as a trace is a report, and says what can be done with it.
void expect_trace(const std::string& trace);
/// Analyses a trace, with progress on a terminal. Throws TraceError.
AnalysisResult analyze_with_progress(const std::string& trace, AnalysisOptions options = {});

/// The metric of that id. Throws UsageError that says whether it was not analysed or does not exist.
MetricIndex metric_of(const AnalysisResult& result, const std::string& id);

/// Tells the user that not all of these metrics (empty: of any) can be told, which a table for other programs has no
/// place for.
void note_what_a_table_lacks(const AnalysisResult& result, const std::vector<MetricIndex>& metrics = {});

}  // namespace waitstate::cli

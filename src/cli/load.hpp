// What the user names as an input - a report file or a trace - as a result in memory.
#pragma once

#include <string>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::cli {

/// Analyses a trace, with progress on a terminal.
AnalysisResult analyze_with_progress(const std::string& trace, AnalysisOptions options = {});
/// Reads a report, or analyses a trace with all built-in patterns. Throws TraceError.
AnalysisResult load(const std::string& report_or_trace);

/// The metric of that id. Throws UsageError that says whether it was not analysed or does not exist.
MetricIndex metric_of(const AnalysisResult& result, const std::string& id);

/// Tells the user that not all of these metrics (empty: of any) can be told, which a table for other programs has no
/// place for.
void note_what_a_table_lacks(const AnalysisResult& result, const std::vector<MetricIndex>& metrics = {});

}  // namespace waitstate::cli

// A CUBE 4 report (.cubex) as an analysis result: those that write_cube() wrote, and those of Scalasca, Score-P and
// other tools. What can be shown of a result can be shown of a report.
//
// Filled are: definitions (system tree, processes, locations, regions, topologies; a clock of nanoseconds, so that
// seconds become whole ticks), call tree, metrics and severities; of reports of ours the focus and the ids
// of patterns too. Values are stored inclusive along the metric tree; a
// metric whose children are summands keeps what they leave of it, so that the table of severities is the one that was
// written. Units: sec and bytes; everything else counts as occurrences and is rounded to whole ones. INCLUSIVE metrics
// are taken apart into what the call path itself has, but not minima and maxima (MINDOUBLE, MAXDOUBLE), which stay what
// they are: over the call path and its callees, with 0 for none. Rows of a metric:
//
//   EXCLUSIVE   call paths depth first, in document order
//   INCLUSIVE   the root, all its children, then for each child in turn, recursively, its children; root after root
//
// The file is read twice: first anchor and indices, then the data, one metric at a time in memory.
#pragma once

#include <filesystem>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Throws TraceError with path, member and reason if the file is no CUBE 4 report, cut off or damaged. Metrics that a
/// formula computes and values that are no plain numbers are left out and counted in the result's diagnostics
/// (metric_left_out).
AnalysisResult read_cube(const std::filesystem::path& file);

}  // namespace waitstate::report

// The metric tree as an indented table: id, total over all call paths and locations, share of the total time.
//
// In short, totals and shares are without MPI_Init and MPI_Finalize (scope.hpp); in full, of the whole, and beside them
// those without.
//
// In full, metrics that are zero are hidden, but for the wait states of messages where messages were exchanged: there a
// zero is news. In short, only times of some size are shown, and one that a metric below merely repeats is left out. A
// plug-in's metric, which the user asked for, is always there, with what stands above it.
// Where the trace cannot tell (completeness.hpp) a zero reads "unknown", and any other value "at least".
#pragma once

#include <string>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/totals.hpp"
#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Value in the metric's unit, e.g. "0.152340 s", "1,234", "1.5 MiB (1,572,864)".
std::string value_text(const MetricInfo& metric, std::int64_t value, const Seconds& seconds);

/// All metrics, each followed by those below it, of siblings the largest first. Those at the top, and those in units of
/// their own, stay in the order of the tree.
std::vector<MetricIndex> by_severity(const MetricTree& metrics, const Totals& totals);

struct MetricTableOptions {
  bool full = true;
  bool tree_order = true;     ///< siblings stand in the order of the tree; else by severity
  double least_share = 0.01;  ///< metrics with a smaller share of the time are left out, in short only
};

std::string metric_table(const AnalysisResult& result, const RunTotals& run, const Completeness& completeness,
                         const Seconds& seconds, const Style& style, const MetricTableOptions& options = {});

/// The share of the time that a metric has: "13.3 % of the total time", and where that differs "…; 0.27 s, 31.2 %
/// without MPI_Init and MPI_Finalize".
std::string share_text(const RunTotals& run, MetricIndex metric, const Seconds& seconds);

}  // namespace waitstate::report

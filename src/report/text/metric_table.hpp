// The metric tree as an indented table: id, total over all call paths and locations, share of the total time.
//
// In full, metrics that are zero are hidden, but for the wait states of messages where messages were exchanged: there a
// zero is news. In short, only times of some size are shown, and one that a metric below merely repeats is left out. A
// plug-in's metric, which the user asked for, is always there, with what stands above it.
// Where the trace cannot tell (undetermined.hpp) a zero reads "unknown", and any other value "at least".
#pragma once

#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "report/totals.hpp"
#include "report/undetermined.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Value in the metric's unit, e.g. "0.152340 s", "1,234", "1.5 MiB (1,572,864)".
std::string value_text(const MetricInfo& metric, std::int64_t value, const Seconds& seconds);

struct MetricTableOptions {
  bool full = true;
  double least_share = 0.01;  ///< of the total time; in short only
};

std::string metric_table(const AnalysisResult& result, const Totals& totals,
                         const std::vector<UndeterminedMetric>& undetermined, const Seconds& seconds,
                         const Style& style, const MetricTableOptions& options = {});

}  // namespace waitstate::report

// The output of `waitstate patterns` and `waitstate explain ID`: the list of patterns, and the explanation of one of
// them.
#pragma once

#include <string>
#include <string_view>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate::report {

/// The metrics that patterns compute, as a tree, with unit, summary and origin.
std::string patterns_text(const PatternRegistry& registry, const Style& style);

/// The definition of a metric's pattern under the keys of a pattern's file, or what a metric means that needs none.
/// Throws UsageError with the nearest id.
std::string explain_text(const PatternRegistry& registry, std::string_view id, const Style& style);
/// Explains what a counter of a trace counts and how it is charged.
std::string explain_text(const AnalysisResult& result, const Counter& counter, const Style& style);

}  // namespace waitstate::report

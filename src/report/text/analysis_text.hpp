// The report for people: the costs of the run, where processes waited, which processes made them wait, and how far the
// trace can be trusted. The short report fits on a screen: the worst problems in sentences, the tree of the metrics
// that take time, and damage by kind. The full report has every metric, a section for each wait state, and the places
// of the damage.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/words/waits/problems.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct TextOptions {
  bool full = false;
  std::optional<std::size_t> top{};  ///< number of problems, and of lines per list; by default 3 and 5
  Diagnoses diagnoses{};
  std::vector<std::string> headlines{};  ///< as "label: text"; see headlines()
  bool tree_order = false;  ///< in the full report: metrics in the order of their tree, not the most severe first
};

/// Lines of the patterns for the top of the report, at most one of each.
std::vector<std::string> headlines(const AnalysisResult& result, const std::vector<PatternHandle>& patterns);

std::string analysis_text(const AnalysisResult& result, const Style& style, const TextOptions& options = {});

}  // namespace waitstate::report

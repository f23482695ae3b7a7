// One metric along the call tree, along the system tree, or by region: where exactly it is.
//
// Values are inclusive along the metric tree. Call paths show two: of the call path itself, and with all that it calls.
// In short, the largest come first, what is below one per cent of the metric is left out and counted, and lists end
// after some rows; in full, everything is in the order of the trees.
#pragma once

#include <cstddef>
#include <string>

#include "report/facts/views.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct ViewOptions {
  bool full = false;
  std::size_t top = 20;     ///< rows
  bool tree_order = false;  ///< in full: call paths in the order of the tree, not the most severe first
};

std::string view_text(const AnalysisResult& result, MetricIndex metric, ViewBy by, const Style& style,
                      const ViewOptions& options = {});

}  // namespace waitstate::report

// Wait states that the trace cannot tell, and why: a zero is an answer only if the trace had the records to say more.
//
// Judged from what was recorded: requests that were posted and never completed (a recorder that writes no completions),
// partners that are missing, and MPI calls that communicate without a communication record inside.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Unanswered {
  MetricIndex metric;    ///< the wait state; it holds for the metrics below it as well
  std::string sentence;  ///< what is missing
};

/// In the order of metrics; empty if the trace has all that the wait states need.
std::vector<Unanswered> unanswered(const AnalysisResult& result);

/// True if one of them is that metric or above it.
bool is_unanswered(const std::vector<Unanswered>& all, const MetricTree& metrics, MetricIndex metric);

}  // namespace waitstate::report

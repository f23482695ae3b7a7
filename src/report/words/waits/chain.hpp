// The chain of a wait in words: who waited for whom, because that one waited for a third, back to somebody who was
// busy. A culprit that waited itself is never called the cause; what the trace cannot tell is said.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// True if the last culprit was busy, but waited for a part of the delay that is told as well.
bool last_waited_too(const WaitChain& chain);

/// What follows the name of the first culprit: ", itself waiting for rank 1 for rank 0, which was in main/work (82.0 %
/// of the delay)". Of long chains the beginning and the end. The instance has a chain.
std::string chain_clause(const AnalysisResult& result, const WaitChain& chain,
                         const std::function<std::string(CallPathId)>& path);

/// An instance of a metric, as `waitstate show --why` is asked for one.
struct NumberedInstance {
  MetricIndex metric = no_metric;
  std::size_t number = 0;  ///< from 1, the most severe first, as `analyze --full` lists them
  const SevereInstance* instance = nullptr;
};
/// Those of the metric, the most severe first.
std::vector<NumberedInstance> most_severe(const AnalysisResult& result, MetricIndex metric);

/// Those with a chain, at most `most` of each of the metrics (of all wait states if there are none) and of those below
/// them; a wait that is part of several metrics once.
std::vector<NumberedInstance> with_chains(const AnalysisResult& result, const std::vector<MetricIndex>& metrics,
                                          std::size_t most);

/// Step by step, each in a line. The instance has a chain.
std::string chain_text(const AnalysisResult& result, const NumberedInstance& asked, const Style& style);
/// The same as a JSON object: times in seconds, locations and call paths by name.
void write_chain_json(const AnalysisResult& result, const NumberedInstance& asked, std::ostream& out);

}  // namespace waitstate::report

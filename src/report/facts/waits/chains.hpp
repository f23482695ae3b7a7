// The most severe waits of a metric, and those whose cause is known: a chain leads from the location that waited, over
// others that waited themselves, to one that was busy.
#pragma once

#include <cstddef>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// True if the last culprit of a chain was busy, but waited itself for a part of the delay that is worth saying.
bool last_waited_too(const WaitChain& chain);

/// True if the first culprit of a chain is no cause: a wait of its own explains nearly all of the first wait.
bool acquits_culprit(const WaitChain& chain);

/// The causes beside the one that the chain ends with.
std::vector<ChainCause> further_causes(const WaitChain& chain);

/// An instance of a metric, by the number that `waitstate show --why` takes.
struct NumberedInstance {
  MetricIndex metric = no_metric;
  std::size_t number = 0;  ///< counted from 1, the most severe first, as `analyze --full` lists them
  const SevereInstance* instance = nullptr;
};
/// The most severe instances of the metric, the most severe first.
std::vector<NumberedInstance> most_severe(const AnalysisResult& result, MetricIndex metric);

/// Instances with a chain, at most `most` of each of the metrics (of all wait states if there are none) and of those
/// below them; a wait that is part of several metrics is listed once.
std::vector<NumberedInstance> with_chains(const AnalysisResult& result, const std::vector<MetricIndex>& metrics,
                                          std::size_t most);

}  // namespace waitstate::report

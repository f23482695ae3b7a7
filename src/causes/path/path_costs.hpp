// The costs of the activities of the critical path: how long all locations were in them, and the time that is lost
// because they are not balanced. Source: Boehme et al., SC 2012, as computed by Scalasca 2.6; the formulas stand in
// critical_path.cpp among the patterns.
//
// Cost: a step for each call path of each location. Memory, meanwhile: 40 bytes for each of these.
#pragma once

#include <functional>

#include "causes/history.hpp"
#include "causes/path/path_walk.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::causes {

/// `metrics`, `severities`: what is known when the trace has been read. Of a path that is broken off only its own times
/// are told.
void each_path_cost(const History& history, const FoundPath& path, const MetricTree& metrics,
                    const Severities& severities, unsigned threads, const std::function<void(const PathCost&)>& visit);

}  // namespace waitstate::causes

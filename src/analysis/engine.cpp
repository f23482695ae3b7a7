#include "analysis/engine.hpp"

#include <utility>

namespace waitstate::analysis {

Engine::Engine(std::vector<PatternHandle> patterns, RmaModel rma_model, const Definitions& definitions,
               const CallTree& call_tree, MetricTree& metrics, FocusFilter& focus)
    : run_(definitions, call_tree, metrics, focus),
      profile_metrics_(run_),
      dispatcher_(std::move(patterns), rma_model, run_, profile_metrics_) {
  run_.severities = Severities(metrics.size());
  run_.waits = WaitRecorder(metrics.size());
  run_.without_place.assign(metrics.size(), false);
}

Severities Engine::take_severities() {
  if (run_.focus.has_all_locations()) return std::move(run_.severities);
  Severities chosen(run_.severities.metric_count());
  for (std::size_t m = 0; m < chosen.metric_count(); ++m)
    run_.severities.for_each(static_cast<MetricIndex>(m), [&](CallPathId callpath, LocationId l, std::int64_t value) {
      if (run_.focus.has_location(l)) chosen.add(static_cast<MetricIndex>(m), callpath, l, value);
    });
  return chosen;
}

}  // namespace waitstate::analysis

#include "replay/counter_replay.hpp"

namespace waitstate::replay {

// What is counted outside of every region - metric recorders have none, and threads of a team count on between their
// parts - is kept in a region that is not known, so that sums are complete.
void CounterReplay::record(MetricId metric, std::span<const Value> values) {
  if (!options_.counters) return;
  ReplayContext& context = stack_.context;
  if (!counters_)
    counters_ = std::make_unique<LocationCounters>(context.definitions, context.location, options_.from, options_.to);
  const Activity& a = stack_.activity;
  std::uint32_t callpath = a.current, segment = a.segment.number;
  if (callpath == 0 || (callpath == a.base && !a.in_task())) {
    callpath = stack_.child_of(0, RegionId::none_value);
    segment = 0;
  }
  counters_->record(metric, values, stack_.profiles.now(), segment, callpath, context.stack_events(),
                    context.diagnostics);
}

std::vector<PathCounter> CounterReplay::take_rest() {
  std::vector<PathCounter> sums;
  if (counters_) counters_->take(0, sums);
  return sums;
}

}  // namespace waitstate::replay

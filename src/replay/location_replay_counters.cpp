// Counters in the replay of a location: which call path a METRIC event's values belong to.
#include "replay/location_replay.hpp"

namespace waitstate::replay {

// What is counted outside of every region - metric recorders have none, and threads of a team count on between their
// parts - is kept in a region that is not known, so that sums are complete.
void LocationReplay::counter_record(MetricId metric, std::span<const Value> values) {
  if (!counters_) counters_ = std::make_unique<LocationCounters>(definitions_, location_, options_.from, options_.to);
  std::uint32_t callpath = current_, segment = segment_.number;
  if (callpath == 0 || (callpath == base_ && !in_task())) {
    bool added = false;
    callpath = tree_.child(0, RegionId::none_value, added);
    if (added) add_call_path(RegionId::none_value);
    segment = 0;
  }
  std::uint64_t stack_events = 0;
  for (const EventType type : {EventType::enter, EventType::exit, EventType::program_begin, EventType::program_end,
                               EventType::calling_context_enter, EventType::calling_context_exit})
    stack_events += count(type);
  counters_->record(metric, values, last_time_, segment, callpath, stack_events, diagnostics_);
}

std::uint32_t LocationReplay::take_counters(std::vector<PathCounter>& to) {
  return counters_ ? counters_->take(segment_.number, to) : 0;
}

std::vector<PathCounter> LocationReplay::take_counters() {
  std::vector<PathCounter> sums;
  if (counters_) counters_->take(0, sums);
  return sums;
}

}  // namespace waitstate::replay

#include "replay/counters/counter_replay.hpp"

namespace waitstate::replay {

void CounterReplay::record(MetricId metric, std::span<const Value> values) {
  if (!options_.counters) return;
  ReplayContext& context = stack_.context;
  if (!counters_)
    counters_ = std::make_unique<LocationCounters>(context.definitions, context.location, options_.from, options_.to);
  counters_->record(metric, values, moment(), context.diagnostics);
}

// Counts outside of every region - metric recorders have none, and threads of a team count on between their
// parts - is kept in a region that is not known, so that sums are complete.
CounterPlace CounterReplay::place(std::uint32_t callpath) {
  const Activity& a = stack_.activity;
  if (callpath == 0 || (callpath == a.base && !a.in_task())) return {0, stack_.child_of(0, RegionId::none_value)};
  return {a.segment.number, callpath};
}

CounterMoment CounterReplay::moment() {
  const Activity& a = stack_.activity;
  CounterMoment m;
  m.now = stack_.profiles.now();
  m.stack_events = stack_.context.stack_events();
  m.current = m.time_before = place(a.current);
  const LocalCallTree& tree = stack_.tree();
  if (exit_.stack_events == m.stack_events && exit_.time == m.now) {
    // Of a task's region that was entered in an earlier segment, the call path is the one that stood for it.
    const bool up = exit_.callpath == a.current && LocalCallTree::is_up(tree.frame(a.current));
    const std::uint32_t callpath = up ? tree.parent(exit_.callpath) : exit_.callpath;
    if (!up && tree.parent(callpath) != a.current) return m;  // with it ended more, or nothing
    m.after_event = m.after_exit = true;
    m.time_before = place(callpath);
  } else if (exit_.stack_events != m.stack_events && !a.stack.empty() && a.stack.back().enter == m.now) {
    m.after_event = true;
    m.time_before = place(tree.parent(a.current));
  }
  return m;
}

std::vector<PathCounter> CounterReplay::take_rest() {
  std::vector<PathCounter> sums;
  if (counters_) counters_->take(0, sums);
  return sums;
}

std::vector<std::pair<MetricMemberId, CounterMoves>> CounterReplay::take_moves() {
  return counters_ ? counters_->take_moves() : std::vector<std::pair<MetricMemberId, CounterMoves>>{};
}

}  // namespace waitstate::replay

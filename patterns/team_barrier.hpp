// The waits in a barrier of a thread team; they are the same for explicit and implicit barriers.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class TeamBarrierWait : public Pattern {
 public:
  static constexpr bool in_parts = true;

  struct BarrierKind {
    RegionClass region_class;
    MetricSpec metric;
    std::string diagnosis;
  };
  explicit TeamBarrierWait(BarrierKind kind) : kind_(std::move(kind)) {}

  PatternInfo info() const override {
    return {.metrics = {kind_.metric},
            .severity =
                "U - E_i - X if > 0; U: min(max_t E_t, L_i); E, L: enter and exit of the barrier; t: all threads of "
                "the team; X: time of explicit tasks that thread i executed inside the barrier before U. Instances: "
                "each interval without tasks",
            .charged_to = "the barrier, thread i; the culprit entered last",
            .state = "the calls of barriers that some thread of the team has not reached yet",
            .source = "Scalasca 2.6",
            .differs =
                "from Scalasca: the wait is at most the barrier; only the tasks that were executed before the last "
                "thread arrived are subtracted, and a barrier with tasks in it is several instances",
            .diagnosis = kind_.diagnosis};
  }

  // Every thread waits for the last one; of several that came at the same time, the first one by location.
  void team_barrier_callback(const TeamBarrier& b, Context& context) override {
    if (b.region_class != kind_.region_class) return;
    const Call& last = **std::max_element(b.members.begin(), b.members.end(),
                                          [](const Call* x, const Call* y) { return x->enter < y->enter; });
    for (std::size_t i = 0; i < b.members.size(); ++i) {
      const Call& call = *b.members[i];
      const Time until = std::min(last.enter, call.exit);
      Time from = call.enter;
      const auto wait_until = [&](Time end) {
        if (end > from) context.add_wait(make_wait(call, from, static_cast<Ticks>(end - from), last));
      };
      for (const TimeSpan& t : b.tasks_of(i)) {
        if (t.begin >= until) break;
        wait_until(t.begin);
        from = std::max(from, t.end);
      }
      wait_until(until);
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    team_reasons(e, u, first_metric, kind_.region_class);
  }

 private:
  const BarrierKind kind_;
};

}  // namespace waitstate::patterns

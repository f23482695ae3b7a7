#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class TaskStarvationPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "omp_task_starvation",
                     .parent = "omp_synchronization",
                     .title = "OpenMP task starvation",
                     .summary = "Time in barriers and taskwaits in which no task was ready, although not all tasks "
                                "were done.",
                     .kind = MetricKind::wait,
                     .siblings = Siblings::elsewhere}},
        .severity =
            "sum of the time in a barrier or taskwait of a team, outside of tasks, in which every created task of the "
            "team had begun, if a task was running then, or another one was created before the call ended",
        .charged_to =
            "the barrier or taskwait, each thread that waits; the culprit is the thread that created the next task, or "
            "ended the last running one",
        .state = "tasks that are not completed, and for each team the intervals in which none was ready",
        .source = "waitstate's own",
        .differs = "no",
        .diagnosis = "create more and smaller tasks, start the longest first, let several threads create them"};
  }

  void task_idle_callback(const TaskIdle& idle, Context& context) override {
    for (const TaskIdle::IdleStretch& p : idle.parts)
      context.add_wait({idle.call.location, idle.call.callpath, idle.call.enter, idle.call.exit, p.begin,
                        static_cast<Ticks>(p.end - p.begin), p.culprit, p.culprit_callpath});
  }
};

}  // namespace

PatternHandle omp_task_starvation() { return make_pattern<TaskStarvationPattern>(); }

}  // namespace waitstate::patterns

#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class TaskCreationBottleneckPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics =
            {{.id = "omp_task_creation_bottleneck",
              .parent = "omp_task_starvation",
              .title = "OpenMP task creation bottleneck",
              .summary =
                  "Time in barriers and taskwaits until the only thread that creates tasks has created the next one.",
              .kind = MetricKind::wait}},
        .severity =
            "the part of omp_task_starvation in which the lack of tasks ended because one was created, if all such "
            "creations within the barrier or taskwait were by the same thread",
        .charged_to =
            "the barrier or taskwait, each thread that waits; the culprit is the thread that creates the tasks",
        .state = "as omp_task_starvation",
        .source = "waitstate's own",
        .differs = "no",
        .diagnosis =
            "let several threads create tasks (a taskloop, or tasks that create tasks), or do more work in each task",
        .needs = {"omp_task_starvation"}};
  }

  void task_idle_callback(const TaskIdle& idle, Context& context) override {
    LocationId creator;
    for (const TaskIdle::IdleStretch& p : idle.parts) {
      if (!p.created) continue;
      if (creator.valid() && creator != p.culprit) return;
      creator = p.culprit;
    }
    for (const TaskIdle::IdleStretch& p : idle.parts)
      if (p.created)
        context.add_wait({idle.call.location, idle.call.callpath, idle.call.enter, idle.call.exit, p.begin,
                          static_cast<Ticks>(p.end - p.begin), p.culprit, p.culprit_callpath});
  }
};

}  // namespace

PatternHandle omp_task_creation_bottleneck() { return make_pattern<TaskCreationBottleneckPattern>(); }

}  // namespace waitstate::patterns

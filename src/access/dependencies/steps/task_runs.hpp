// Which explicit tasks each location executed when: from the switch to one to where it completes, or the location
// switches to another one or back to what it interrupts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "waitstate/trace/event_trace.hpp"

namespace waitstate::access {

/// An explicit task: the process, the communicator of its team, and its number there.
using TaskName = std::tuple<ProcessId, CommId, std::uint64_t>;

inline bool is_task_record(const Event& e) {
  return e.type == EventType::thread_task_create || e.type == EventType::thread_task_switch ||
         e.type == EventType::thread_task_complete;
}
/// The task that a task record names; none if it is an implicit task.
inline std::optional<TaskName> task_of(const Event& e, const Definitions& definitions) {
  const auto& [team, creator, generation, a3, a4, a5] = e.attributes;
  if (generation == 0) return std::nullopt;
  return TaskName{definitions[e.loc].process, CommId{team}, creator << 32 | generation};
}

struct TaskRun {
  Time begin = 0, end = 0;
  Position begin_pos = 0, end_pos = 0;
};

class TaskRuns {
 public:
  explicit TaskRuns(const EventTrace& trace) {
    struct Executed {
      TaskName task;
      TaskRun run;
    };
    std::map<LocationId, std::optional<Executed>> executed;
    for (Position pos = 0; pos < trace.size(); ++pos) {
      const Event e = trace.event(pos);
      if (!is_task_record(e) || e.type == EventType::thread_task_create) continue;
      if (e.loc.index() >= trace.definitions().locations.size()) continue;
      std::optional<Executed>& own = executed[e.loc];
      const std::optional<TaskName> task = task_of(e, trace.definitions());
      const bool switches = e.type == EventType::thread_task_switch, same = own && task && own->task == *task;
      if (switches ? same : !same) continue;
      if (own) {
        own->run.end = e.time, own->run.end_pos = pos;
        of_[e.loc].push_back(own->run);
        own.reset();
      }
      if (switches && task) own = Executed{*task, {e.time, e.time, pos, pos}};
    }
    for (const auto& [location, own] : executed)
      if (own) of_[location].push_back({own->run.begin, ~Time{0}, own->run.begin_pos, no_position});
  }

  /// A record between the two of a run.
  bool in_task(LocationId location, Position pos) const {
    const std::vector<TaskRun>& of = this->of(location);
    const auto after =
        std::upper_bound(of.begin(), of.end(), pos, [](Position p, const TaskRun& r) { return p < r.begin_pos; });
    return after != of.begin() && pos > std::prev(after)->begin_pos && pos < std::prev(after)->end_pos;
  }
  /// The runs that lie between two records of a location and take time, in order.
  std::vector<TaskRun> between(LocationId location, Position from, Position to) const {
    std::vector<TaskRun> found;
    const std::vector<TaskRun>& of = this->of(location);
    auto r = std::upper_bound(of.begin(), of.end(), from, [](Position p, const TaskRun& x) { return p < x.begin_pos; });
    for (; r != of.end() && r->end_pos < to; ++r)
      if (r->end > r->begin) found.push_back(*r);
    return found;
  }

 private:
  const std::vector<TaskRun>& of(LocationId location) const {
    static const std::vector<TaskRun> none;
    const auto found = of_.find(location);
    return found == of_.end() ? none : found->second;
  }

  std::map<LocationId, std::vector<TaskRun>> of_;
};

}  // namespace waitstate::access

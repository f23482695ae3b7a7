// The regions that are open where an event is placed, which give its enterptr. A task has its own open regions: they
// are put away while the task is not executed, and found again on any location on which it continues.
//
// Cost of an enter or exit: a push or pop. Memory: the regions that are open.
#pragma once

#include <algorithm>
#include <compare>
#include <map>
#include <utility>
#include <vector>

#include "merge/event_store.hpp"
#include "replay/chunk/attribute_record.hpp"
#include "replay/chunk/records.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::merge {

/// The open regions of one location; owned by the class that places its events.
struct RegionStack {
  struct Open {
    Position enter;
    CallPathId callpath;
  };
  std::vector<Open> regions;
  std::vector<std::vector<Open>>
      interrupted;  ///< regions with which the thread continues after the tasks that it executes
};

class OpenRegions {
 public:
  /// With `pin`, the store is told to keep the enters of open regions.
  OpenRegions(EventStore& store, bool pin) : store_(store), pin_(pin) {}

  /// The open enter that the event belongs to. An exit of an outer region closes those inside it.
  Position enter_of(RegionStack& stack, EventType type, CallPathId callpath) {
    auto& regions = stack.regions;
    if (!replay::closes_region(type)) return regions.empty() ? no_position : regions.back().enter;
    if (!callpath.valid()) return no_position;
    const auto open = std::find_if(regions.rbegin(), regions.rend(),
                                   [&](const RegionStack::Open& r) { return r.callpath == callpath; });
    if (open == regions.rend()) return no_position;
    const Position enter = open->enter;
    while (regions.back().enter != enter) let_go(close(stack));
    return enter;
  }
  void open(RegionStack& stack, Position enter, CallPathId callpath) {
    stack.regions.push_back({enter, callpath});
    if (pin_) store_.pin(enter);
  }
  /// Closes the innermost region; there must be one. Returns its enter, which is kept until let_go().
  static Position close(RegionStack& stack) {
    const Position enter = stack.regions.back().enter;
    stack.regions.pop_back();
    return enter;
  }
  void let_go(Position enter) {
    if (pin_) store_.unpin(enter);
  }
  /// A task's segment begins or ends on a location of the process.
  void switch_task(RegionStack& stack, ProcessId process, const replay::TaskEvent& t);

 private:
  struct TaskKey {
    ProcessId process;
    CommId team;
    std::uint64_t task = 0;
    bool thread = false;
    friend auto operator<=>(const TaskKey&, const TaskKey&) = default;
  };

  EventStore& store_;
  const bool pin_;
  std::map<TaskKey, std::vector<RegionStack::Open>>
      tasks_;  ///< open regions of tasks that are not executed at the moment
};

inline void OpenRegions::switch_task(RegionStack& stack, ProcessId process, const replay::TaskEvent& t) {
  const TaskKey key{process, t.team, t.task, t.thread};
  if (t.begins) {
    if (t.aside) {
      stack.interrupted.push_back(std::move(stack.regions));
      stack.regions.clear();
    }
    if (const auto kept = tasks_.find(key); kept != tasks_.end()) {
      stack.regions = std::move(kept->second);
      tasks_.erase(kept);
    }
    return;
  }
  if (t.completed && pin_)
    for (const RegionStack::Open& r : stack.regions) store_.unpin(r.enter);
  if (!t.completed && !stack.regions.empty()) tasks_[key] = std::move(stack.regions);
  stack.regions.clear();
  if (!t.aside) return;
  stack.regions = std::move(stack.interrupted.back());
  stack.interrupted.pop_back();
}

}  // namespace waitstate::merge

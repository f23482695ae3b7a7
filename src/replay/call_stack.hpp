// The region stack of one location and the call path that it stands for: which regions are open, their numbers in the
// location's own call tree, and the NewCallPath of each call path that is met for the first time.
//
// An enter costs one look-up in the tree (replay/local_call_tree.hpp) and one push; there is no allocation unless a
// call path is new or the stack is deeper than ever. Profiles have one entry for each node of the tree, made here.
#pragma once

#include <cstdint>
#include <string>

#include "replay/activity.hpp"
#include "replay/local_call_tree.hpp"
#include "replay/profiles.hpp"
#include "replay/replay_context.hpp"

namespace waitstate::replay {

class CallStack {
 public:
  CallStack(ReplayContext& shared, Profiles& counted);

  /// The child of the current call path for `frame`, a region's id or as LocalCallTree makes it.
  std::uint32_t child(std::uint64_t frame) { return child_of(activity.current, frame); }
  std::uint32_t child_of(std::uint32_t parent, std::uint64_t frame) {
    bool added = false;
    const std::uint32_t callpath = tree_.child(parent, frame, added);
    if (added) [[unlikely]]
      add_call_path(frame);
    return callpath;
  }
  void push(std::uint32_t callpath, Time now) {
    activity.stack.push_back({now, callpath});
    activity.current = activity.account = callpath;
  }
  void pop() {
    activity.stack.pop_back();
    activity.current = activity.account = activity.stack.empty() ? activity.base : activity.stack.back().callpath;
  }
  /// Makes a call path the one where the stack is empty, which it is.
  void set_base(std::uint32_t callpath) { activity.base = activity.current = activity.account = callpath; }

  /// Stand for the fork of the team, and for where the task was, that a segment belongs to. 0 if there was none yet.
  std::uint32_t team_root() const { return team_root_; }
  std::uint32_t make_team_root() { return make_root(team_root_, LocalCallTree::team_frame); }
  std::uint32_t make_task_root() { return make_root(task_root_, LocalCallTree::task_frame); }

  /// Where a record belongs: outside of every region, to a region that is not known.
  std::uint32_t callpath_of_record();
  /// True if the region is open, or any is and `region` is none.
  bool top_is(RegionId region) const {
    return !activity.stack.empty() && (tree_.frame(activity.current) == region.value || !region.valid());
  }
  bool top_is_program() const {
    return !activity.stack.empty() && LocalCallTree::is_program(tree_.frame(activity.current));
  }
  /// The region of a call path that has one.
  RegionId region(std::uint32_t callpath) const { return RegionId{static_cast<std::size_t>(tree_.frame(callpath))}; }
  const LocalCallTree& tree() const { return tree_; }

  /// Counts what is odd at the current time, in the current region or in that of `frame`.
  void report(DiagnosticId id) { report(id, tree_.frame(activity.current)); }
  void report(DiagnosticId id, std::uint64_t frame) { report(id, frame, profiles.now()); }
  void report(DiagnosticId id, std::uint64_t frame, Time time);

  /// Whether enters and exits concern a team, a task or a created thread. To be called after each change of the
  /// activity's forks, parts and segment.
  bool in_threads() const { return in_threads_; }
  void update_in_threads() {
    in_threads_ = !activity.outside_parallel_regions() || !activity.parts_by_id.empty();
    followed_ = in_threads_ || context.options.work;
  }
  /// Whether they concern that, or the times between cuts.
  bool followed() const { return followed_; }

  Activity activity;
  ReplayContext& context;
  Profiles& profiles;

 private:
  std::uint32_t make_root(std::uint32_t& root, std::uint64_t frame) {
    if (root == 0) root = child_of(0, frame);
    return root;
  }
  void add_call_path(std::uint64_t frame);
  Profile::Kind kind_of(const Region& region) const;
  std::string region_name(std::uint64_t frame) const;

  LocalCallTree tree_;
  bool in_threads_ = false, followed_ = false;
  std::uint32_t team_root_ = 0, task_root_ = 0;
};

}  // namespace waitstate::replay

// Teams that are known by OMPT parallel ids. A recorder that writes what an OMPT tool is told, and no team records,
// shows them so: the master enters the parallel region, and every thread of its team its implicit task, with the id of
// the region in an attribute of the enter. These enters are the forks and the begins of parts.
//
// The ids are in attribute lists, which have to be read then. A trace without such an attribute costs an enter one test
// of a flag.
#pragma once

#include <cstdint>
#include <span>

#include "replay/threads/team_replay.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::replay {

/// The attribute that says which parallel region the enter of an implicit task belongs to; none if the trace has none.
AttributeId team_number_attribute(const Definitions& definitions);

class ParallelIdReplay {
 public:
  ParallelIdReplay(CallStack& stack, TeamReplay& teams);

  /// The trace may have ids: attribute lists are looked through.
  bool wants_lists() const { return attribute_.valid(); }
  /// The list of the next event.
  void attribute_list(std::span<const ListedAttribute> list);
  /// The next enter has an id.
  bool expects_enter() const { return expected_; }
  /// The expected enter; the stack does not have it yet.
  void enter(RegionId region);
  /// A region was left.
  void leave_region() {
    const Activity& a = stack_.activity;
    if ((!a.forks_by_id.empty() || !a.parts_by_id.empty()) && !a.in_task()) end_left();
  }

 private:
  void begin_part(bool master, bool segment);
  void end_left();
  void move_time(const ForkById& fork, Ticks Profile::*share);
  std::uint64_t enters_and_exits() const {
    return stack_.context.count(EventType::enter) + stack_.context.count(EventType::exit);
  }
  Time now() const { return stack_.profiles.now(); }

  CallStack& stack_;
  TeamReplay& teams_;
  AttributeId attribute_;
  bool expected_ = false;
  std::uint64_t id_ = 0;     ///< parallel id of the expected enter
  std::uint64_t exits_ = 0;  ///< at its attribute list: if there are more by then, the list was an exit's
};

}  // namespace waitstate::replay

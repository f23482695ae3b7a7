#include "replay/threads/parallel_id_replay.hpp"

#include <string>

namespace waitstate::replay {

AttributeId team_number_attribute(const Definitions& definitions) {
  for (std::size_t i = 0; i < definitions.attributes.size(); ++i)
    if (definitions.attributes[i].name == "OMPT_PARALLEL_REGION_ID") return AttributeId{i};
  return AttributeId::none();
}

ParallelIdReplay::ParallelIdReplay(CallStack& stack, TeamReplay& teams)
    : stack_(stack), teams_(teams), attribute_(team_number_attribute(stack.context.definitions)) {}

void ParallelIdReplay::attribute_list(std::span<const ListedAttribute> list) {
  for (const ListedAttribute& a : list)
    if (a.attribute == attribute_) {
      expected_ = true;
      id_ = a.value.bits;
      exits_ = stack_.context.count(EventType::exit);
    }
}

void ParallelIdReplay::enter(RegionId region) {
  Activity& a = stack_.activity;
  expected_ = false;
  if (!region.valid() || a.in_task() || exits_ != stack_.context.count(EventType::exit)) return;
  if (stack_.context.definitions[region].name.find("implicit") == std::string::npos) {
    if (a.outside_parallel_regions()) teams_.begin_inside();
    a.forks_by_id.push_back({id_, a.stack.size(), now(), enters_and_exits()});
    stack_.update_in_threads();
    return;
  }
  const bool master = !a.forks_by_id.empty() && a.forks_by_id.back().id == id_;
  begin_part(master, !master && a.stack.empty());
}

void ParallelIdReplay::begin_part(bool master, bool segment) {
  Activity& a = stack_.activity;
  if (segment) teams_.begin_segment();
  a.parts_by_id.push_back({id_, a.stack.size()});
  stack_.update_in_threads();
  TeamRecord& r = teams_.add_record(TeamRecord::Kind::begin);
  r.by_number = true;
  r.to = id_;
  r.segment = segment;
  r.master = master;
  if (master) {
    ForkById& fork = a.forks_by_id.back();
    r.callpath = a.current, r.in_segment = a.segment.number;
    r.from = fork.since;
    r.outermost = !a.in_segment() && a.forks_by_id.size() == 1 && a.forks.empty();
    fork.begun = true;
    if (fork.callpath == 0 && a.stack.size() == fork.depth + 1) {
      fork.callpath = a.current;
      move_time(fork, &Profile::fork);
    }
  }
  a.teams.push_back(segment);
}

// The time in the parallel region before and after its implicit task, with nothing between, was for fork or join.
void ParallelIdReplay::move_time(const ForkById& fork, Ticks Profile::*share) {
  if (enters_and_exits() != fork.events + 1) return;
  const Ticks t = stack_.profiles.in_window(fork.since, now());
  Profile& profile = stack_.profiles.counted(fork.callpath);
  if (t <= 0 || profile.time < t) return;
  profile.time -= t;
  profile.*share = add_ticks(profile.*share, static_cast<std::uint64_t>(t));
}

// Ends the parts that began when the stack was as deep as it is now, or deeper.
void ParallelIdReplay::end_left() {
  Activity& a = stack_.activity;
  while (!a.parts_by_id.empty() && a.stack.size() <= a.parts_by_id.back().depth) {
    if (!a.forks_by_id.empty() && a.forks_by_id.back().id == a.parts_by_id.back().id) {
      a.forks_by_id.back().since = now();
      a.forks_by_id.back().events = enters_and_exits();
    }
    a.parts_by_id.pop_back();
    if (a.teams.empty()) continue;
    if (a.teams.back()) {
      teams_.end_segment();
    } else {
      a.teams.pop_back();
      teams_.add_record(TeamRecord::Kind::end);
    }
  }
  while (!a.forks_by_id.empty() && a.stack.size() <= a.forks_by_id.back().depth) {
    const ForkById fork = a.forks_by_id.back();
    if (fork.callpath != 0) move_time(fork, &Profile::join);
    if (fork.begun) {
      TeamRecord& r = teams_.add_record(TeamRecord::Kind::join);
      r.by_number = true;
      r.to = fork.id;
    }
    a.forks_by_id.pop_back();
    if (a.outside_parallel_regions()) teams_.end_inside();
  }
  stack_.update_in_threads();
}

}  // namespace waitstate::replay

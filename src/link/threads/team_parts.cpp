#include "link/threads/team_parts.hpp"

#include <algorithm>

namespace waitstate::link {

void TeamParts::begin(LocationId l, const TeamRef& ref, Time begin, bool forked) {
  Thread& thread = threads_[l.index()];
  if (forked) thread.open_at_fork.push_back(thread.open.size());
  thread.open.push_back({ref, 0});
  Team* const team = table_.find(ref);
  if (team == nullptr) return;
  ++team->took_part;
  unused_.begin_part(ref, *team, l, begin);
}

void TeamParts::end(LocationId l) {
  Thread& thread = threads_[l.index()];
  if (!thread.open.empty()) end_down_to(thread, thread.open.size() - 1);
}

void TeamParts::join(LocationId l) {
  Thread& thread = threads_[l.index()];
  if (thread.open_at_fork.empty()) return;
  end_down_to(thread, thread.open_at_fork.back());
  thread.open_at_fork.pop_back();
}

void TeamParts::end_segment(LocationId l) {
  threads_[l.index()].open_at_fork.clear();
  end_down_to(threads_[l.index()], 0);
}

void TeamParts::end_location(LocationId l) {
  end_down_to(threads_[l.index()], 0);
  table_.thread(l).ended = true;
  for (CommId comm : table_.thread(l).comms) {
    CommTeams& c = table_.comm(comm);
    ++c.ended;
    const std::uint64_t next = table_.member(comm, l).next, end = c.first + c.teams.size();
    for (std::uint64_t n = std::max(next, c.first); n < end; ++n) pass(CommTeam{comm, n});
  }
}

void TeamParts::end_down_to(Thread& thread, std::size_t size) {
  while (thread.open.size() > size) {
    const TeamRef ref = thread.open.back().team;
    thread.open.pop_back();
    if (std::holds_alternative<ParallelId>(ref)) {
      if (Team* const team = table_.find(ref); team != nullptr && team->open != 0) --team->open;
    } else {
      pass(ref);
    }
  }
}

void TeamParts::pass(const TeamRef& ref) {
  const auto* const t = std::get_if<CommTeam>(&ref);
  Team* const team = t == nullptr ? nullptr : table_.find(ref);
  if (team == nullptr || team->left == 0 || --team->left != 0) return;
  CommTeams& comm = table_.comm(t->comm);
  unused_.deliver_complete(*team);
  barriers_.end(*team, comm);
  const TeamRef in = team->outer;
  table_.forget_passed(comm);
  Team* const outer = table_.find(in);
  if (outer == nullptr || --outer->nested != 0) return;
  unused_.deliver_complete(*outer);
  table_.forget_passed(table_.comm(std::get<CommTeam>(in).comm));
}

void TeamParts::leave(Team& team, bool joined, Time join) {
  team.over = true;
  team.joined = joined;
  team.join = join;
  charge_regions(team);
}

void TeamParts::add_region(Team& team, const WorkerRegion& region) {
  if (team.over)
    charge(team, region);
  else
    team.regions.push_back(region);
}

void TeamParts::charge_regions(Team& team) {
  for (const WorkerRegion& r : team.regions) charge(team, r);
  team.regions.clear();
}

void TeamParts::charge(const Team& team, const WorkerRegion& r) {
  listener_->parallel_region({r.location, r.callpath, team.fork, r.enter, r.exit, team.joined ? team.join : r.exit});
}

}  // namespace waitstate::link

#include "link/threads/unused_threads.hpp"

#include <algorithm>

namespace waitstate::link {

void UnusedThreadFinder::nest(const TeamRef& ref, const TeamRef& in) {
  Team* const inner = table_.find(ref);
  const Team* const next = table_.find(in);
  const bool of_comm = std::holds_alternative<CommTeam>(in);
  if (inner == nullptr || next == nullptr || ref.index() != in.index()) return;
  if (inner->outer.index() != 0 || (of_comm && inner->left == 0)) return;
  const TeamRef outermost = next->outer.index() != 0 ? next->outer : in;
  Team* const outer = table_.find(outermost);
  if (outer == nullptr || !outer->outermost || outer == inner) return;
  inner->outer = outermost;
  if (of_comm) ++outer->nested;
  for (LocationId l : inner->members) take_part(*outer, outermost, {l});  // members that began before it was known
  for (const TeamPart& p : inner->parts) take_part(*outer, outermost, p);
}

void UnusedThreadFinder::begin_part(const TeamRef& ref, Team& team, LocationId l, Time begin) {
  if (const auto* const t = std::get_if<CommTeam>(&ref)) {
    if (!team.caller_known || leaves_some(team, table_.comm(t->comm))) team.members.push_back(l);
  } else {
    team.parts.push_back({l, begin});
    ++team.open;
  }
  if (Team* const outer = table_.find(team.outer)) take_part(*outer, team.outer, {l, begin});
}

// A thread that takes part in a team has a part in the outermost one that it is nested in.
void UnusedThreadFinder::take_part(Team& outer, const TeamRef& ref, const TeamPart& part) {
  const LocationId l = part.location;
  if (const auto* const t = std::get_if<CommTeam>(&ref)) {
    if (leaves_some(outer, table_.comm(t->comm)) &&
        std::find(outer.members.begin(), outer.members.end(), l) == outer.members.end())
      outer.members.push_back(l);
  } else if (std::none_of(outer.parts.begin(), outer.parts.end(), [&](const TeamPart& p) { return p.location == l; })) {
    outer.parts.push_back({l, part.begin, true});
  }
}

void UnusedThreadFinder::deliver_complete(Team& team) {
  if (team.members.empty() || team.left != 0 || team.nested != 0 || !team.joined || !team.region.valid()) return;
  listener_->unused_threads({team.master, team.fork, team.join, team.region, true, team.members});
  team.members.clear();
}

void UnusedThreadFinder::close(const Team& team, ProcessId process) {
  if (!team.outermost || !team.joined || !team.region.valid() || listener_ == nullptr) return;
  std::vector<LocationId> members;
  for (const TeamPart& p : team.parts) members.push_back(p.location);
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (members.size() < definitions_.cpu_threads(process))
    listener_->unused_threads({team.master, team.fork, team.join, team.region, true, members});
}

}  // namespace waitstate::link

#include "link/threads/parallel_ids.hpp"

#include <algorithm>

namespace waitstate::link {

void ParallelIds::join(LocationId l, std::uint64_t id, Time t) {
  Team* const found = table_.find(team(l, id));
  if (found != nullptr && found->master == l && !found->over) parts_.leave(*found, true, t);
}

bool ParallelIds::attach(LocationId l) {
  auto& teams = table_.by_parallel_id();
  const ProcessId process = definitions_[l].process;
  if (teams.empty() || !process.valid()) return false;
  bool any = false;
  for (auto team = teams.lower_bound({process, 0}); team != teams.end() && team->first.process == process; ++team)
    any |= std::erase_if(team->second.segments, [&](const SegmentRef& s) { return attach(s); }) != 0;
  return any;
}

// False while it is not known who called the team, or whether it was joined before the segment began.
bool ParallelIds::attach(const SegmentRef& ref) {
  Segment& s = attachments_[ref];
  const Team& team = *table_.find(s.team);
  if (!team.caller_known) return false;
  const TeamTable::Thread& master = table_.thread(team.master);
  if (!team.over && !master.scanned_to_end && master.scanned < s.begin) return false;
  const bool late = team.joined && team.join < s.begin;
  if (late) s.team = {};
  attachments_.attach(ref, late ? CallPathId::none() : team.caller);
  return true;
}

LocationId ParallelIds::awaited(const SegmentRef& s) {
  const auto id = std::get<ParallelId>(attachments_[s].team);
  if (const Team* const team = table_.find(id); team != nullptr && team->caller_known)
    return table_.thread(team->master).scanned_to_end ? LocationId::none() : team->master;
  for (const LocationId l : definitions_[id.process].locations)
    if (l != s.location && !table_.thread(l).scanned_to_end) return l;
  return LocationId::none();
}

void ParallelIds::close(LocationId l) {
  auto& teams = table_.by_parallel_id();
  const ProcessId process = definitions_[l].process;
  if (teams.empty() || !process.valid()) return;
  auto team = teams.lower_bound({process, 0});
  if (team == teams.end() || team->first.process != process) return;
  Time until = ~Time{0};
  for (const LocationId other : definitions_[process].locations)
    if (const TeamTable::Thread& thread = table_.thread(other);
        definitions_[other].type == LocationType::cpu_thread && !thread.ended)
      until = std::min(until, thread.processed);
  while (team != teams.end() && team->first.process == process) {
    Team& t = team->second;
    if (until != ~Time{0} && !(t.over && t.join < until && t.segments.empty() && t.open == 0)) {
      ++team;
      continue;
    }
    close(t, process);
    team = teams.erase(team);
  }
}

// In a damaged trace parts may begin after the join; they do not count, however far who has been read.
void ParallelIds::close(Team& team, ProcessId process) {
  parts_.charge_regions(team);
  std::erase_if(team.parts, [&](const TeamPart& p) { return team.joined && p.begin > team.join; });
  barriers_.close(team, static_cast<std::size_t>(std::count_if(team.parts.begin(), team.parts.end(),
                                                               [](const TeamPart& p) { return !p.nested; })));
  unused_.close(team, process);
}

}  // namespace waitstate::link

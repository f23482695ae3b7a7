#include "link/threads/team_table.hpp"

#include <algorithm>

namespace waitstate::link {

CommTeams* TeamTable::prepare(CommId comm, LocationId member) {
  if (!comm.valid() || comm.index() >= comms_.size()) return nullptr;
  CommTeams& c = comms_[comm.index()];
  if (!c.prepared) {
    c.prepared = true;
    c.threads = definitions_.cpu_threads(definitions_[member].process);
    for (LocationId l : definitions_[comm].members) {
      if (!l.valid() || l.index() >= threads_.size()) continue;
      Thread& t = thread(l);
      if (std::find(t.comms.begin(), t.comms.end(), comm) != t.comms.end()) continue;
      t.comms.push_back(comm);
      c.members.push_back(l);
      if (c.size++ == 0) c.master = l;
      c.ended += t.ended;
    }
  }
  const std::vector<CommId>& comms = thread(member).comms;
  return std::find(comms.begin(), comms.end(), comm) == comms.end() ? nullptr : &c;
}

Team* TeamTable::find(const TeamRef& team) {
  if (const auto* const id = std::get_if<ParallelId>(&team)) {
    const auto found = by_parallel_id_.find(*id);
    return found == by_parallel_id_.end() ? nullptr : &found->second;
  }
  const auto* const t = std::get_if<CommTeam>(&team);
  if (t == nullptr) return nullptr;
  CommTeams& c = comm(t->comm);
  if (t->number < c.first || t->number - c.first >= c.teams.size()) return nullptr;
  return &c.teams[t->number - c.first];
}

Team& TeamTable::find_or_add(const CommTeam& team) {
  CommTeams& c = comm(team.comm);
  while (c.first + c.teams.size() <= team.number) c.teams.emplace_back().left = c.size - c.ended;
  return c.teams[team.number - c.first];
}

void TeamTable::forget_passed(CommTeams& c) {
  while (!c.teams.empty() && c.teams.front().left == 0 && c.teams.front().nested == 0 &&
         (c.teams.front().over || !c.teams.front().forked)) {
    c.teams.pop_front();
    ++c.first;
  }
}

}  // namespace waitstate::link

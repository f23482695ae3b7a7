#include "link/threads/team_barriers.hpp"

#include <algorithm>

namespace waitstate::link {

void TeamBarriers::arrive(const TeamRef& ref, std::uint64_t number, std::uint32_t call, std::vector<TimeSpan> tasks) {
  Team* const team = table_.find(ref);
  if (team == nullptr || number < team->first_barrier) return;
  while (team->first_barrier + team->barriers.size() <= number) team->barriers.emplace_back();
  TeamBarrierState& b = team->barriers[number - team->first_barrier];
  if (b.delivered) return;  // more threads came than had been asked for
  b.calls.push_back({call, std::move(tasks)});
  calls_.keep(call);
  const auto* const t = std::get_if<CommTeam>(&ref);
  if (t == nullptr) return;  // complete when the team is over
  b.comm = t->comm;
  CommTeams& comm = table_.comm(t->comm);
  if (b.calls.size() < comm.expected(*team)) return;
  if (b.calls.size() < comm.size) {
    if (std::find(comm.full.begin(), comm.full.end(), t->number) == comm.full.end()) comm.full.push_back(t->number);
    return;
  }
  deliver(b, comm.expected(*team));
  forget_delivered(*team);
}

void TeamBarriers::end(Team& team, const CommTeams& comm) {
  const std::size_t expected = comm.expected(team);
  for (TeamBarrierState& b : team.barriers)
    if (!b.delivered && (b.calls.size() == team.took_part || b.calls.size() >= expected)) deliver(b, expected);
  for (TeamBarrierState& b : team.barriers) drop(b);
  team.barriers.clear();
}

// Lets go of a barrier that some threads did not come to.
void TeamBarriers::drop(TeamBarrierState& b) {
  for (const BarrierArrival& a : b.calls) {
    tell_of_lack(listener_, replay::WorkMark::Kind::without_member, calls_[a.call].call);
    calls_.release(a.call);
  }
}

// In a damaged trace threads may come after the join; they do not count, however far who has been read.
void TeamBarriers::close(Team& team, std::size_t expected) {
  for (TeamBarrierState& b : team.barriers) {
    std::erase_if(b.calls, [&](const BarrierArrival& a) {
      const bool late = team.joined && calls_[a.call].call.enter > team.join;
      if (late) calls_.release(a.call);
      return late;
    });
    if (b.calls.size() == expected) deliver(b, expected);
    drop(b);
  }
  team.barriers.clear();
}

void TeamBarriers::forget_delivered(Team& team) {
  while (!team.barriers.empty() && team.barriers.front().delivered) {
    team.barriers.pop_front();
    ++team.first_barrier;
  }
}

// Barriers that as many threads have come to as were asked for, of a communicator that has more: the others must have
// been read beyond the time at which they are complete.
void TeamBarriers::settle(CommTeams& comm) {
  std::erase_if(comm.full, [&](std::uint64_t number) {
    if (number < comm.first || number - comm.first >= comm.teams.size()) return true;
    Team& team = comm.teams[number - comm.first];
    const std::size_t expected = comm.expected(team);
    bool waits = false;
    for (TeamBarrierState& b : team.barriers) {
      if (b.delivered || b.calls.size() < expected) continue;
      sort_arrivals(b);
      const Time complete = calls_[b.calls[expected - 1].call].call.enter;
      const bool all_read = std::all_of(comm.members.begin(), comm.members.end(), [&](LocationId l) {
        return table_.thread(l).ended || table_.thread(l).processed > complete;
      });
      if (all_read)
        deliver(b, expected);
      else
        waits = true;
    }
    forget_delivered(team);
    return !waits;
  });
}

// By time, and of the same time by location.
void TeamBarriers::sort_arrivals(TeamBarrierState& b) const {
  std::sort(b.calls.begin(), b.calls.end(), [&](const BarrierArrival& x, const BarrierArrival& y) {
    const Call &a = calls_[x.call].call, &c = calls_[y.call].call;
    return std::pair{a.enter, a.location} < std::pair{c.enter, c.location};
  });
}

// Of the threads that came first, `expected` at most.
void TeamBarriers::deliver(TeamBarrierState& b, std::size_t expected) {
  b.delivered = true;
  views_.clear();
  task_views_.clear();
  if (b.calls.size() > expected) {
    sort_arrivals(b);
    for (std::size_t i = expected; i < b.calls.size(); ++i) calls_.release(b.calls[i].call);
    b.calls.resize(expected);
  }
  std::sort(b.calls.begin(), b.calls.end(), [&](const BarrierArrival& x, const BarrierArrival& y) {
    return calls_[x.call].call.location < calls_[y.call].call.location;
  });
  for (const BarrierArrival& a : b.calls) views_.push_back(&calls_[a.call].call);
  if (std::any_of(b.calls.begin(), b.calls.end(), [](const BarrierArrival& a) { return !a.tasks.empty(); }))
    for (const BarrierArrival& a : b.calls) task_views_.push_back(a.tasks);
  const auto region_class = [&](const Call* c) { return definitions_[c->region].region_class; };
  const bool mixed = std::any_of(views_.begin(), views_.end(),
                                 [&](const Call* c) { return region_class(c) != region_class(views_.front()); });
  if (!mixed && views_.size() > 1) listener_->team_barrier({region_class(views_.front()), views_, task_views_, b.comm});
  for (const BarrierArrival& a : b.calls) calls_.release(a.call);
  b.calls.clear();
}

}  // namespace waitstate::link

#include "link/threads/teams.hpp"

#include <algorithm>

namespace waitstate::link {

void Teams::scan(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  Thread& thread = threads_[l.index()];
  table_.thread(l).scanned = chunk.last_time;
  table_.thread(l).scanned_to_end = chunk.last;
  for (const replay::TeamRecord& r : chunk.team_records) {
    if (r.kind == replay::TeamRecord::Kind::begin) {
      begin(l, r);
    } else if (r.kind == replay::TeamRecord::Kind::join) {
      r.by_number ? parallel_ids_.join(l, r.to, r.time) : leave_fork(l, true, r.time, r.callpath);
    } else if (r.kind == replay::TeamRecord::Kind::end && r.segment) {
      thread.in_segment = 0;
      while (!thread.forked.empty()) leave_fork(l, false, 0);
    }
  }
  if (chunk.last)
    while (!thread.forked.empty()) leave_fork(l, false, 0);
  for (CommId comm : thread.mastered) retry(table_.comm(comm));
  if (chunk.last)
    for (CommId comm : table_.thread(l).comms) retry(table_.comm(comm));
}

void Teams::begin(LocationId l, const replay::TeamRecord& r) {
  if (r.by_number) return begin_by_id(l, r);
  CommTeams* const comm = fits(l, r) ? &table_.comm(r.team) : nullptr;
  Thread& thread = threads_[l.index()];
  if (r.segment) {
    const SegmentRef s = begin_segment(l, comm == nullptr ? TeamRef{} : CommTeam{r.team}, r.time);
    if (comm == nullptr)
      attach(s, CallPathId::none());
    else if (!decide(s))
      comm->undecided.push_back(s);
  } else if (comm == nullptr) {
    thread.begun.push_back({});
    if (r.forked) thread.forked.push_back({});
  } else if (r.master) {
    fork(l, r);
  } else {
    const CommTeam team{r.team, table_.member(r.team, l).next++};
    table_.find_or_add(team);
    thread.begun.push_back(team);
  }
}

void Teams::begin_by_id(LocationId l, const replay::TeamRecord& r) {
  const TeamRef ref = parallel_ids_.team(l, r.to);
  const auto* const id = std::get_if<ParallelId>(&ref);
  if (r.segment) {
    const SegmentRef s = begin_segment(l, ref, r.time);
    if (id == nullptr)
      attach(s, CallPathId::none());
    else
      table_.find_or_add(*id).segments.push_back(s);
    return;
  }
  threads_[l.index()].begun.push_back(ref);
  if (id == nullptr) return;
  Team& team = table_.find_or_add(*id);
  if (r.master) add_fork(l, r, ref, team);
}

// False if the record is of no team that the location can take part in.
bool Teams::fits(LocationId l, const replay::TeamRecord& r) {
  using Role = TeamTable::Role;
  if (table_.prepare(r.team, l) == nullptr) return false;
  Role& role = table_.member(r.team, l).role;
  const Role now = r.segment ? Role::segments : r.master ? Role::master : Role::worker;
  if (role == Role::none) role = now;
  return role == now;
}

SegmentRef Teams::begin_segment(LocationId l, const TeamRef& team, Time t) {
  const SegmentRef s = attachments_.begin(l, team, t);
  threads_[l.index()].in_segment = s.number;
  return s;
}

// --- forks -----------------------------------------------------------------------------------------------------------

void Teams::fork(LocationId l, const replay::TeamRecord& r) {
  Thread& thread = threads_[l.index()];
  const CommTeam ref{r.team, table_.member(r.team, l).next++};
  CommTeams& comm = table_.comm(r.team);
  comm.master = l;
  comm.forked = true;
  if (std::find(thread.mastered.begin(), thread.mastered.end(), r.team) == thread.mastered.end())
    thread.mastered.push_back(r.team);
  thread.begun.push_back(ref);
  if (r.forked) thread.forked.push_back(ref);
  add_fork(l, r, ref, table_.find_or_add(ref));
}

void Teams::add_fork(LocationId l, const replay::TeamRecord& r, const TeamRef& ref, Team& team) {
  Thread& thread = threads_[l.index()];
  if (team.scanned) return;  // by another master: the trace contradicts itself
  team.scanned = true;
  team.master = l;
  team.forked = r.forked || r.by_number;
  team.fork = team.forked ? r.from : r.time;
  team.requested = r.count;
  if (r.by_number) {
    team.outermost = r.outermost;
    if (r.outermost) {
      thread.outermost = ref;
      team.region = attachments_.call_path({l, 0}, r.callpath);
    } else if (r.in_segment == 0) {
      unused_.nest(ref, thread.outermost);
    }
  } else {
    team.outermost = r.forked && r.in_segment == 0 && thread.in_segment == 0 && thread.forked.size() == 1;
    unused_.forked(team, table_.comm(r.team));
    if (thread.forked.size() > 1 && thread.in_segment == 0) unused_.nest(ref, thread.forked.front());
  }
  const bool in_task = SegmentRef{l, r.in_segment}.of_task();
  attachments_.fork_in({ref, {l, in_task ? r.in_segment : thread.in_segment}, r.callpath, thread.in_segment});
  tell_forks();
}

// The loop runs as deep as teams are nested.
bool Teams::tell_forks() {
  const std::vector<Fork> forks = attachments_.take_forks();
  for (const Fork& f : forks) {
    Team* const team = table_.find(f.team);
    if (team == nullptr) continue;
    const Segment* const in = f.in_team == 0 ? nullptr : attachments_.find({f.segment.location, f.in_team});
    if (in != nullptr && in->attached) unused_.nest(f.team, in->team);
    team->caller = attachments_.call_path(f.segment, f.callpath);
    team->caller_known = true;
    if (std::holds_alternative<ParallelId>(f.team)) continue;  // see ParallelIds::attach()
    const std::vector<SegmentRef> segments = std::move(team->segments);
    const CallPathId caller = team->caller;
    for (const SegmentRef& s : segments) attach(s, caller);
  }
  return !forks.empty();
}

void Teams::leave_fork(LocationId l, bool joined, Time join, std::uint32_t callpath) {
  Thread& thread = threads_[l.index()];
  if (thread.forked.empty()) return;
  const TeamRef ref = thread.forked.back();
  thread.forked.pop_back();
  Team* const team = table_.find(ref);
  if (team == nullptr || team->master != l) return;
  if (team->outermost && callpath != 0) team->region = attachments_.call_path({l, 0}, callpath);
  parts_.leave(*team, joined, join);
  unused_.deliver_complete(*team);
  table_.forget_passed(table_.comm(std::get<CommTeam>(ref).comm));
}

// --- whose the segments are ------------------------------------------------------------------------------------------

// The forks in it come at once: before whatever is attached next.
void Teams::attach(const SegmentRef& s, CallPathId caller) {
  attachments_.attach(s, caller);
  tell_forks();
}

// A member that has forked is expected to fork again; before that, every member may be the one but the worker.
LocationId Teams::may_still_fork(const CommTeams& comm, LocationId worker) const {
  if (comm.forked) return table_.thread(comm.master).scanned_to_end ? LocationId::none() : comm.master;
  const auto m = std::find_if(comm.members.begin(), comm.members.end(),
                              [&](LocationId l) { return l != worker && !table_.thread(l).scanned_to_end; });
  return m == comm.members.end() ? LocationId::none() : *m;
}

// Finds the team that the segment belongs to; false if that cannot be told yet.
bool Teams::decide(const SegmentRef& ref) {
  Segment& s = attachments_[ref];
  auto& of = std::get<CommTeam>(s.team);
  const CommTeams& comm = table_.comm(of.comm);
  std::uint64_t& next = table_.member(of.comm, ref.location).next;
  for (;; ++next) {
    Team* const team = table_.find(CommTeam{of.comm, next});
    const bool known = team != nullptr && team->scanned;
    if (!known && may_still_fork(comm, ref.location).valid()) return false;
    if (!known || (team->forked && team->fork > s.begin)) {  // its own fork is missing
      s.team = {};
      attach(ref, CallPathId::none());
      return true;
    }
    const TeamTable::Thread& master = table_.thread(team->master);
    // Joined before: the thread took no part, or its part is missing.
    const bool may_be_unused = team->requested != 0 && team->requested < comm.size;
    if (team->joined && (may_be_unused ? team->join <= s.begin : team->join < s.begin)) {
      parts_.pass(CommTeam{of.comm, next});
      continue;
    }
    if (!team->over && !master.scanned_to_end && (may_be_unused ? master.scanned <= s.begin : master.scanned < s.begin))
      return false;
    of.number = next++;
    if (team->caller_known)
      attach(ref, team->caller);
    else
      team->segments.push_back(ref);
    return true;
  }
}

void Teams::retry(CommTeams& comm) {
  std::erase_if(comm.undecided, [&](const SegmentRef& s) { return decide(s); });
}

// The segment has been assigned: the thread takes no part in its team.
void Teams::give_up(const SegmentRef& s) {
  const TeamRef of = std::exchange(attachments_[s].team, TeamRef{});
  const auto* const t = std::get_if<CommTeam>(&of);
  if (t == nullptr || std::erase(table_.comm(t->comm).undecided, s) == 0) {
    std::erase(table_.find(of)->segments, s);
    parts_.pass(of);
  }
  attach(s, CallPathId::none());
}

LocationId Teams::awaited(const SegmentRef& s) {
  const TeamRef& of = attachments_[s].team;
  if (std::holds_alternative<ParallelId>(of)) return parallel_ids_.awaited(s);
  const CommTeams& comm = table_.comm(std::get<CommTeam>(of).comm);
  if (std::any_of(comm.undecided.begin(), comm.undecided.end(),
                  [&](const SegmentRef& u) { return u.location == s.location; }))
    return comm.forked ? comm.master : may_still_fork(comm, s.location);
  const Team* const team = table_.find(of);
  return team == nullptr ? LocationId::none() : team->master;
}

}  // namespace waitstate::link

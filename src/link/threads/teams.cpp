// Teams, scanned: forks, joins, and whose the segments are that workers have.
#include "link/threads/teams.hpp"

#include <algorithm>

namespace waitstate::link {

Teams::Teams(const Definitions& definitions, CallPaths& paths, Calls& calls, Diagnostics& diagnostics,
             Listener* listener, bool links)
    : definitions_(definitions),
      paths_(paths),
      calls_(calls),
      listener_(listener),
      keep_links_(links),
      locks_(definitions, calls, listener),
      tasks_(
          definitions, paths, calls, diagnostics, listener, links,
          [this](LocationId l, std::uint32_t segment, std::uint32_t& graft) { return find_graft(l, segment, graft); }),
      locations_(definitions.locations.size()),
      comms_(definitions.comms.size()) {}

// Null if the location cannot take part in teams of it: a communicator that is not defined, or of others.
Teams::CommState* Teams::prepare(CommId comm, LocationId member) {
  if (!comm.valid() || comm.index() >= comms_.size()) return nullptr;
  CommState& c = comms_[comm.index()];
  if (!c.prepared) {
    c.prepared = true;
    c.threads = definitions_.cpu_threads(definitions_[member].process);
    for (LocationId l : definitions_[comm].members) {
      if (!l.valid() || l.index() >= locations_.size()) continue;
      LocationState& location = state(l);
      if (std::find(location.comms.begin(), location.comms.end(), comm) != location.comms.end()) continue;
      location.comms.push_back(comm);
      c.members.push_back(l);
      if (c.size++ == 0) c.master = l;
      c.gone += location.gone;
    }
  }
  const std::vector<CommId>& comms = state(member).comms;
  return std::find(comms.begin(), comms.end(), comm) == comms.end() ? nullptr : &c;
}

Teams::Team* Teams::find(const TeamRef& team) {
  if (team.numbered.valid()) {
    const auto found = numbered_.find({team.numbered, team.number});
    return found == numbered_.end() ? nullptr : &found->second;
  }
  if (!team.comm.valid()) return nullptr;
  CommState& c = comms_[team.comm.index()];
  if (team.number < c.first || team.number - c.first >= c.teams.size()) return nullptr;
  return &c.teams[team.number - c.first];
}

Teams::Team& Teams::find_or_add(const TeamRef& team) {
  if (team.numbered.valid()) return numbered_[{team.numbered, team.number}];
  CommState& c = comms_[team.comm.index()];
  while (c.first + c.teams.size() <= team.number) c.teams.emplace_back().left = c.size - c.gone;
  return c.teams[team.number - c.first];
}

void Teams::scan(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  LocationState& location = state(l);
  location.scanned = chunk.last_time;
  location.ended = chunk.last;
  for (const replay::TeamRecord& r : chunk.team_records) {
    if (r.kind == replay::TeamRecord::Kind::begin) {
      scan_begin(l, r);
    } else if (r.kind == replay::TeamRecord::Kind::join) {
      r.by_number ? join_numbered(l, r) : leave_fork(l, true, r.time, r.callpath);
    } else if (r.kind == replay::TeamRecord::Kind::end && r.segment) {
      location.in_segment = 0;
      while (!location.forked.empty()) leave_fork(l, false, 0);
    }
  }
  if (chunk.last)
    while (!location.forked.empty()) leave_fork(l, false, 0);
  for (CommId comm : location.mastered) retry(comms_[comm.index()]);
  if (chunk.last)
    for (CommId comm : location.comms) retry(comms_[comm.index()]);
  if (!numbered_.empty()) retry_numbered(definitions_[l].process);
  tasks_.scan(chunk);
  order_tasks(l);
}

void Teams::scan_begin(LocationId l, const replay::TeamRecord& r) {
  if (r.by_number) return scan_numbered(l, r);
  LocationState& location = state(l);
  CommState* comm = prepare(r.team, l);
  if (comm != nullptr) {
    Role& role = member(r.team, l).role;
    const Role now = r.segment ? Role::segments : r.master ? Role::master : Role::worker;
    if (role == Role::none) role = now;
    if (role != now) comm = nullptr;
  }
  if (r.segment) {
    const SegmentRef s{l, location.first_segment + static_cast<std::uint32_t>(location.segments.size())};
    location.segments.emplace_back().begin = r.time;
    location.in_segment = s.number;
    ++location.unresolved;
    if (comm == nullptr) {
      resolve(s, CallPathId::none());
      return;
    }
    segment(s).team.comm = r.team;
    if (!decide(s)) comm->undecided.push_back(s);
  } else if (comm == nullptr) {
    location.begun.push_back({});
    if (r.forked) location.forked.push_back({});
  } else if (r.master) {
    scan_fork(l, r, *comm);
  } else {
    const TeamRef team{r.team, next_of(r.team, l)++};
    find_or_add(team);
    location.begun.push_back(team);
  }
}

void Teams::scan_fork(LocationId l, const replay::TeamRecord& r, CommState& comm) {
  LocationState& location = state(l);
  const TeamRef ref{r.team, next_of(r.team, l)++};
  comm.master = l;
  comm.forked = true;
  if (std::find(location.mastered.begin(), location.mastered.end(), r.team) == location.mastered.end())
    location.mastered.push_back(r.team);
  location.begun.push_back(ref);
  if (r.forked) location.forked.push_back(ref);
  scan_master(l, r, ref);
}

// Of locations without a process nobody knows which of them belong together.
void Teams::scan_numbered(LocationId l, const replay::TeamRecord& r) {
  LocationState& location = state(l);
  const TeamRef ref{CommId::none(), r.to, definitions_[l].process};
  if (!r.segment) {
    location.begun.push_back(ref);
    if (ref.numbered.valid()) r.master ? scan_master(l, r, ref) : static_cast<void>(find_or_add(ref));
    return;
  }
  const SegmentRef s{l, location.first_segment + static_cast<std::uint32_t>(location.segments.size())};
  Segment& part = location.segments.emplace_back();
  part.begin = r.time;
  part.team = ref;
  location.in_segment = s.number;
  ++location.unresolved;
  if (!ref.numbered.valid()) return resolve(s, CallPathId::none());
  find_or_add(ref).segments.push_back(s);
}

// False while it is not known who called the team, or whether it was joined before the part began.
bool Teams::decide_numbered(const SegmentRef& ref) {
  Segment& s = segment(ref);
  const Team& team = *find(s.team);
  if (!team.resolved) return false;
  const LocationState& master = state(team.master);
  if (!team.over && !master.ended && master.scanned < s.begin) return false;
  const CallPathId caller = team.caller;
  const bool late = team.joined && team.join < s.begin;
  if (late) s.team = {};
  resolve(ref, late ? CallPathId::none() : caller);
  return true;
}

// With each one that is resolved the callers of teams that are nested in it may be known.
void Teams::retry_numbered(ProcessId process) {
  for (bool again = process.valid(); again;) {
    again = false;
    for (auto team = numbered_.lower_bound({process, 0}); team != numbered_.end() && team->first.first == process;
         ++team)
      again |= std::erase_if(team->second.segments, [&](const SegmentRef& s) { return decide_numbered(s); }) != 0;
  }
}

void Teams::scan_master(LocationId l, const replay::TeamRecord& r, const TeamRef& ref) {
  LocationState& location = state(l);
  Team& team = find_or_add(ref);
  if (team.scanned) return;  // by another master: the trace contradicts itself
  team.scanned = true;
  team.master = l;
  team.forked = r.forked || r.by_number;
  team.fork = team.forked ? r.from : r.time;
  team.requested = r.count;
  if (r.by_number) {
    team.outermost = r.outermost;
    if (r.outermost) {
      location.outermost = ref;
      team.region = paths_.at(l, CallPaths::no_graft, r.callpath);
    } else if (r.in_segment == 0) {
      nest(ref, location.outermost);
    }
  } else {
    team.outermost = r.forked && r.in_segment == 0 && location.in_segment == 0 && location.forked.size() == 1;
    if (team.outermost && !leaves_threads_out(team, comms_[ref.comm.index()])) team.members.clear();
    if (location.forked.size() > 1 && location.in_segment == 0) nest(ref, location.forked.front());
  }
  if ((r.in_segment & replay::TaskRecord::task_segment) != 0) {
    task_forks_.push_back({l, r.in_segment, location.in_segment, {ref, r.callpath}});
  } else if (location.in_segment != 0) {
    Segment& s = segment({l, location.in_segment});
    if (!s.resolved) {
      s.forks.push_back({ref, r.callpath});
      return;
    }
    nest(ref, s.team);
    resolve(team, paths_.at(l, s.graft, r.callpath));
  } else {
    resolve(team, paths_.at(l, CallPaths::no_graft, r.callpath));
  }
}

// Who takes part in the inner team has a part in the outermost one that it is nested in.
void Teams::nest(const TeamRef& ref, const TeamRef& in) {
  Team* const inner = find(ref);
  const Team* const next = find(in);
  const bool numbered = in.numbered.valid();
  if (inner == nullptr || next == nullptr || numbered != ref.numbered.valid() || inner->outer.known()) return;
  if (!numbered && inner->left == 0) return;
  const TeamRef outermost = next->outer.known() ? next->outer : in;
  Team* const outer = find(outermost);
  if (outer == nullptr || !outer->outermost || outer == inner) return;
  inner->outer = outermost;
  if (!numbered) ++outer->nested;
  for (LocationId l : inner->members) take_part(*outer, outermost, {l});  // that began before it was known
  for (const Part& p : inner->parts) take_part(*outer, outermost, p);
}

void Teams::take_part(Team& outer, const TeamRef& ref, const Part& part) {
  const LocationId l = part.location;
  if (ref.numbered.valid()) {
    if (std::none_of(outer.parts.begin(), outer.parts.end(), [&](const Part& p) { return p.location == l; }))
      outer.parts.push_back({l, part.begin, true});
  } else if (leaves_threads_out(outer, comms_[ref.comm.index()]) &&
             std::find(outer.members.begin(), outer.members.end(), l) == outer.members.end()) {
    outer.members.push_back(l);
  }
}

void Teams::leave_fork(LocationId l, bool joined, Time join, std::uint32_t callpath) {
  LocationState& location = state(l);
  if (location.forked.empty()) return;
  const TeamRef ref = location.forked.back();
  location.forked.pop_back();
  Team* const team = find(ref);
  if (team == nullptr || team->master != l) return;
  team->over = true;
  team->joined = joined;
  team->join = join;
  if (team->outermost && callpath != 0) team->region = paths_.at(l, CallPaths::no_graft, callpath);
  for (const Parallel& p : team->parallels) book(*team, p);
  team->parallels.clear();
  tell_left_out(*team);
  forget_passed(comms_[ref.comm.index()]);
}

// Who has forked is expected to fork again; before that, every member but the worker.
LocationId Teams::may_still_fork(const CommState& comm, LocationId worker) {
  if (comm.forked) return state(comm.master).ended ? LocationId::none() : comm.master;
  const auto m = std::find_if(comm.members.begin(), comm.members.end(),
                              [&](LocationId l) { return l != worker && !state(l).ended; });
  return m == comm.members.end() ? LocationId::none() : *m;
}

// Finds the team that the segment belongs to; false if that cannot be told yet. Where forks or parts of threads are not
// in the trace the times decide, so that it does not matter how far who has been read.
bool Teams::decide(const SegmentRef& ref) {
  Segment& s = segment(ref);
  CommState& comm = comms_[s.team.comm.index()];
  std::uint64_t& next = next_of(s.team.comm, ref.location);
  for (;; ++next) {
    Team* const team = find({s.team.comm, next});
    const bool known = team != nullptr && team->scanned;
    if (!known && may_still_fork(comm, ref.location).valid()) return false;
    if (!known || (team->forked && team->fork > s.begin)) {  // its own fork is missing
      s.team = {};
      resolve(ref, CallPathId::none());
      return true;
    }
    const LocationState& master = state(team->master);
    // Joined before: the thread took no part, or its part is missing.
    const bool may_be_left_out = team->requested != 0 && team->requested < comm.size;
    if (team->joined && (may_be_left_out ? team->join <= s.begin : team->join < s.begin)) {
      pass({s.team.comm, next});
      continue;
    }
    if (!team->over && !master.ended && (may_be_left_out ? master.scanned <= s.begin : master.scanned < s.begin))
      return false;
    s.team.number = next++;
    if (team->resolved)
      resolve(ref, team->caller);
    else
      team->segments.push_back(ref);
    return true;
  }
}

void Teams::retry(CommState& comm) {
  std::erase_if(comm.undecided, [&](const SegmentRef& s) { return decide(s); });
}

void Teams::resolve(const SegmentRef& ref, CallPathId caller) {
  Segment& s = segment(ref);
  s.resolved = true;
  s.graft = paths_.graft(ref.location, caller);
  --state(ref.location).unresolved;
  for (const InnerFork& f : s.forks)
    if (Team* const team = find(f.team)) {
      nest(f.team, s.team);
      resolve(*team, paths_.at(ref.location, s.graft, f.callpath));
    }
  s.forks.clear();
}

// As deep as teams are nested.
void Teams::resolve(Team& team, CallPathId caller) {
  team.resolved = true;
  team.caller = caller;
  if (team.segments.empty() || segment(team.segments.front()).team.numbered.valid()) return;  // see retry_numbered()
  const std::vector<SegmentRef> segments = std::move(team.segments);
  for (const SegmentRef& s : segments) resolve(s, caller);
}

void Teams::give_up(LocationId l) {
  LocationState& location = state(l);
  for (std::uint32_t i = 0; i < location.segments.size(); ++i) {
    const SegmentRef ref{l, location.first_segment + i};
    if (segment(ref).resolved) continue;
    const auto is_ref = [&](const SegmentRef& s) { return s.location == l && s.number == ref.number; };
    const TeamRef decided = segment(ref).team;
    segment(ref).team = {};
    if (decided.numbered.valid()) {
      std::erase_if(find(decided)->segments, is_ref);
    } else if (std::erase_if(comms_[decided.comm.index()].undecided, is_ref) == 0) {
      std::erase_if(find(decided)->segments, is_ref);
      pass(decided);
    }
    resolve(ref, CallPathId::none());
    if (decided.numbered.valid()) retry_numbered(decided.numbered);
    order_tasks(l);
    return;
  }
  // What holds back the tasks is given up rather than their order.
  if (const LocationId other = tasks_.awaited(l); other.valid() && other != l && state(other).unresolved != 0) {
    give_up(other);
    return;
  }
  tasks_.give_up(l);
  order_tasks(l);
}

// Forks in tasks wait until it is known where the tasks are, and tasks in teams until it is known who forked these.
void Teams::order_tasks(LocationId l) {
  for (bool again = true; again;) {
    tasks_.run(l);
    const std::size_t waiting = task_forks_.size();
    std::erase_if(task_forks_, [&](const TaskFork& f) {
      const std::uint32_t g = tasks_.graft(f.location, f.segment);
      Team* const team = find(f.fork.team);
      if (g == CallPaths::no_graft && team != nullptr) return false;
      if (team == nullptr) return true;
      const LocationState& location = state(f.location);
      if (f.in >= location.first_segment && segment({f.location, f.in}).resolved)
        nest(f.fork.team, segment({f.location, f.in}).team);
      resolve(*team, paths_.at(f.location, g, f.fork.callpath));
      return true;
    });
    again = task_forks_.size() != waiting;
  }
}

LocationId Teams::awaited(LocationId l) {
  for (const Segment& s : state(l).segments) {
    if (s.resolved) continue;
    if (s.team.numbered.valid()) {
      if (const Team* const team = find(s.team); team != nullptr && team->resolved)
        return state(team->master).ended ? LocationId::none() : team->master;
      for (std::size_t i = 0; i < locations_.size(); ++i)
        if (definitions_.locations[i].process == s.team.numbered && i != l.index() && !locations_[i].ended)
          return LocationId{i};
      return LocationId::none();
    }
    const CommState& comm = comms_[s.team.comm.index()];
    for (const SegmentRef& u : comm.undecided) {
      if (u.location != l) continue;
      return comm.forked ? comm.master : may_still_fork(comm, l);
    }
    const Team* const team = find(s.team);
    return team == nullptr ? LocationId::none() : team->master;
  }
  return tasks_.awaited(l);
}

}  // namespace waitstate::link

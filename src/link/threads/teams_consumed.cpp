// Teams, processed: what their threads did, and had to do with each other: segments, barriers, idle threads, ends.
#include "link/threads/teams.hpp"

#include <algorithm>

namespace waitstate::link {

void Teams::process(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  LocationState& location = state(l);
  call_ids_.assign(chunk.sync_calls.size(), none);
  task_times_ = chunk.task_times;
  std::stable_sort(task_times_.begin(), task_times_.end(),
                   [](const replay::TaskTime& a, const replay::TaskTime& b) { return a.call < b.call; });
  std::size_t profiles = 0, counters = 0;
  for (const replay::TeamRecord& r : chunk.team_records) {
    switch (r.kind) {
      case replay::TeamRecord::Kind::begin: {
        TeamRef ref;
        if (r.segment) {
          ref = segment({l, ++location.processed_segment}).team;
          if (keep_links_) location.grafts.push_back(graft(l, location.processed_segment));
        } else {
          ref = location.begun.front();
          location.begun.pop_front();
        }
        if (r.forked) location.open_at_fork.push_back(location.open.size());
        location.open.push_back({ref, 0});
        if (Team* const team = find(ref)) {
          ++team->took_part;
          if (ref.numbered.valid())
            team->parts.push_back({l, r.time}), ++team->open;
          else if (!team->resolved || leaves_threads_out(*team, comms_[ref.comm.index()]))
            team->members.push_back(l);
          if (Team* const outer = find(team->outer)) take_part(*outer, team->outer, {l, r.time});
        }
        break;
      }
      case replay::TeamRecord::Kind::end:
        if (r.segment) {
          add_counters(l, std::span(chunk.segment_counters).subspan(counters, r.counters));
          counters += r.counters;
          end_segment(l, r, std::span(chunk.segment_profiles).subspan(profiles, r.count));
          profiles += r.count;
          location.open_at_fork.clear();
          end_open_teams(location, 0);
        } else if (!location.open.empty()) {
          end_open_teams(location, location.open.size() - 1);
        }
        break;
      case replay::TeamRecord::Kind::join:
        if (r.by_number || location.open_at_fork.empty()) break;
        end_open_teams(location, location.open_at_fork.back());
        location.open_at_fork.pop_back();
        break;
      case replay::TeamRecord::Kind::barrier:
        if (listener_ != nullptr) come_to_barrier(location, sync_call(l, chunk, r.call), task_times(r.call));
        break;
      case replay::TeamRecord::Kind::taskwait:
        if (tasks_.watches_idle() && !location.open.empty())
          tasks_.idle(location.open.back().team.comm, sync_call(l, chunk, r.call), task_times(r.call));
        break;
      case replay::TeamRecord::Kind::serial:
        if (listener_ != nullptr)
          listener_->unused_threads({l, r.from, r.to, paths_.at(l, CallPaths::no_graft, r.callpath)});
        break;
      case replay::TeamRecord::Kind::acquire:
      case replay::TeamRecord::Kind::release:
        if (listener_ != nullptr) locks_.add(l, r, sync_call(l, chunk, r.call));
        break;
    }
  }
  tasks_.process(chunk);
  for (std::uint32_t call : call_ids_)
    if (call != none) calls_.drop(call);
  // The last segment may go on in the next chunk, which may have been scanned already.
  while (location.first_segment < location.processed_segment) {
    location.segments.pop_front();
    ++location.first_segment;
  }
  location.processed_until = chunk.last_time;
  if (chunk.last) end_location(l);
  for (CommId comm : location.comms)
    if (!comms_[comm.index()].full.empty()) settle_full(comms_[comm.index()]);
  locks_.processed(l, chunk.last_time, chunk.last);
  if (!numbered_.empty()) close_numbered(definitions_[l].process);
}

bool Teams::find_graft(LocationId l, std::uint32_t number, std::uint32_t& graft) {
  const Segment& s = segment({l, number});
  graft = s.graft;
  return s.resolved;
}

// When tasks were executed in the call.
std::vector<TimeSpan> Teams::task_times(std::uint32_t call) const {
  std::vector<TimeSpan> times;
  auto t = std::partition_point(task_times_.begin(), task_times_.end(),
                                [&](const replay::TaskTime& x) { return x.call < call; });
  for (; t != task_times_.end() && t->call == call; ++t) {
    if (!times.empty() && times.back().end == t->begin)
      times.back().end = t->end;
    else
      times.push_back({t->begin, t->end});
  }
  return times;
}

std::uint32_t Teams::sync_call(LocationId l, const replay::Chunk& chunk, std::uint32_t index) {
  std::uint32_t& id = call_ids_[index];
  if (id != none) return id;
  const replay::CallRecord& r = chunk.sync_calls[index];
  LocationState& location = state(l);
  const std::uint32_t g = graft(l, r.segment);
  const Call call{l,
                  paths_.at(l, g, r.callpath),
                  r.region,
                  r.function,
                  r.enter,
                  r.exit,
                  {paths_.at(l, g, r.before), r.before_begin, r.before_end},
                  location.last_call};
  location.last_call = {call.callpath, call.enter, call.exit};
  id = calls_.add(0);
  calls_[id].call = call;
  return id;
}

void Teams::add_counters(LocationId l, std::span<const replay::PathCounter> counters) {
  if (listener_ == nullptr || counters.empty()) return;
  const Segment& s = segment({l, state(l).processed_segment});
  for (const replay::PathCounter& c : counters)
    if (const CallPathId path = paths_.at(l, s.graft, c.callpath); path.valid()) listener_->counter(path, c);
}

void Teams::end_segment(LocationId l, const replay::TeamRecord& r, std::span<const replay::PathProfile> profiles) {
  const Segment& s = segment({l, state(l).processed_segment});
  if (listener_ == nullptr) return;
  for (const replay::PathProfile& p : profiles)
    if (const CallPathId path = paths_.at(l, s.graft, p.callpath); path.valid()) listener_->profile(l, path, p.profile);
  Team* const team = find(s.team);
  if (team == nullptr || !team->forked || r.callpath == 0) return;
  const Parallel parallel{l, paths_.at(l, s.graft, r.callpath), r.from, r.to};
  if (team->over)
    book(*team, parallel);
  else
    team->parallels.push_back(parallel);
}

// Without a join: nothing is known of the time after the exit.
void Teams::book(const Team& team, const Parallel& p) {
  listener_->parallel_region({p.location, p.callpath, team.fork, p.enter, p.exit, team.joined ? team.join : p.exit});
}

void Teams::end_open_teams(LocationState& location, std::size_t down_to) {
  while (location.open.size() > down_to) {
    const TeamRef ref = location.open.back().team;
    location.open.pop_back();
    if (Team* const team = ref.numbered.valid() ? find(ref) : nullptr; team != nullptr && team->open != 0) --team->open;
    pass(ref);
  }
}

// A member has left the team, or will not take part in it. With the last one gone, the barriers that are left are those
// that only some members can have come to: the others took no part.
void Teams::pass(const TeamRef& ref) {
  Team* const team = find(ref);
  if (team == nullptr || team->left == 0 || --team->left != 0) return;
  tell_left_out(*team);
  const std::size_t expected = takes_part(*team, comms_[ref.comm.index()]);
  for (Barrier& b : team->barriers)
    if (!b.delivered && (b.calls.size() == team->took_part || b.calls.size() >= expected)) deliver(b, expected);
  for (Barrier& b : team->barriers)
    for (const Arrival& a : b.calls) calls_.drop(a.call);
  team->barriers.clear();
  const TeamRef in = team->outer;
  forget_passed(comms_[ref.comm.index()]);
  Team* const outer = find(in);
  if (outer == nullptr || --outer->nested != 0) return;
  tell_left_out(*outer);
  forget_passed(comms_[in.comm.index()]);
}

bool Teams::leaves_threads_out(const Team& team, const CommState& comm) const {
  if (!team.outermost || listener_ == nullptr) return false;
  return takes_part(team, comm) < comm.threads;
}

// How many threads, as far as is known.
std::size_t Teams::takes_part(const Team& team, const CommState& comm) {
  return team.requested == 0 ? comm.size : std::min(comm.size, team.requested);
}

// Once it is known both who took part and when the team was joined.
void Teams::tell_left_out(Team& team) {
  if (team.members.empty() || team.left != 0 || team.nested != 0 || !team.joined || !team.region.valid()) return;
  listener_->unused_threads({team.master, team.fork, team.join, team.region, true, team.members});
  team.members.clear();
}

void Teams::join_numbered(LocationId l, const replay::TeamRecord& r) {
  Team* const team = find({CommId::none(), r.to, definitions_[l].process});
  if (team == nullptr || team->master != l || team->over) return;
  team->over = team->joined = true;
  team->join = r.time;
  for (const Parallel& p : team->parallels) book(*team, p);
  team->parallels.clear();
}

// Teams of the process that nobody takes part in any more, or can, as all threads have been read beyond their ends.
void Teams::close_numbered(ProcessId process) {
  auto team = numbered_.lower_bound({process, 0});
  if (!process.valid() || team == numbered_.end() || team->first.first != process) return;
  Time until = ~Time{0};
  for (std::size_t i = 0; i < locations_.size(); ++i)
    if (definitions_.locations[i].process == process && definitions_.locations[i].type == LocationType::cpu_thread &&
        !locations_[i].gone)
      until = std::min(until, locations_[i].processed_until);
  while (team != numbered_.end() && team->first.first == process) {
    Team& t = team->second;
    if (until != ~Time{0} && !(t.over && t.join < until && t.segments.empty() && t.open == 0)) {
      ++team;
      continue;
    }
    close_numbered(t, process);
    team = numbered_.erase(team);
  }
}

// In a damaged trace parts may begin after the join; they do not count, however far who has been read.
void Teams::close_numbered(Team& team, ProcessId process) {
  for (const Parallel& p : team.parallels) book(team, p);
  std::erase_if(team.parts, [&](const Part& p) { return team.joined && p.begin > team.join; });
  const auto expected = static_cast<std::size_t>(
      std::count_if(team.parts.begin(), team.parts.end(), [](const Part& p) { return !p.nested; }));
  for (Barrier& b : team.barriers) {
    std::erase_if(b.calls, [&](const Arrival& a) {
      const bool late = team.joined && calls_[a.call].call.enter > team.join;
      if (late) calls_.drop(a.call);
      return late;
    });
    if (b.calls.size() == expected) deliver(b, expected);
    for (const Arrival& a : b.calls) calls_.drop(a.call);
  }
  if (!team.outermost || !team.joined || !team.region.valid() || listener_ == nullptr) return;
  std::vector<LocationId> members;
  for (const Part& p : team.parts) members.push_back(p.location);
  std::sort(members.begin(), members.end());
  members.erase(std::unique(members.begin(), members.end()), members.end());
  if (members.size() < definitions_.cpu_threads(process))
    listener_->unused_threads({team.master, team.fork, team.join, team.region, true, members});
}

void Teams::forget_passed(CommState& comm) {
  while (!comm.teams.empty() && comm.teams.front().left == 0 && comm.teams.front().nested == 0 &&
         (comm.teams.front().over || !comm.teams.front().forked)) {
    comm.teams.pop_front();
    ++comm.first;
  }
}

void Teams::come_to_barrier(LocationState& location, std::uint32_t call, std::vector<TimeSpan> tasks) {
  if (location.open.empty()) return;
  OpenTeam& open = location.open.back();
  if (tasks_.watches_idle()) tasks_.idle(open.team.comm, call, tasks);
  const std::uint64_t number = open.barriers++;
  Team* const team = find(open.team);
  if (team == nullptr || number < team->first_barrier) return;
  while (team->first_barrier + team->barriers.size() <= number) team->barriers.emplace_back();
  Barrier& b = team->barriers[number - team->first_barrier];
  if (b.delivered) return;  // more threads came than had been asked for
  b.calls.push_back({call, std::move(tasks)});
  calls_.hold(call);
  if (open.team.numbered.valid()) return;  // complete when the team is over
  CommState& comm = comms_[open.team.comm.index()];
  if (b.calls.size() < takes_part(*team, comm)) return;
  if (b.calls.size() < comm.size) {
    if (std::find(comm.full.begin(), comm.full.end(), open.team.number) == comm.full.end())
      comm.full.push_back(open.team.number);
    return;
  }
  deliver(b, takes_part(*team, comm));
  forget_delivered(*team);
}

void Teams::forget_delivered(Team& team) {
  while (!team.barriers.empty() && team.barriers.front().delivered) {
    team.barriers.pop_front();
    ++team.first_barrier;
  }
}

// Barriers that as many threads have come to as were asked for, of a communicator that has more. In a damaged trace
// more may come: it is the first ones, by time, that count, whoever has been read first. So the others must have been
// read that far.
void Teams::settle_full(CommState& comm) {
  std::erase_if(comm.full, [&](std::uint64_t number) {
    if (number < comm.first || number - comm.first >= comm.teams.size()) return true;
    Team& team = comm.teams[number - comm.first];
    const std::size_t expected = takes_part(team, comm);
    bool waits = false;
    for (Barrier& b : team.barriers) {
      if (b.delivered || b.calls.size() < expected) continue;
      sort_arrivals(b);
      const Time complete = calls_[b.calls[expected - 1].call].call.enter;
      const bool all_read = std::all_of(comm.members.begin(), comm.members.end(), [&](LocationId l) {
        return state(l).gone || state(l).processed_until > complete;
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
void Teams::sort_arrivals(Barrier& b) const {
  std::sort(b.calls.begin(), b.calls.end(), [&](const Arrival& x, const Arrival& y) {
    const Call &a = calls_[x.call].call, &c = calls_[y.call].call;
    return std::pair{a.enter, a.location} < std::pair{c.enter, c.location};
  });
}

// Of the threads that came first, `expected` at most.
void Teams::deliver(Barrier& b, std::size_t expected) {
  b.delivered = true;
  views_.clear();
  task_views_.clear();
  if (b.calls.size() > expected) {
    sort_arrivals(b);
    for (std::size_t i = expected; i < b.calls.size(); ++i) calls_.drop(b.calls[i].call);
    b.calls.resize(expected);
  }
  std::sort(b.calls.begin(), b.calls.end(), [&](const Arrival& x, const Arrival& y) {
    return calls_[x.call].call.location < calls_[y.call].call.location;
  });
  for (const Arrival& a : b.calls) views_.push_back(&calls_[a.call].call);
  if (std::any_of(b.calls.begin(), b.calls.end(), [](const Arrival& a) { return !a.tasks.empty(); }))
    for (const Arrival& a : b.calls) task_views_.push_back(a.tasks);
  const auto region_class = [&](const Call* c) { return definitions_[c->region].region_class; };
  const bool mixed = std::any_of(views_.begin(), views_.end(),
                                 [&](const Call* c) { return region_class(c) != region_class(views_.front()); });
  if (!mixed && views_.size() > 1) listener_->team_barrier({region_class(views_.front()), views_, task_views_});
  for (const Arrival& a : b.calls) calls_.drop(a.call);
  b.calls.clear();
}

// The location takes part in no further team.
void Teams::end_location(LocationId l) {
  LocationState& location = state(l);
  end_open_teams(location, 0);
  location.gone = true;
  for (CommId comm : location.comms) {
    CommState& c = comms_[comm.index()];
    ++c.gone;
    const std::uint64_t next = next_of(comm, l), end = c.first + c.teams.size();
    for (std::uint64_t n = std::max(next, c.first); n < end; ++n) pass({comm, n});
  }
}

std::uint32_t Teams::take_graft(LocationId l) {
  auto& grafts = state(l).grafts;
  const std::uint32_t graft = grafts.front();
  grafts.pop_front();
  return graft;
}

}  // namespace waitstate::link

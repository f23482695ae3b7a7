#include "link/threads/threads.hpp"

#include <algorithm>

namespace waitstate::link {

namespace {
CommId comm_of(const TeamRef& team) {
  const auto* const t = std::get_if<CommTeam>(&team);
  return t == nullptr ? CommId::none() : t->comm;
}
}  // namespace

Threads::Threads(const Definitions& definitions, const Processes& processes, CallPaths& paths, Calls& calls,
                 Diagnostics& diagnostics, Listener* listener, bool links)
    : paths_(paths),
      calls_(calls),
      listener_(listener),
      attachments_(paths, definitions.locations.size(), links),
      table_(definitions),
      unused_(definitions, table_, listener),
      barriers_(definitions, table_, calls, listener),
      parts_(table_, barriers_, unused_, listener),
      parallel_ids_(definitions, table_, attachments_, parts_, barriers_, unused_),
      teams_(table_, attachments_, parallel_ids_, parts_, unused_),
      idle_(definitions, processes, calls, listener),
      tasks_(processes, paths, attachments_, idle_, diagnostics, listener),
      locks_(definitions, processes, calls, listener),
      last_calls_(definitions.locations.size()) {}

// --- scanned ---------------------------------------------------------------------------------------------------------

void Threads::scan(const replay::Chunk& chunk) {
  teams_.scan(chunk);
  tasks_.scan(chunk);
  resolve(chunk.location);
}

// Forks in tasks wait until it is known where the tasks are, and tasks in teams until it is known who forked these.
// Segments of teams whose fork is known are attached at once; those of teams that are known by OMPT parallel ids
// wait for their master too, and are looked at here.
void Threads::resolve(LocationId l) {
  do {
    while (parallel_ids_.attach(l)) teams_.tell_forks();
    tasks_.order(l);
  } while (teams_.tell_forks());
}

void Threads::give_up(LocationId l) {
  if (const SegmentRef s = attachments_.first_unattached(l); s.number != 0) {
    teams_.give_up(s);
    return resolve(l);
  }
  // The forks that hold back the tasks are given up, rather than the order of the tasks.
  const LocationId other = tasks_.awaited(l);
  if (other.valid() && other != l && !attachments_.all_attached(other)) return give_up(other);
  tasks_.order(l, true);
  resolve(l);
}

LocationId Threads::awaited(LocationId l) {
  const SegmentRef s = attachments_.first_unattached(l);
  return s.number != 0 ? teams_.awaited(s) : tasks_.awaited(l);
}

// --- processed -------------------------------------------------------------------------------------------------------

void Threads::process(const replay::Chunk& chunk) {
  const LocationId l = chunk.location;
  prepare_sync_calls(chunk);
  std::span profiles(chunk.segment_profiles);
  std::span counters(chunk.segment_counters);
  for (const replay::TeamRecord& r : chunk.team_records) {
    switch (r.kind) {
      case replay::TeamRecord::Kind::begin:
        begin_part(l, r);
        break;
      case replay::TeamRecord::Kind::end:
        if (r.segment) {
          end_segment(l, r, profiles.first(r.count), counters.first(r.counters));
          profiles = profiles.subspan(r.count);
          counters = counters.subspan(r.counters);
        } else {
          parts_.end(l);
        }
        break;
      case replay::TeamRecord::Kind::join:
        if (!r.by_number) parts_.join(l);
        break;
      case replay::TeamRecord::Kind::barrier:
        if (listener_ != nullptr) come_to_barrier(l, sync_call(chunk, r.call), task_times(r.call));
        break;
      case replay::TeamRecord::Kind::taskwait:
        if (TeamParts::TeamMembership* const part = idle_.wanted() ? parts_.innermost(l) : nullptr; part != nullptr)
          idle_.add(comm_of(part->team), sync_call(chunk, r.call), task_times(r.call));
        break;
      case replay::TeamRecord::Kind::serial:
        if (listener_ != nullptr)
          listener_->unused_threads({l, r.from, r.to, paths_.at(l, CallPaths::not_attached, r.callpath)});
        break;
      case replay::TeamRecord::Kind::acquire:
      case replay::TeamRecord::Kind::release:
        if (listener_ != nullptr) locks_.add(l, r, sync_call(chunk, r.call));
        break;
    }
  }
  tasks_.process(chunk);
  for (std::uint32_t call : call_ids_)
    if (call != none) calls_.release(call);
  attachments_.forget_processed(l);
  table_.thread(l).processed = chunk.last_time;
  if (chunk.last) parts_.end_location(l);
  barriers_.settle(l);
  locks_.processed(l, chunk.last_time, chunk.last);
  parallel_ids_.close(l);
}

void Threads::begin_part(LocationId l, const replay::TeamRecord& r) {
  parts_.begin(l, r.segment ? attachments_.process_next(l).team : teams_.take_begun(l), r.time, r.forked);
}

void Threads::end_segment(LocationId l, const replay::TeamRecord& r, std::span<const replay::PathProfile> profiles,
                          std::span<const replay::PathCounter> counters) {
  const SegmentRef s = attachments_.current(l);
  if (listener_ != nullptr) {
    for (const replay::PathCounter& c : counters)
      if (const CallPathId path = attachments_.call_path(s, c.callpath); path.valid()) listener_->counter(path, c);
    for (const replay::PathProfile& p : profiles)
      if (const CallPathId path = attachments_.call_path(s, p.callpath); path.valid())
        listener_->profile(l, path, p.profile);
    Team* const team = table_.find(attachments_[s].team);
    if (team != nullptr && team->forked && r.callpath != 0)
      parts_.add_region(*team, {l, attachments_.call_path(s, r.callpath), r.from, r.to});
  }
  parts_.end_segment(l);
}

void Threads::come_to_barrier(LocationId l, std::uint32_t call, std::vector<TimeSpan> tasks) {
  TeamParts::TeamMembership* const part = parts_.innermost(l);
  if (part == nullptr) return;
  if (idle_.wanted()) idle_.add(comm_of(part->team), call, tasks);
  barriers_.arrive(part->team, part->barriers++, call, std::move(tasks));
}

// --- calls in which threads wait for others, or acquire locks --------------------------------------------------------

void Threads::prepare_sync_calls(const replay::Chunk& chunk) {
  call_ids_.assign(chunk.sync_calls.size(), none);
  task_times_ = chunk.task_times;
  std::stable_sort(task_times_.begin(), task_times_.end(),
                   [](const replay::TaskTime& a, const replay::TaskTime& b) { return a.call < b.call; });
}

std::uint32_t Threads::sync_call(const replay::Chunk& chunk, std::uint32_t index) {
  std::uint32_t& id = call_ids_[index];
  if (id != none) return id;
  const LocationId l = chunk.location;
  const replay::CallRecord& r = chunk.sync_calls[index];
  const std::uint32_t a = attachments_.of(l, r.segment);
  Interval& last = last_calls_[l.index()];
  const Call call{l,        paths_.at(l, a, r.callpath),
                  r.region, r.function,
                  r.number, r.enter,
                  r.exit,   {paths_.at(l, a, r.before), r.before_begin, r.before_end},
                  last,     {}};
  last = {call.callpath, call.enter, call.exit};
  id = calls_.add(0);
  calls_[id].call = call;
  return id;
}

// When tasks were executed in the call.
std::vector<TimeSpan> Threads::task_times(std::uint32_t call) const {
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

}  // namespace waitstate::link

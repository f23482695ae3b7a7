#include "replay/threads/team_replay.hpp"

namespace waitstate::replay {

TeamReplay::TeamReplay(CallStack& stack, OpenCalls& calls, CounterReplay& counters)
    : stack_(stack), calls_(calls), counters_(counters) {}

TeamRecord& TeamReplay::add_record(TeamRecord::Kind kind) { return stack_.context.chunk->add_team_record(kind, now()); }

// --- outside of parallel regions -------------------------------------------------------------------------------------

void TeamReplay::begin_inside() {
  record_time_outside();
  has_forked_ = true;
}

void TeamReplay::record_time_outside() {
  const PathInterval outside = calls_.end_outside_parallel_regions();
  if (outside.length() == 0) return;
  TeamRecord& r = add_record(TeamRecord::Kind::serial);
  r.from = outside.begin;
  r.to = outside.end;
  r.callpath = outside.callpath != 0 ? outside.callpath : stack_.activity.current;
}

void TeamReplay::finish() {
  if (stack_.activity.in_segment()) end_segment();
  if (has_forked_ && stack_.activity.forks.empty()) record_time_outside();
}

// --- forks -----------------------------------------------------------------------------------------------------------

void TeamReplay::fork(std::uint32_t requested_threads) {
  Activity& a = stack_.activity;
  if (a.forks.empty() && !a.in_segment()) begin_inside();
  Fork f{a.stack.size(), a.current};
  f.requested = requested_threads;
  f.time = f.since = now();
  f.teams = a.teams.size();
  a.forks.push_back(f);
  a.account = 0;  // until it is known which region this belongs to
  stack_.update_in_threads();
}

void TeamReplay::join() {
  Activity& a = stack_.activity;
  if (a.forks.empty()) return;
  Fork& f = a.forks.back();
  if (f.outside && f.depth == a.stack.size()) {
    if (f.parallel == 0) f.parallel = f.callpath;  // no region at all between fork and join
    charge_gap(f, f.recorded ? &Profile::join : &Profile::time);
  }
  if (f.begun) add_record(TeamRecord::Kind::join).callpath = f.recorded ? f.parallel : 0;
  if (a.teams.size() > f.teams) a.teams.resize(f.teams);
  a.forks.pop_back();
  a.account = a.current;
  if (a.forks.empty() && !a.in_segment()) end_inside();
  stack_.update_in_threads();
}

// The master has come back to its parallel region, or to its caller: the time since it left has an owner.
void TeamReplay::charge_gap(const Fork& f, Ticks Profile::*share) {
  if (const Ticks t = stack_.profiles.in_window(f.since, now()); t > 0) {
    Ticks& sum = stack_.profiles.counted(f.parallel).*share;
    sum = add_ticks(sum, static_cast<std::uint64_t>(t));
  }
}

bool TeamReplay::is_parallel(std::uint64_t frame) const {
  const RegionId region{static_cast<std::uint32_t>(frame)};
  return frame >> 32 == 0 && region.valid() && stack_.context.definitions[region].role == RegionRole::parallel;
}

void TeamReplay::enter_region(std::uint64_t frame, std::uint32_t callpath) {
  Activity& a = stack_.activity;
  Segment& segment = a.segment;
  if (segment.is_open()) {
    stack_.profiles.touch(a, callpath);
    if (segment.is_task()) {
      if (segment.parallel == 0) segment.parallel = callpath;
    } else if (a.stack.empty()) {
      if (!segment.entered) {
        segment.entered = true;
        segment.enter = now();
        if (is_parallel(frame)) segment.parallel = callpath;
      } else if (segment.parallel != 0) {
        Ticks& join = stack_.profiles.counted(segment.parallel).join;
        join = add_ticks(join, static_cast<std::uint64_t>(stack_.profiles.in_window(segment.exit, now())));
      }
    }
  }
  if (a.forks.empty()) return;
  Fork& f = a.forks.back();
  if (!f.outside || f.depth != a.stack.size()) return;
  f.outside = false;
  if (f.parallel != 0) {
    charge_gap(f, &Profile::join);
    return;
  }
  // The first region that is entered after a fork: the parallel region, unless the recorder left that out.
  f.recorded = is_parallel(frame);
  f.parallel = f.recorded ? callpath : f.callpath;
  charge_gap(f, f.recorded ? &Profile::fork : &Profile::time);
}

void TeamReplay::leave_region_in_segment() {
  Activity& a = stack_.activity;
  if (a.in_segment() && a.stack.empty()) a.segment.exit = now();
}

void TeamReplay::leave_region_in_fork() {
  Activity& a = stack_.activity;
  if (a.forks.empty()) return;
  Fork& f = a.forks.back();
  if (f.outside && f.depth > a.stack.size()) {  // the caller is left without a join
    f.outside = false;
    if (f.parallel == 0) f.parallel = f.callpath;
    charge_gap(f, f.recorded ? &Profile::join : &Profile::time);
    return;
  }
  if (!f.recorded || f.depth != a.stack.size()) return;
  f.outside = true;
  f.since = now();
  a.account = 0;
}

// --- parts and segments ----------------------------------------------------------------------------------------------

// The master is the thread that has forked. A recorder may write no forks: then it is the first member, if that is in
// some region. Any other member that is in no region begins a segment.
void TeamReplay::begin_part(CommId team) {
  const Activity& a = stack_.activity;
  const bool forked = !a.forks.empty() && !a.forks.back().begun;
  const bool segment = a.forks.empty() && a.stack.empty() && !a.in_task();
  if (segment) begin_segment();
  TeamRecord& r = add_record(TeamRecord::Kind::begin);
  r.team = team;
  r.segment = segment;
  if (forked) {
    Fork& f = stack_.activity.forks.back();
    f.begun = true;
    r.master = r.forked = true;
    r.callpath = f.callpath;
    r.in_segment = a.segment.number;
    r.count = f.requested;
    r.from = f.time;
  } else if (a.forks.empty() && !segment && !a.in_segment() && team.valid()) {
    const auto& members = stack_.context.definitions[team].members;
    r.master = !members.empty() && members.front() == stack_.context.location;
    r.callpath = a.current;
  }
  stack_.activity.teams.push_back(segment);
}

void TeamReplay::end_part() {
  Activity& a = stack_.activity;
  if (a.teams.empty()) return;
  const bool segment = a.teams.back();
  if (segment && !a.stack.empty()) return;  // a region was not left: the segment lasts until it is
  if (segment) {
    end_segment();
    return;
  }
  a.teams.pop_back();
  add_record(TeamRecord::Kind::end);
}

void TeamReplay::begin_segment() {
  Activity& a = stack_.activity;
  if (a.in_segment()) end_segment();
  a.segment = Segment{};
  a.segment.number = ++segments_;
  stack_.set_base(stack_.make_team_root());
  calls_.forget_mpi_call();
  a.longest.forget();  // the interval before a call is looked for in its own segment only
  a.longest_before_waits.forget();
  Chunk& chunk = *stack_.context.chunk;
  if (stack_.context.options.keep_events)
    chunk.segment_events.push_back(static_cast<std::uint32_t>(chunk.events.size()));
  stack_.update_in_threads();
}

// Outside of every region. What was counted in the segment goes with the chunk, whose caller will be known.
void TeamReplay::end_segment() {
  Activity& a = stack_.activity;
  Chunk& chunk = *stack_.context.chunk;
  TeamRecord& r = add_record(TeamRecord::Kind::end);
  r.segment = true;
  r.callpath = a.segment.parallel;
  r.from = a.segment.enter;
  r.to = a.segment.exit;
  r.count = stack_.profiles.take_touched(a, chunk.segment_profiles);
  r.counters = counters_.take_segment(chunk.segment_counters);
  a.teams.clear();
  a.forks.clear();  // forks of teams that were never joined
  a.forks_by_id.clear();
  a.parts_by_id.clear();
  a.segment = Segment{};
  stack_.set_base(0);
  a.longest.forget();
  a.longest_before_waits.forget();
  stack_.update_in_threads();
}

}  // namespace waitstate::replay

// LocationReplay: what concerns thread teams. Forks and joins on the master, segments on the workers, and the records
// that other threads of the team are matched with: barriers, acquired and released locks.
//
// A parallel region's time runs from fork to join. On the master both are at hand: what it spends around the region is
// kept in the region's profile apart from its own time. A worker knows neither its fork nor its caller; it says when it
// entered and left the region, and the linker books the rest.
#include "replay/location_replay.hpp"

#include <algorithm>

namespace waitstate::replay {

AttributeId team_number_attribute(const Definitions& definitions) {
  for (std::size_t i = 0; i < definitions.attributes.size(); ++i)
    if (definitions.attributes[i].name == "OMPT_PARALLEL_REGION_ID") return AttributeId{i};
  return AttributeId::none();
}

// The part of [from, to) in the chosen time.
Ticks LocationReplay::in_window(Time from, Time to) const {
  from = std::max(from, options_.from), to = std::min(to, options_.to);
  return to > from ? static_cast<Ticks>(to - from) : 0;
}

// The profile that counts for the report, whatever time it is.
Profile& LocationReplay::booked(std::uint32_t callpath) {
  if (!past_window_) return profiles_[callpath];
  if (window_profiles_.size() <= callpath) window_profiles_.resize(callpath + 1);
  return window_profiles_[callpath];
}

// The master has come back to its parallel region, or to its caller: the time since it left has an owner.
void LocationReplay::settle(const Fork& f, Ticks Profile::*share) {
  if (const Ticks t = in_window(f.since, last_time_); t > 0) {
    Ticks& sum = booked(f.parallel).*share;
    sum = add_ticks(sum, static_cast<std::uint64_t>(t));
  }
}

// A call of MPI is what a thread did before a barrier as well.
void LocationReplay::note_library_call(const Frame& frame) {
  if (last_time_ - frame.enter > library_.end - library_.begin) library_ = {frame.callpath, frame.enter, last_time_};
}

// --- teams that are known by numbers
// -----------------------------------------------------------------------------------

// A recorder that writes what an OMPT tool is told and no team records: the master enters the parallel region, and
// every thread of its team its implicit task, with the number of the region in an attribute. These enters are forks and
// begins of teams.
void LocationReplay::find_team_number() {
  for (const ListedAttribute& a : list_)
    if (a.attribute == team_attribute_) {
      numbered_ = true;
      team_number_ = a.value.bits;
      numbered_after_ = count(EventType::exit);
    }
  if (!options_.keep_attribute_lists) list_.clear();
}

void LocationReplay::enter_numbered(RegionId region) {
  numbered_ = false;
  if (!region.valid() || in_task() || numbered_after_ != count(EventType::exit)) return;  // the exit had the number
  if (definitions_[region].name.find("implicit") == std::string::npos) {
    if (numbered_forks_.empty() && forks_.empty() && segment_.number == 0) {
      end_serial();
      has_forked_ = true;
    }
    numbered_forks_.push_back(
        {team_number_, stack_.size(), last_time_, count(EventType::enter) + count(EventType::exit)});
    update_in_teams();
    return;
  }
  const bool master = !numbered_forks_.empty() && numbered_forks_.back().number == team_number_;
  const bool segment = !master && stack_.empty();
  if (segment) begin_segment();
  numbered_parts_.push_back({team_number_, stack_.size()});
  update_in_teams();
  TeamRecord& r = add_team_record(TeamRecord::Kind::begin);
  r.by_number = true;
  r.to = team_number_;
  r.segment = segment;
  r.master = master;
  if (master) {
    Numbered& fork = numbered_forks_.back();
    r.callpath = current_, r.in_segment = segment_.number;
    r.from = fork.since;
    r.outermost = segment_.number == 0 && numbered_forks_.size() == 1 && forks_.empty();
    fork.begun = true;
    if (fork.callpath == 0 && stack_.size() == fork.depth + 1) {
      fork.callpath = current_;
      move_time(fork, &Profile::fork);
    }
  }
  teams_.push_back(segment);
}

// The time in the parallel region before and after its implicit task, with nothing between, was for fork or join.
void LocationReplay::move_time(const Numbered& fork, Ticks Profile::*share) {
  if (count(EventType::enter) + count(EventType::exit) != fork.events + 1) return;
  const Ticks t = in_window(fork.since, last_time_);
  Profile& profile = booked(fork.callpath);
  if (t <= 0 || profile.time < t) return;
  profile.time -= t;
  profile.*share = add_ticks(profile.*share, static_cast<std::uint64_t>(t));
}

// The stack is as deep as before the region.
void LocationReplay::leave_numbered() {
  while (!numbered_parts_.empty() && stack_.size() <= numbered_parts_.back().depth) {
    if (!numbered_forks_.empty() && numbered_forks_.back().number == numbered_parts_.back().number) {
      numbered_forks_.back().since = last_time_;
      numbered_forks_.back().events = count(EventType::enter) + count(EventType::exit);
    }
    numbered_parts_.pop_back();
    if (teams_.empty()) continue;
    if (teams_.back()) {
      end_segment();
    } else {
      teams_.pop_back();
      add_team_record(TeamRecord::Kind::end);
    }
  }
  while (!numbered_forks_.empty() && stack_.size() <= numbered_forks_.back().depth) {
    if (numbered_forks_.back().callpath != 0) move_time(numbered_forks_.back(), &Profile::join);
    if (numbered_forks_.back().begun) {
      TeamRecord& r = add_team_record(TeamRecord::Kind::join);
      r.by_number = true;
      r.to = numbered_forks_.back().number;
    }
    numbered_forks_.pop_back();
    if (numbered_forks_.empty() && forks_.empty() && segment_.number == 0) begin_serial();
  }
  update_in_teams();
}

// --- outside of parallel regions -------------------------------------------------------------------------------------

// What the longest interval of it is, is told from what calls and parallel regions look for in any case.
void LocationReplay::begin_serial() {
  if (longest_ > folded_) {
    folded_ = longest_;
    folded_before_ = {longest_path_, longest_end_ - longest_, longest_end_};
  }
  longest_ = 0;
  serial_begin_ = last_time_;
  serial_interval_ = 0;
  serial_path_ = 0;
}

void LocationReplay::note_serial(std::uint32_t callpath, Time begin, Time end) {
  if (serial_interval_ == ~Time{0} || end - begin <= serial_interval_ || begin < serial_begin_) return;
  serial_interval_ = end - begin;
  serial_path_ = callpath;
}

void LocationReplay::end_serial() {
  if (!has_forked_) serial_begin_ = first_time_;
  if (longest_ > serial_interval_) note_serial(longest_path_, longest_end_ - longest_, longest_end_);
  if (last_time_ > serial_begin_) {
    TeamRecord& r = add_team_record(TeamRecord::Kind::serial);
    r.from = serial_begin_;
    r.to = last_time_;
    r.callpath = serial_path_ != 0 ? serial_path_ : current_;
  }
  serial_interval_ = ~Time{0};
}

// --- forks -----------------------------------------------------------------------------------------------------------

void LocationReplay::fork(std::uint32_t requested) {
  if (forks_.empty() && segment_.number == 0) {
    end_serial();
    has_forked_ = true;
  }
  Fork f{stack_.size(), current_};
  f.requested = requested;
  f.time = f.since = last_time_;
  f.teams = teams_.size();
  forks_.push_back(f);
  account_ = 0;  // until it is known which region this belongs to
  update_in_teams();
}

void LocationReplay::join() {
  while (forks_.empty() && !aside_.empty()) end_task(false, true);  // of a task that is never completed
  if (forks_.empty()) return;
  Fork& f = forks_.back();
  if (f.outside && f.depth == stack_.size()) {
    if (f.parallel == 0) f.parallel = f.callpath;  // no region at all between fork and join
    settle(f, f.recorded ? &Profile::join : &Profile::time);
  }
  if (f.begun) add_team_record(TeamRecord::Kind::join).callpath = f.recorded ? f.parallel : 0;
  if (teams_.size() > f.teams) teams_.resize(f.teams);
  forks_.pop_back();
  account_ = current_;
  if (forks_.empty() && segment_.number == 0) begin_serial();
  update_in_teams();
}

void LocationReplay::enter_in_team(std::uint64_t frame, std::uint32_t callpath) {
  const auto is_parallel = [&] {
    const RegionId region{static_cast<std::uint32_t>(frame)};
    return frame >> 32 == 0 && region.valid() && definitions_[region].role == RegionRole::parallel;
  };
  if (segment_.number != 0) {
    touch(callpath);
    if (in_task() && segment_.parallel == 0) segment_.parallel = callpath;
    if (stack_.empty() && !in_task()) {
      if (!segment_.entered) {
        segment_.entered = true;
        segment_.enter = last_time_;
        if (is_parallel()) segment_.parallel = callpath;
      } else if (segment_.parallel != 0) {
        Ticks& join = booked(segment_.parallel).join;
        join = add_ticks(join, static_cast<std::uint64_t>(in_window(segment_.exit, last_time_)));
      }
    }
  }
  if (forks_.empty()) return;
  Fork& f = forks_.back();
  if (!f.outside || f.depth != stack_.size()) return;
  f.outside = false;
  if (f.parallel != 0) {
    settle(f, &Profile::join);
    return;
  }
  // The first region that is entered after a fork: the parallel region, unless the recorder left that out.
  f.recorded = is_parallel();
  f.parallel = f.recorded ? callpath : f.callpath;
  settle(f, f.recorded ? &Profile::fork : &Profile::time);
}

void LocationReplay::leave_in_team() {
  if (segment_.number != 0 && stack_.empty()) segment_.exit = last_time_;
  if ((!numbered_forks_.empty() || !numbered_parts_.empty()) && !in_task()) leave_numbered();
  if (forks_.empty()) return;
  Fork& f = forks_.back();
  if (f.outside && f.depth > stack_.size()) {  // the caller is left without a join
    f.outside = false;
    if (f.parallel == 0) f.parallel = f.callpath;
    settle(f, f.recorded ? &Profile::join : &Profile::time);
    return;
  }
  if (!f.recorded || f.depth != stack_.size()) return;
  f.outside = true;
  f.since = last_time_;
  account_ = 0;
}

// --- teams and segments ----------------------------------------------------------------------------------------------

TeamRecord& LocationReplay::add_team_record(TeamRecord::Kind kind) {
  TeamRecord& r = chunk_->team_records.emplace_back();
  r.kind = kind;
  r.time = last_time_;
  return r;
}

// The master is who has forked. A recorder may write no forks: then the first member, if it is in some region. Whoever
// else is in no region begins a segment.
void LocationReplay::begin_team(CommId team) {
  const bool forked = !forks_.empty() && !forks_.back().begun;
  const bool segment = forks_.empty() && stack_.empty() && aside_.empty();
  if (segment) begin_segment();
  TeamRecord& r = add_team_record(TeamRecord::Kind::begin);
  r.team = team;
  r.segment = segment;
  if (forked) {
    Fork& f = forks_.back();
    f.begun = true;
    r.master = r.forked = true;
    r.callpath = f.callpath;
    r.in_segment = segment_.number;
    r.count = f.requested;
    r.from = f.time;
  } else if (forks_.empty() && !segment && segment_.number == 0 && team.valid()) {
    const auto& members = definitions_[team].members;
    r.master = !members.empty() && members.front() == location_;
    r.callpath = current_;
    r.in_segment = segment_.number;
  }
  teams_.push_back(segment);
}

void LocationReplay::end_team() {
  while (teams_.empty() && !aside_.empty()) end_task(false, true);  // of a task that is never completed
  if (teams_.empty()) return;
  const bool segment = teams_.back();
  if (segment && !stack_.empty()) return;  // a region was not left: the segment lasts until it is
  if (segment) {
    end_segment();
    return;
  }
  teams_.pop_back();
  add_team_record(TeamRecord::Kind::end);
}

void LocationReplay::begin_segment() {
  if (segment_.number != 0) end_segment();
  if (team_root_ == 0) {
    bool added = false;
    team_root_ = tree_.child(0, LocalCallTree::team_frame, added);
    add_call_path(LocalCallTree::team_frame);
  }
  segment_ = Segment{};
  segment_.number = ++segments_;
  base_ = current_ = account_ = team_root_;
  library_ = {};
  longest_ = folded_ = 0;  // what a call did before is looked for in its own segment only
  if (options_.keep_events) chunk_->segment_events.push_back(static_cast<std::uint32_t>(chunk_->events.size()));
  update_in_teams();
}

// Outside of every region. What was counted in the segment goes with the chunk, whose caller will be known.
void LocationReplay::end_segment() {
  TeamRecord& r = add_team_record(TeamRecord::Kind::end);
  r.segment = true;
  r.callpath = segment_.parallel;
  r.from = segment_.enter;
  r.to = segment_.exit;
  r.count = take_profiles(chunk_->segment_profiles);
  r.counters = take_counters(chunk_->segment_counters);
  teams_.clear();
  forks_.clear();  // of teams that were never joined
  numbered_forks_.clear();
  numbered_parts_.clear();
  segment_ = Segment{};
  base_ = current_ = account_ = 0;
  longest_ = folded_ = 0;
  update_in_teams();
}

// Moves the profiles of the call paths that were touched; returns how many.
std::uint32_t LocationReplay::take_profiles(std::vector<PathProfile>& to) {
  const bool windowed = options_.from != 0 || options_.to != ~Time{0};
  std::vector<Profile>& profiles = past_window_ ? window_profiles_ : profiles_;
  std::uint32_t count = 0;
  for (const std::uint32_t path : touched_) {
    touched_in_[path] = 0;
    if (path >= profiles.size() || (windowed && !in_window_)) continue;
    to.push_back({path, profiles[path]});
    ++count;
    const Profile was = profiles[path];
    profiles[path] = Profile{};
    profiles[path].kind = was.kind;
    profiles[path].function = was.function;
  }
  touched_.clear();
  return count;
}

void LocationReplay::touch(std::uint32_t callpath) {
  if (touched_in_.size() <= callpath) touched_in_.resize(tree_.size());
  if (touched_in_[callpath] == segment_.number) return;
  touched_in_[callpath] = segment_.number;
  touched_.push_back(callpath);
}

// --- barriers and locks ----------------------------------------------------------------------------------------------

void LocationReplay::enter_other_call(Profile::Kind kind) {
  switch (kind) {
    case Profile::Kind::mpi_world:
    case Profile::Kind::mpi:
    case Profile::Kind::shmem:
    case Profile::Kind::shmem_world:
      if (folded_ != 0 && folded_ >= longest_) before_ = folded_before_;
      if (kind != Profile::Kind::shmem) watch_call(kind);
      break;
    case Profile::Kind::omp_barrier:
      if (is_wait_of_caller(kind)) break;
      if (!teams_.empty()) add_team_record(TeamRecord::Kind::barrier).call = sync_call(stack_.back());
      break;
    case Profile::Kind::omp_taskwait:
      if (is_wait_of_caller(kind)) break;
      add_team_record(TeamRecord::Kind::taskwait).call = sync_call(stack_.back());
      break;
    case Profile::Kind::device_sync:
    case Profile::Kind::kernel:
      enter_device_call();
      break;
    default:
      break;
  }
}

// Recorders may write a region for the wait inside of the barrier's own.
bool LocationReplay::is_wait_of_caller(Profile::Kind kind) const {
  return stack_.size() > 1 && profiles_[stack_[stack_.size() - 2].callpath].kind == kind;
}

// The call of a region instance that is a barrier or has to do with locks.
std::uint32_t LocationReplay::sync_call(Frame& frame) {
  if (frame.call == no_call) {
    if (library_.end - library_.begin > before_.end - before_.begin) before_ = library_;
    frame.call = static_cast<std::uint32_t>(chunk_->sync_calls.size()) | is_sync;
    const RegionId region{static_cast<std::uint32_t>(tree_.frame(frame.callpath))};
    chunk_->sync_calls.push_back(call_record(frame, region));
    ++open_calls_;
  }
  return frame.call & ~is_sync;
}

// The chunk ends, and the call does not: all of it is told in the next one, of which it is one of the first calls.
bool LocationReplay::put_off(Frame& frame) {
  const Profile::Kind kind = profiles_[frame.callpath].kind;
  if (kind != Profile::Kind::omp_barrier && kind != Profile::Kind::omp_taskwait && kind != Profile::Kind::lock)
    return false;
  const std::uint32_t call = frame.call & ~is_sync, next = static_cast<std::uint32_t>(put_off_.size());
  PutOff& p = put_off_.emplace_back();
  p.call = chunk_->sync_calls[call];
  const auto take = [&](auto& from, auto& to, const auto& is_about) {
    for (auto& r : from)
      if (is_about(r)) to.emplace_back(r).call = next;
    std::erase_if(from, is_about);
  };
  using Kind = TeamRecord::Kind;
  take(chunk_->team_records, p.records, [&](const TeamRecord& r) {
    return r.call == call &&
           (r.kind == Kind::barrier || r.kind == Kind::taskwait || r.kind == Kind::acquire || r.kind == Kind::release);
  });
  take(chunk_->task_times, p.times, [&](const TaskTime& t) { return t.call == call; });
  chunk_->sync_since = std::min(chunk_->sync_since, p.call.enter);
  frame.call = next | is_sync;
  return true;
}

void LocationReplay::take_up_calls() {
  for (PutOff& p : put_off_) {
    chunk_->sync_calls.push_back(p.call);
    chunk_->team_records.insert(chunk_->team_records.end(), p.records.begin(), p.records.end());
    chunk_->task_times.insert(chunk_->task_times.end(), p.times.begin(), p.times.end());
  }
  put_off_.clear();
}

// Outside of every lock call - a recorder that does not write them - a lock is acquired in no time.
void LocationReplay::lock_record(TeamRecord::Kind kind, Paradigm paradigm, std::uint64_t lock, std::uint64_t order) {
  std::uint32_t call = 0;
  if (!stack_.empty() && profiles_[stack_.back().callpath].kind == Profile::Kind::lock) {
    call = sync_call(stack_.back());
  } else {
    call = static_cast<std::uint32_t>(chunk_->sync_calls.size());
    CallRecord& c = chunk_->sync_calls.emplace_back();
    c.enter = c.exit = last_time_;
    c.callpath = current_;
    c.segment = segment_.number;
  }
  TeamRecord& r = add_team_record(kind);
  r.paradigm = paradigm;
  r.lock = static_cast<std::uint32_t>(lock);
  r.order = static_cast<std::uint32_t>(order);
  r.call = call;
}

}  // namespace waitstate::replay

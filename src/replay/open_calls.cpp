#include "replay/open_calls.hpp"

#include <algorithm>

namespace waitstate::replay {
namespace {

void keep_longest_before_waits(Activity& a) {
  if (a.longest.length > a.longest_before_waits.length) a.longest_before_waits = a.longest;
}

}  // namespace

OpenCalls::OpenCalls(CallStack& stack) : stack_(stack), profiles_(stack.profiles), context_(stack.context) {}

CallRecord OpenCalls::call_record(const Frame& frame) {
  const Activity& a = stack_.activity;
  const PathInterval& before = a.before;
  return {.enter = frame.enter,
          .exit = frame.enter,
          .callpath = frame.callpath,
          .region = stack_.region(frame.callpath),
          .function = profiles_[frame.callpath].function,
          .number = context_.next_number(),
          .before = before.callpath == stack_.team_root() ? 0 : before.callpath,
          .segment = a.segment.number,
          .before_begin = before.begin,
          .before_end = before.end};
}

// --- entering and leaving --------------------------------------------------------------------------------------------

void OpenCalls::enter(Profile::Kind kind) {
  Activity& a = stack_.activity;
  switch (kind) {
    case Profile::Kind::mpi_world:
    case Profile::Kind::mpi:
    case Profile::Kind::mpi_search:
    case Profile::Kind::shmem:
    case Profile::Kind::shmem_world:
      if (a.longest_before_waits.length != 0 && a.longest_before_waits.length >= a.longest.length)
        a.before = a.longest_before_waits.interval();
      if (kind != Profile::Kind::shmem) watch(kind);
      if (kind == Profile::Kind::mpi_search) add_search();
      break;
    case Profile::Kind::omp_barrier:
      if (!a.teams.empty()) add_wait(TeamRecord::Kind::barrier);
      break;
    case Profile::Kind::omp_taskwait:
      add_wait(TeamRecord::Kind::taskwait);
      break;
    default:
      break;
  }
}

void OpenCalls::add_search() {
  const std::uint32_t call = call_of_record(false);
  ++chunk().calls[call].records;
  CommRecord& r = chunk().records.emplace_back();
  r.time = now();
  r.call = call;
  r.search = true;
}

void OpenCalls::add_wait(TeamRecord::Kind kind) {
  if (is_wait_of_caller()) return;
  const std::uint32_t call = sync_call();
  chunk().add_team_record(kind, now()).call = call;
}

// Recorders may write a region for the wait inside of the barrier's own.
bool OpenCalls::is_wait_of_caller() const {
  const std::vector<Frame>& stack = stack_.activity.stack;
  return stack.size() > 1 && kind_of(stack[stack.size() - 2]) == kind_of(stack.back());
}

// MPI_Init and MPI_Finalize (and those of SHMEM) are watched to know when they are left, and so is the outermost call
// of MPI if others are to know when this location was inside of MPI.
void OpenCalls::watch(Profile::Kind kind) {
  Activity& a = stack_.activity;
  if (kind == Profile::Kind::shmem_world) {
    a.mpi_depth = a.stack.size();
  } else if (context_.options.mpi_calls && !in_mpi_call_) {
    in_mpi_call_ = true;
    a.mpi_depth = a.stack.size();
    chunk().mpi_enters.push_back(call_record(a.stack.back()));
    chunk().mpi_enters.back().exit = ~Time{0};
  } else if (kind == Profile::Kind::mpi_world) {
    a.mpi_depth = a.stack.size();
  }
}

void OpenCalls::leave_mpi() {
  Activity& a = stack_.activity;
  const Frame& frame = a.stack.back();
  a.mpi_depth = Activity::no_depth;
  if (in_mpi_call_) {
    in_mpi_call_ = false;
    chunk().mpi_exits.push_back(now());
  }
  // The enter gets no record: time before the program began is not the program's own.
  const Profile::Kind kind = kind_of(frame);
  if (kind == Profile::Kind::shmem_world) {
    a.longest.forget();
    a.longest_before_waits.forget();
  }
  if (kind == Profile::Kind::shmem_world || kind == Profile::Kind::mpi_world)
    chunk().initialised = std::min(chunk().initialised, now());
  if (kind != Profile::Kind::mpi_world) return;
  chunk().init_finalize_calls.push_back(call_record(frame));
  chunk().init_finalize_calls.back().exit = now();
  chunk().init_finalize_calls.back().exclusive = exclusive(frame);
}

void OpenCalls::close(const Frame& frame) {
  --open_;
  Activity& a = stack_.activity;
  const Time t = now();
  if (kind_of(frame) == Profile::Kind::mpi_search) {  // nobody waits for it: what was done before it may be a cause
    CallRecord& call = chunk().calls[frame.call];
    call.exit = t;
    call.exclusive = exclusive(frame);
    return;
  }
  if (a.longest.length > outside_.longest) [[unlikely]]
    note_outside(a.longest.interval());
  if (frame.has_sync_call()) {
    chunk().sync_calls[frame.sync_call()].exit = t;
    mpi_call_ = {};
    keep_longest_before_waits(a);
  } else {
    const PathInterval interval{frame.callpath, frame.enter, t};
    CallRecord& call = chunk().calls[frame.call];
    call.exit = t;
    call.exclusive = exclusive(frame);
    if (interval.length() > outside_.longest) note_outside(interval);
    a.longest_before_waits.forget();
    if (stack_.in_threads() && interval.length() > mpi_call_.length()) mpi_call_ = interval;
  }
  a.longest.forget();
}

// --- records ---------------------------------------------------------------------------------------------------------

std::uint32_t OpenCalls::call_of_record(bool one_sided) {
  if (stack_.activity.stack.empty()) return Frame::no_call;
  Frame& top = stack_.activity.stack.back();
  if (top.call < Frame::is_sync) return top.call;
  const Profile::Kind kind = kind_of(top);
  const bool mpi = kind >= Profile::Kind::mpi && kind <= Profile::Kind::mpi_search;
  const bool shmem = kind == Profile::Kind::shmem || kind == Profile::Kind::shmem_world;
  if (!mpi && !(one_sided && shmem)) return Frame::no_call;
  std::vector<CallRecord>& calls = chunk().calls;
  top.call = static_cast<std::uint32_t>(calls.size());
  calls.push_back(call_record(top));
  ++open_;
  return top.call;
}

std::uint32_t OpenCalls::call_without_region() {
  const std::uint32_t callpath = stack_.callpath_of_record();
  CallRecord& call = chunk().calls.emplace_back();
  call.enter = call.exit = now();
  call.callpath = callpath;
  call.function = MpiFunction::other;
  call.number = context_.next_number();
  call.segment = stack_.activity.segment.number;
  return static_cast<std::uint32_t>(chunk().calls.size() - 1);
}

std::uint32_t OpenCalls::sync_call() {
  Activity& a = stack_.activity;
  Frame& frame = a.stack.back();
  if (!frame.has_call()) {
    if (mpi_call_.length() > a.before.length()) a.before = mpi_call_;
    frame.call = static_cast<std::uint32_t>(chunk().sync_calls.size()) | Frame::is_sync;
    chunk().sync_calls.push_back(call_record(frame));
    ++open_;
  }
  return frame.sync_call();
}

// Outside of every lock call - a recorder that does not write them - a lock is acquired in no time. Others wait for
// what was done until the release: so the call comes after all that was called in it.
void OpenCalls::lock(TeamRecord::Kind kind, Paradigm paradigm, std::uint64_t lock, std::uint64_t order) {
  const Activity& a = stack_.activity;
  std::uint32_t call = 0;
  if (!a.stack.empty() && kind_of(a.stack.back()) == Profile::Kind::lock) {
    call = sync_call();
    if (kind == TeamRecord::Kind::release) chunk().sync_calls[call].number = context_.next_number();
  } else {
    call = static_cast<std::uint32_t>(chunk().sync_calls.size());
    CallRecord& c = chunk().sync_calls.emplace_back();
    c.enter = c.exit = now();
    c.callpath = a.current;
    c.number = context_.next_number();
    c.segment = a.segment.number;
  }
  TeamRecord& r = chunk().add_team_record(kind, now());
  r.paradigm = paradigm;
  r.lock = static_cast<std::uint32_t>(lock);
  r.order = static_cast<std::uint32_t>(order);
  r.call = call;
}

Time OpenCalls::open_since() const {
  for (const Frame& f : stack_.activity.stack) {
    const Profile::Kind kind = kind_of(f);
    if (kind >= Profile::Kind::mpi && kind <= Profile::Kind::shmem_world) return f.enter;
  }
  return profiles_.started() ? now() : 0;
}

// --- ends of chunks --------------------------------------------------------------------------------------------------

void OpenCalls::cut(std::vector<Frame>& stack) {
  for (Frame& f : stack) {
    if (!f.has_call() || carry_over(f)) continue;
    close(f);
    f.call = Frame::no_call;
    f.charged = profiles_.charged(f.callpath);
  }
}

// The call will be among the first of the next chunk.
bool OpenCalls::carry_over(Frame& frame) {
  const Profile::Kind kind = kind_of(frame);
  if (kind != Profile::Kind::omp_barrier && kind != Profile::Kind::omp_taskwait && kind != Profile::Kind::lock)
    return false;
  const std::uint32_t call = frame.sync_call(), next = static_cast<std::uint32_t>(carried_over_.size());
  CarriedOver& c = carried_over_.emplace_back();
  c.call = chunk().sync_calls[call];
  const auto take = [&](auto& from, auto& to, const auto& is_about) {
    for (auto& r : from)
      if (is_about(r)) to.emplace_back(r).call = next;
    std::erase_if(from, is_about);
  };
  using Kind = TeamRecord::Kind;
  take(chunk().team_records, c.records, [&](const TeamRecord& r) {
    return r.call == call &&
           (r.kind == Kind::barrier || r.kind == Kind::taskwait || r.kind == Kind::acquire || r.kind == Kind::release);
  });
  take(chunk().task_times, c.times, [&](const TaskTime& t) { return t.call == call; });
  chunk().sync_since = std::min(chunk().sync_since, c.call.enter);
  frame.call = next | Frame::is_sync;
  return true;
}

void OpenCalls::bring_back() {
  for (CarriedOver& c : carried_over_) {
    chunk().sync_calls.push_back(c.call);
    chunk().team_records.insert(chunk().team_records.end(), c.records.begin(), c.records.end());
    chunk().task_times.insert(chunk().task_times.end(), c.times.begin(), c.times.end());
  }
  carried_over_.clear();
}

// --- outside of parallel regions -------------------------------------------------------------------------------------

// Its longest interval follows from what calls and parallel regions look for in any case.
void OpenCalls::begin_outside_parallel_regions() {
  Activity& a = stack_.activity;
  keep_longest_before_waits(a);
  a.longest.forget();
  outside_ = {.begin = now()};
}

PathInterval OpenCalls::end_outside_parallel_regions() {
  const Activity& a = stack_.activity;
  if (a.longest.length > outside_.longest) note_outside(a.longest.interval());
  const PathInterval ended{outside_.callpath, std::max(outside_.begin, profiles_.first_time()), now()};
  outside_.longest = ~Time{0};
  return ended;
}

void OpenCalls::note_outside(const PathInterval& interval) {
  if (outside_.longest == ~Time{0} || interval.length() <= outside_.longest || interval.begin < outside_.begin) return;
  outside_.longest = interval.length();
  outside_.callpath = interval.callpath;
}

}  // namespace waitstate::replay

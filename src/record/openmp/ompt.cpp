// Records the events of LLVM's OpenMP runtime (OMPT, OpenMP 5.0 chapter 4), in the form in which Score-P writes them:
// parallel regions, barriers, critical sections, locks and tasks. GCC's runtime has no such interface.
//
// A construct is named after its place in the program, as far as that is known: by file and line, else by the place in
// the function, else after the parallel region that it is in; see symbols.hpp. A task has the place of its creation. A
// team's communicator has a number from its fork on; who took part is known at the join. A worker notices the end of a
// parallel region when it is woken for the next one: what it reports then had ended when the forking thread left the
// region, and has a time not later than that, so that no worker works and is idle at once. Initial tasks are the
// program itself, not teams.
#include <omp-tools.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "record/core/adapter.hpp"
#include "record/core/openmp_runtimes.hpp"
#include "record/core/recorder.hpp"
#include "record/openmp/start.hpp"
#include "record/parts/line_kinds.hpp"
#include "record/user/symbols.hpp"

namespace waitstate::record {

namespace {

struct Team {
  std::uint32_t number = undefined, forked_by = undefined;
  const void* place = nullptr;         // where the program calls the runtime to fork it
  bool muted = false;                  // recording was off at its fork: it is for all of its threads
  std::uint64_t switched = 0;          // since then, for the thread that forked it
  std::atomic<std::uint64_t> over{0};  // a time after all came to the end and before the first left; 0 until then
  SpinLock lock;
  std::map<unsigned, std::uint32_t> threads;  // by index
};

struct Task {
  std::shared_ptr<Team> team;
  std::uint32_t creator = 0, number = 0;
  const void* place = nullptr;
  bool begun = false;
};

struct Lock {
  std::uint32_t number = 0, acquired = 0;
};

struct ThreadState {
  std::vector<std::shared_ptr<Team>> teams;
  unsigned forked = 0;                                                   // teams that it has forked and not joined
  bool has_switched = false;                                             // its last switch off has a record
  std::vector<std::uint32_t> open;                                       // regions of constructs
  std::map<std::pair<const char*, const void*>, std::uint32_t> regions;  // by construct and place
};

std::atomic<std::uint32_t> tasks{0};
SpinLock locks_lock;
std::map<std::uint64_t, Lock>& locks_by_id() {
  static auto* const all = new std::map<std::uint64_t, Lock>;
  return *all;
}

Lock& lock_of(ompt_wait_id_t id) {
  return locks_by_id().try_emplace(id, Lock{lock_number(locks_by_id().size()), 0}).first->second;
}

void end_constructs(Thread& t, std::uint64_t time);
bool is_in_construct(const Thread& t);
constexpr Adapter openmp_adapter = {AdapterId::openmp, end_constructs, is_in_construct};

ThreadState& state_of(Thread& t) { return record::state_of<ThreadState>(t, openmp_adapter); }

// A team, a construct or a lock that is being waited for is recorded as a whole, or not at all.
bool is_in_construct(const Thread& t) {
  const ThreadState* const s = find_state<ThreadState>(t, openmp_adapter);
  return s != nullptr && !(s->teams.empty() && s->open.empty() && s->forked == 0);
}

// A member of a team is recorded if the thread that forked the team is. Between teams a worker is idle: the switches of
// the forking thread tell of that time, so it has none of its own, unless it would have no records at all.
void join(Thread& t, const Team& team) {
  if (t.muted == team.muted || is_in_construct(t)) return;
  ThreadState& s = state_of(t);
  if (team.muted) s.has_switched = t.events == 0;
  if (s.has_switched)
    mute(t, team.muted, team.switched);
  else
    t.muted = team.muted;
}

// A thread while it writes records of one time; nothing if nothing is recorded.
class Writing {
 public:
  // `team`: the team of which the thread becomes a member.
  explicit Writing(const Team* team = nullptr) : t_(current()) {
    if (t_ == nullptr || !t_->begin_writing()) {
      t_ = nullptr;
      return;
    }
    if (team == nullptr)
      follow_pause(*t_);
    else
      join(*t_, *team);
    time = now();
    const ThreadState& s = state();
    if (!s.teams.empty() && s.teams.back()->forked_by != t_->number)
      if (const std::uint64_t over = s.teams.back()->over.load()) time = std::min(time, over);
    time = std::max(time, t_->last);
    t_->last = time;
  }
  ~Writing() {
    if (t_ != nullptr) t_->end_writing();
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

  explicit operator bool() const { return t_ != nullptr; }
  Thread& thread() const { return *t_; }
  ThreadState& state() const { return state_of(*t_); }
  OTF2_EvtWriter* writer() const { return t_->writer; }

  // `place`: where the program calls the runtime.
  void enter(const char* construct, OTF2_RegionRole role, const void* place) {
    enter_region(construct, place, [&] {
      const ThreadState& s = state();
      std::string name = place_of_call(place);
      if (name.empty() && !s.teams.empty()) name = place_of_call(s.teams.back()->place);
      return define_region(std::string("!$omp ") + construct + " @" + (name.empty() ? "program" : name),
                           OTF2_PARADIGM_OPENMP, role);
    });
  }
  void enter_function(const char* name) {
    enter_region(name, nullptr, [&] { return define_region(name, OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_WRAPPER); });
  }
  void leave() {
    ThreadState& s = state();
    if (s.open.empty()) return;
    t_->record(OTF2_EvtWriter_Leave, time, s.open.back());
    s.open.pop_back();
  }
  void wait_for_lock(ompt_wait_id_t id) {
    if (t_->depth != 0) return;
    Waiting& w = t_->tail->waiting;
    w.region = state().open.back();
    w.since = time;
    w.peer = w.tag = -1;
    {
      const std::lock_guard guard(locks_lock);
      w.communicator = lock_of(id).number;
    }
    w.what.store(Waiting::What::omp_lock, std::memory_order_relaxed);
  }
  void lock(ompt_wait_id_t id, bool acquires) {
    const std::lock_guard guard(locks_lock);
    Lock& l = lock_of(id);
    if (acquires) {
      std::atomic<Waiting::What>& what = t_->tail->waiting.what;
      if (what.load(std::memory_order_relaxed) == Waiting::What::omp_lock)
        what.store(Waiting::What::nothing, std::memory_order_relaxed);
      ++l.acquired;
      t_->record(OTF2_EvtWriter_ThreadAcquireLock, time, OTF2_PARADIGM_OPENMP, l.number, l.acquired);
    } else {
      t_->record(OTF2_EvtWriter_ThreadReleaseLock, time, OTF2_PARADIGM_OPENMP, l.number, l.acquired);
    }
  }

  std::uint64_t time = 0;

 private:
  template <class Define>
  void enter_region(const char* what, const void* place, Define&& define) {
    ThreadState& s = state();
    // A construct without a place has that of its team.
    const void* const key = place != nullptr || s.teams.empty() ? place : s.teams.back()->place;
    const auto [known, added] = s.regions.try_emplace({what, key}, 0);
    if (added) known->second = define();
    t_->record(OTF2_EvtWriter_Enter, time, known->second);
    s.open.push_back(known->second);
  }

  Thread* t_;
};

void parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* data, unsigned requested, int, const void* place) {
  begin_without_mpi();
  // Before the time is taken: the first look into the lines of the program takes long.
  if (recording.load(std::memory_order_relaxed)) place_of_call(place);
  const Writing w;
  if (!w) return;
  auto* const team = new std::shared_ptr<Team>(new Team);
  (*team)->number = next_comm_number();
  (*team)->forked_by = w.thread().number;
  (*team)->muted = w.thread().muted;
  (*team)->switched = w.thread().switched;
  ThreadState& s = w.state();
  ++s.forked;
  (*team)->place = place == nullptr && !s.teams.empty() ? s.teams.back()->place : place;
  data->ptr = team;
  w.thread().record(OTF2_EvtWriter_ThreadFork, w.time, OTF2_PARADIGM_OPENMP, requested);
}

void parallel_end(ompt_data_t* data, ompt_data_t*, int, const void*) {
  auto* const team = static_cast<std::shared_ptr<Team>*>(data->ptr);
  if (team == nullptr) return;
  data->ptr = nullptr;
  const Writing w;
  if (w) {
    w.thread().record(OTF2_EvtWriter_ThreadJoin, w.time, OTF2_PARADIGM_OPENMP);
    --w.state().forked;
    Numbers members;
    {
      const std::lock_guard guard((*team)->lock);
      for (const auto& [index, thread] : (*team)->threads) members.push_back(thread);
    }
    define(TeamLine{.number = (*team)->number, .paradigm = OTF2_PARADIGM_OPENMP, .threads = std::move(members)});
  }
  delete team;
}

void end_team(Thread& t, std::uint64_t time) {
  ThreadState& s = state_of(t);
  t.record(OTF2_EvtWriter_ThreadTeamEnd, time, s.teams.back()->number);
  s.teams.pop_back();
}

// The forking thread gets here when all have come to the end of its team's region. It takes the time of its own record
// later: a worker that does not see `over` yet has an earlier time than that, too.
void end_for_all() {
  Thread* const t = current();
  const ThreadState* const s = t == nullptr ? nullptr : find_state<ThreadState>(*t, openmp_adapter);
  if (s != nullptr && !s->teams.empty() && s->teams.back()->forked_by == t->number) s->teams.back()->over.store(now());
}

void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned, unsigned index,
                   int flags) {
  if ((flags & ompt_task_initial) != 0) return;
  const bool begins = endpoint == ompt_scope_begin;
  if (begins && (parallel == nullptr || parallel->ptr == nullptr)) return;
  if (!begins) end_for_all();
  Writing w(begins ? static_cast<std::shared_ptr<Team>*>(parallel->ptr)->get() : nullptr);
  if (!w) return;
  ThreadState& s = w.state();
  if (begins) {
    const std::shared_ptr<Team>& team = *static_cast<std::shared_ptr<Team>*>(parallel->ptr);
    {
      const std::lock_guard guard(team->lock);
      team->threads[index] = w.thread().number;
    }
    s.teams.push_back(team);
    task->ptr = nullptr;
    w.thread().record(OTF2_EvtWriter_ThreadTeamBegin, w.time, team->number);
    w.enter("parallel", OTF2_REGION_ROLE_PARALLEL, team->place);
  } else if (!s.teams.empty()) {
    w.leave();
    end_team(w.thread(), w.time);
  }
}

void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
                 const void* place) {
  Writing w;
  if (!w || kind == ompt_sync_region_reduction || w.state().teams.empty()) return;
  if (endpoint == ompt_scope_end)
    w.leave();
  else if (kind == ompt_sync_region_taskwait)
    w.enter("taskwait", OTF2_REGION_ROLE_TASK_WAIT, place);
  else if (kind == ompt_sync_region_taskgroup)
    w.enter("taskgroup", OTF2_REGION_ROLE_TASK_WAIT, place);
  else if (kind == ompt_sync_region_barrier_explicit)
    w.enter("barrier", OTF2_REGION_ROLE_BARRIER, place);
  else
    w.enter("implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER, place);
}

bool is_lock(ompt_mutex_t kind) { return kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock; }

void mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t lock, const void* place) {
  Writing w;
  if (!w) return;
  if (kind == ompt_mutex_critical) w.enter("critical", OTF2_REGION_ROLE_CRITICAL, place);
  if (is_lock(kind)) w.enter_function(kind == ompt_mutex_lock ? "omp_set_lock" : "omp_set_nest_lock");
  if (kind == ompt_mutex_critical || is_lock(kind)) w.wait_for_lock(lock);
}

void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void* place) {
  Writing w;
  if (!w || (kind != ompt_mutex_critical && !is_lock(kind))) return;
  w.lock(lock, true);
  if (kind == ompt_mutex_critical)
    w.enter("critical sblock", OTF2_REGION_ROLE_CRITICAL_SBLOCK, place);
  else
    w.leave();
}

void mutex_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void*) {
  Writing w;
  if (!w) return;
  if (kind == ompt_mutex_critical) {
    w.leave();
    w.lock(lock, false);
    w.leave();
  } else if (is_lock(kind)) {
    w.enter_function(kind == ompt_mutex_lock ? "omp_unset_lock" : "omp_unset_nest_lock");
    w.lock(lock, false);
    w.leave();
  }
}

// The thread has the lock already.
void nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t lock, const void*) {
  Writing w;
  if (!w) return;
  if (endpoint == ompt_scope_end) {
    w.enter_function("omp_unset_nest_lock");
    w.lock(lock, false);
  } else {
    w.lock(lock, true);
  }
  w.leave();
}

void task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* data, int flags, int, const void* place) {
  Writing w;
  if (!w || (flags & ompt_task_explicit) == 0 || w.state().teams.empty()) return;
  auto* const task = new Task{w.state().teams.back(), w.thread().number, ++tasks, place, false};
  data->ptr = task;
  w.enter("create task", OTF2_REGION_ROLE_TASK_CREATE, place);
  w.thread().record(OTF2_EvtWriter_ThreadTaskCreate, w.time, task->team->number, task->creator, task->number);
  w.leave();
}

void task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  Writing w;
  if (!w) return;

  auto* const last = static_cast<Task*>(prior->ptr);
  const bool ended = status == ompt_task_complete || status == ompt_task_cancel;
  if (last != nullptr && ended) {
    w.leave();
    w.thread().record(OTF2_EvtWriter_ThreadTaskComplete, w.time, last->team->number, last->creator, last->number);
  }
  auto* const task = next == nullptr ? nullptr : static_cast<Task*>(next->ptr);
  if (task == nullptr) {
    if (last != nullptr && !ended) w.thread().record(OTF2_EvtWriter_ThreadTaskSwitch, w.time, last->team->number, 0, 0);
  } else {
    w.thread().record(OTF2_EvtWriter_ThreadTaskSwitch, w.time, task->team->number, task->creator, task->number);
    if (!std::exchange(task->begun, true)) w.enter("task", OTF2_REGION_ROLE_TASK, task->place);
  }
  if (last != nullptr && ended) {
    prior->ptr = nullptr;
    delete last;
  }
}

// At the end: a worker that was not woken again is in the last region's barrier, which was over when the region was.
void end_constructs(Thread& t, std::uint64_t time) {
  ThreadState* const s = find_state<ThreadState>(t, openmp_adapter);
  while (s != nullptr && !s->teams.empty()) {
    const std::uint64_t over = s->teams.back()->over.load();
    t.last = std::max(t.last, over != 0 ? over : time);
    for (; !s->open.empty(); s->open.pop_back()) t.record(OTF2_EvtWriter_Leave, t.last, s->open.back());
    end_team(t, t.last);
  }
}

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
#define SET(name) set(ompt_callback_##name, reinterpret_cast<ompt_callback_t>(name))
  SET(parallel_begin);
  SET(parallel_end);
  SET(implicit_task);
  SET(sync_region);
  SET(mutex_acquire);
  SET(mutex_acquired);
  SET(mutex_released);
  SET(nest_lock);
  SET(task_create);
  SET(task_schedule);
#undef SET
  openmp_tells = true;
  return 1;
}

void finalize(ompt_data_t*) {}

}  // namespace

}  // namespace waitstate::record

extern "C" __attribute__((visibility("default"))) ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  using namespace waitstate::record;
  if ((settings().groups & group::openmp) == 0 || settings().folder.empty()) return nullptr;
  static ompt_start_tool_result_t result{initialize, finalize, {}};
  return &result;
}

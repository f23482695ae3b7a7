// Records what the OpenMP runtime of LLVM tells a tool (OMPT, OpenMP 5.0 chapter 4): parallel regions, barriers,
// critical sections, locks and tasks, in the form in which Score-P writes them.
//
//   clang -g -fopenmp -finstrument-functions -c omp_waits.c
//   clang++ -std=c++20 -O2 -c record_omp.cpp record_threads.cpp
//   clang++ -fopenmp -rdynamic omp_waits.o record_omp.o record_threads.o -lopen-trace-format2 -ldl -o omp_waits
//   RECORD_DIRECTORY=new_folder OMP_NUM_THREADS=4 ./omp_waits 2 20000
//
// A construct is named after the function that forked its team. Of a task that the runtime creates and begins at once
// no more is known than of others. Initial tasks are the program itself and no teams.
#include <omp-tools.h>

#include <atomic>

#include "recording_threads.hpp"

namespace {

using namespace recording::threads;

struct Task {
  std::uint64_t team = 0, number = 0;  ///< number: creator's index << 32 | task; 0: implicit
  std::string name;
  bool begun = false;
};
struct Team {
  std::uint64_t number = 0;
  std::string function;
};

std::atomic<std::uint64_t> teams{0}, tasks{0};

void enter_construct(OTF2_RegionRole role, const std::string& construct) {
  const Thread& thread = self();
  enter_region(OTF2_PARADIGM_OPENMP, role,
               "!$omp " + construct + " @" + (thread.constructs.empty() ? "program" : thread.constructs.back()));
}

std::string innermost_function() {
  const Thread& thread = self();
  for (auto f = thread.functions.rbegin(); f != thread.functions.rend(); ++f)
    if (!f->empty()) return *f;
  return thread.constructs.empty() ? "program" : thread.constructs.back();
}

void parallel_begin(ompt_data_t*, const ompt_frame_t*, ompt_data_t* data, unsigned requested, int, const void*) {
  const auto team = new Team{++teams, innermost_function()};
  data->ptr = team;
  record(Kind::fork, 0, team->number, requested);
}

void parallel_end(ompt_data_t* data, ompt_data_t*, int, const void*) {
  record(Kind::join, 0, static_cast<Team*>(data->ptr)->number);
}

void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned, unsigned index,
                   int flags) {
  if ((flags & ompt_task_initial) != 0) return;
  Thread& thread = self();
  if (endpoint == ompt_scope_begin) {
    const auto team = static_cast<const Team*>(parallel->ptr);
    thread.teams.push_back(team->number);
    thread.constructs.push_back(team->function);
    thread.functions.push_back("");  // those of the caller are not in this region
    task->ptr = nullptr;
    record(Kind::team_begin, 0, team->number, index);
    enter_construct(OTF2_REGION_ROLE_PARALLEL, "parallel");
  } else {
    leave_region();
    record(Kind::team_end, 0, thread.teams.back());
    thread.teams.pop_back();
    thread.constructs.pop_back();
    thread.functions.pop_back();
  }
}

void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, const void*) {
  if (kind == ompt_sync_region_reduction || self().teams.empty()) return;
  if (endpoint == ompt_scope_end)
    leave_region();
  else if (kind == ompt_sync_region_taskwait)
    enter_construct(OTF2_REGION_ROLE_TASK_WAIT, "taskwait");
  else if (kind == ompt_sync_region_taskgroup)
    enter_construct(OTF2_REGION_ROLE_TASK_WAIT, "taskgroup");
  else if (kind == ompt_sync_region_barrier_explicit)
    enter_construct(OTF2_REGION_ROLE_BARRIER, "barrier");
  else
    enter_construct(OTF2_REGION_ROLE_IMPLICIT_BARRIER, "implicit barrier");
}

void mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t, const void*) {
  if (kind == ompt_mutex_critical)
    enter_construct(OTF2_REGION_ROLE_CRITICAL, "critical");
  else if (kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock)
    enter_region(OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_WRAPPER,
                 kind == ompt_mutex_lock ? "omp_set_lock" : "omp_set_nest_lock");
}

void mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t lock, const void*) {
  if (kind != ompt_mutex_critical && kind != ompt_mutex_lock && kind != ompt_mutex_nest_lock) return;
  record_lock(Kind::acquire, OTF2_PARADIGM_OPENMP, lock);
  if (kind == ompt_mutex_critical)
    enter_construct(OTF2_REGION_ROLE_CRITICAL_SBLOCK, "critical sblock");
  else
    leave_region();
}

void mutex_released(ompt_mutex_t kind, ompt_wait_id_t lock, const void*) {
  if (kind == ompt_mutex_critical) {
    leave_region();
    record_lock(Kind::release, OTF2_PARADIGM_OPENMP, lock);
    leave_region();
  } else if (kind == ompt_mutex_lock || kind == ompt_mutex_nest_lock) {
    enter_region(OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_WRAPPER,
                 kind == ompt_mutex_lock ? "omp_unset_lock" : "omp_unset_nest_lock");
    record_lock(Kind::release, OTF2_PARADIGM_OPENMP, lock);
    leave_region();
  }
}

// Of a lock that the thread has already.
void nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t lock, const void*) {
  if (endpoint == ompt_scope_end) {
    enter_region(OTF2_PARADIGM_OPENMP, OTF2_REGION_ROLE_WRAPPER, "omp_unset_nest_lock");
    record_lock(Kind::release, OTF2_PARADIGM_OPENMP, lock);
  } else {
    record_lock(Kind::acquire, OTF2_PARADIGM_OPENMP, lock);
  }
  leave_region();
}

void task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* data, int flags, int, const void*) {
  if ((flags & ompt_task_explicit) == 0 || self().teams.empty()) return;
  const auto task = new Task{self().teams.back(), ++tasks, self().constructs.back(), false};
  data->ptr = task;
  enter_construct(OTF2_REGION_ROLE_TASK_CREATE, "create task");
  record(Kind::task_create, 0, task->team, task->number);
  leave_region();
}

void task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  const auto before = static_cast<Task*>(prior->ptr);
  const bool ended = status == ompt_task_complete || status == ompt_task_cancel;
  if (before != nullptr && ended) {
    leave_region();
    record(Kind::task_complete, 0, before->team, before->number);
  }
  const auto task = next == nullptr ? nullptr : static_cast<Task*>(next->ptr);
  if (task == nullptr) {
    if (before != nullptr && !ended) record(Kind::task_switch, 0, before->team, 0);
    return;
  }
  record(Kind::task_switch, 0, task->team, task->number);
  if (task->begun) return;
  task->begun = true;
  enter_construct(OTF2_REGION_ROLE_TASK, "task");
}

void thread_begin(ompt_thread_t, ompt_data_t*) { self(); }

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
#define SET(name) set(ompt_callback_##name, reinterpret_cast<ompt_callback_t>(name))
  SET(thread_begin);
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
  return 1;
}

void finalize(ompt_data_t*) {}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result{initialize, finalize, {}};
  return &result;
}

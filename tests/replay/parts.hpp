// The parts of a location's replay up to its open calls, with regions of each kind, for tests of single parts.
#pragma once

#include <gtest/gtest.h>

#include "replay/counters/counter_replay.hpp"
#include "replay/open_calls.hpp"

namespace waitstate::replay {

enum TestRegion : std::uint32_t {
  work,
  mpi_send,
  mpi_init,
  barrier,
  barrier_wait,
  taskwait,
  critical,
  parallel,
  implicit_task,
  region_count
};

inline Definitions one_location() {
  Definitions d;
  d.processes.resize(1);
  d.locations.resize(1);
  d.locations[0].process = ProcessId{0};
  d.regions.resize(region_count);
  const auto define = [&](TestRegion r, const char* name, RegionRole role = {}, Paradigm paradigm = {}) {
    d.regions[r].name = name;
    d.regions[r].role = role;
    d.regions[r].paradigm = paradigm;
  };
  define(work, "work");
  define(mpi_send, "MPI_Send");
  define(mpi_init, "MPI_Init");
  define(barrier, "barrier", RegionRole::implicit_barrier, Paradigm::openmp);
  define(barrier_wait, "barrier wait", RegionRole::implicit_barrier, Paradigm::openmp);
  define(taskwait, "taskwait", RegionRole::task_wait, Paradigm::openmp);
  define(critical, "critical", RegionRole::critical, Paradigm::openmp);
  define(parallel, "parallel", RegionRole::parallel, Paradigm::openmp);
  define(implicit_task, "implicit task", RegionRole::unknown, Paradigm::openmp);
  d.finish();
  return d;
}

/// Enters and leaves regions as LocationReplay does, but with no teams and tasks.
struct Parts {
  explicit Parts(const ReplayOptions& options = {}, Definitions d = one_location())
      : definitions(std::move(d)),
        context(definitions, LocationId{0}, options),
        profiles(options.from, options.to),
        stack(context, profiles),
        calls(stack),
        counters(context.options, stack) {
    context.chunk = &chunk;
  }

  Activity& activity() { return stack.activity; }
  void advance(Time t) { profiles.advance(t, stack.activity); }
  std::uint32_t enter(Time t, std::uint32_t region) {
    advance(t);
    const std::uint32_t callpath = stack.child(region);
    stack.push(callpath, t);
    ++profiles[callpath].visits;
    calls.note_before(stack.activity);
    calls.enter(profiles[callpath].kind);
    return callpath;
  }
  void exit(Time t) {
    advance(t);
    calls.leave(stack.activity);
    stack.pop();
  }
  /// A call of MPI_Send with a record.
  void send(Time begin, Time end) {
    enter(begin, mpi_send);
    calls.call_of_record(false);
    exit(end);
  }
  void next_chunk() {
    calls.cut(stack.activity.stack);
    chunk.clear();
    calls.begin_chunk();
  }
  std::uint64_t count(DiagnosticId id) const { return context.diagnostics[id].count; }

  Definitions definitions;
  Chunk chunk;
  ReplayContext context;
  Profiles profiles;
  CallStack stack;
  OpenCalls calls;
  CounterReplay counters;
};

}  // namespace waitstate::replay

// A process with some threads, for tests of what its threads have to do with each other: definitions and records.
#pragma once

#include <string>
#include <vector>

#include "link/call_paths.hpp"
#include "link/calls.hpp"
#include "link/processes.hpp"
#include "link/threads/parallel_ids.hpp"
#include "link/threads/teams.hpp"
#include "support/heard_events.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::link {

inline constexpr LocationId master{0}, worker{1};
/// A segment of a task.
inline constexpr std::uint32_t in_task = replay::TaskRecord::task_segment | 1;

/// All threads are members of communicator 0. Each has call paths: 1 main, 2 main/parallel; 3 where a segment is
/// attached, 4 parallel there, 5 parallel/task there.
struct ProcessOfThreads {
  static constexpr RegionId main{0}, parallel{1}, task{2}, barrier{3};
  static constexpr CommId comm{0};

  explicit ProcessOfThreads(std::size_t threads) : definitions(define(threads)), paths(tree, threads) {
    for (std::size_t i = 0; i < threads; ++i) {
      paths.add(LocationId{i}, {1, 0, main, StringId::none()});
      paths.add(LocationId{i}, {2, 1, parallel, StringId::none()});
      paths.add(LocationId{i}, {3, 0, RegionId::none(), StringId::none(), true});
      paths.add(LocationId{i}, {4, 3, parallel, StringId::none()});
      paths.add(LocationId{i}, {5, 4, task, StringId::none()});
    }
  }

  static Definitions define(std::size_t threads) {
    Definitions d;
    d.processes.resize(1);
    d.comms.resize(1);
    for (std::size_t i = 0; i < threads; ++i) {
      d.locations.emplace_back().process = ProcessId{0};
      d.locations.back().type = LocationType::cpu_thread;
      d.processes[0].locations.push_back(LocationId{i});
      d.comms[0].members.push_back(LocationId{i});
    }
    d.regions.resize(4);
    d.regions[0].name = "main";
    d.regions[1].name = "parallel";
    d.regions[2].name = "task";
    d.regions[2].role = RegionRole::task;
    d.regions[3].name = "barrier";
    return d;
  }

  /// A call of a barrier or the like, with one hold on it.
  std::uint32_t call(std::size_t thread, Time enter, Time exit) {
    const std::uint32_t id = calls.add(0);
    Call& c = calls[id].call;
    c = Call{};
    c.location = LocationId{thread};
    c.region = barrier;
    c.enter = enter;
    c.exit = exit;
    return id;
  }
  std::string name(CallPathId path) const {
    if (!path.valid()) return "";
    const std::string parent = name(tree[path].parent);
    return (parent.empty() ? "" : parent + "/") + definitions[tree[path].region].name;
  }

  Definitions definitions;
  Processes processes{definitions};
  CallTree tree;
  CallPaths paths;
  Calls calls;
  Diagnostics diagnostics;
  support::HeardEvents heard{{.interests = interest_task_idle}};
};

/// With the parts that know of teams.
struct TeamsOfAProcess : ProcessOfThreads {
  using ProcessOfThreads::ProcessOfThreads;

  Attachments attachments{paths, definitions.locations.size()};
  TeamTable table{definitions};
  UnusedThreadFinder unused{definitions, table, &heard};
  TeamBarriers barriers{definitions, table, calls, &heard};
  TeamParts parts{table, barriers, unused, &heard};
  ParallelIds parallel_ids{definitions, table, attachments, parts, barriers, unused};
  Teams teams{table, attachments, parallel_ids, parts, unused};
};

inline replay::TeamRecord fork_at(Time t, std::uint32_t callpath, std::uint32_t in_segment = 0,
                                  std::uint32_t requested = 0) {
  replay::TeamRecord r;
  r.kind = replay::TeamRecord::Kind::begin;
  r.master = r.forked = true;
  r.team = ProcessOfThreads::comm;
  r.callpath = callpath;
  r.in_segment = in_segment;
  r.count = requested;
  r.from = r.time = t;
  return r;
}

inline replay::TeamRecord join_at(Time t, std::uint32_t callpath = 2) {
  replay::TeamRecord r;
  r.kind = replay::TeamRecord::Kind::join;
  r.callpath = callpath;
  r.time = t;
  return r;
}

inline replay::TeamRecord begin_segment_at(Time t) {
  replay::TeamRecord r;
  r.kind = replay::TeamRecord::Kind::begin;
  r.segment = true;
  r.team = ProcessOfThreads::comm;
  r.time = t;
  return r;
}

inline replay::TeamRecord end_segment_at(Time t) {
  replay::TeamRecord r;
  r.kind = replay::TeamRecord::Kind::end;
  r.segment = true;
  r.time = t;
  return r;
}

/// A team that is known by an OMPT parallel id.
inline replay::TeamRecord by_id(replay::TeamRecord r, std::uint64_t id) {
  r.by_number = true;
  r.team = CommId::none();
  r.to = id;
  r.outermost = r.master && r.in_segment == 0;
  return r;
}

inline replay::Chunk chunk_of(std::size_t thread, std::vector<replay::TeamRecord> teams,
                              std::vector<replay::TaskRecord> tasks, Time last_time, bool last = false) {
  replay::Chunk c;
  c.location = LocationId{thread};
  c.team_records = std::move(teams);
  c.task_records = std::move(tasks);
  c.last_time = last_time;
  c.last = last;
  return c;
}

inline replay::TaskRecord task_record(replay::TaskRecord::Kind kind, std::uint64_t task, Time t, std::uint32_t callpath,
                                      std::uint32_t segment = 0) {
  replay::TaskRecord r;
  r.kind = kind;
  r.team = ProcessOfThreads::comm;
  r.task = task;
  r.time = t;
  r.callpath = callpath;
  r.segment = segment;
  return r;
}

}  // namespace waitstate::link

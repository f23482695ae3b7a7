// Records made by hand, for tests of the parts of linking, merging and reading: definitions of a few processes, calls,
// and the events of a chunk.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "link/calls.hpp"
#include "replay/chunk/chunk.hpp"
#include "replay/event_row_writer.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::support {

/// So many processes, each with one location of the same number, and communicator 0 with all of them.
inline Definitions processes_of_one_location(std::size_t n) {
  Definitions d;
  Group locations, world;
  locations.type = GroupType::comm_locations;
  world.type = GroupType::comm_group;
  locations.paradigm = world.paradigm = Paradigm::mpi;
  for (std::size_t i = 0; i < n; ++i) {
    d.processes.emplace_back();
    Location& location = d.locations.emplace_back();
    location.process = ProcessId{i};
    location.type = LocationType::cpu_thread;
    locations.members.push_back(i);
    world.members.push_back(i);
  }
  d.groups = {locations, world};
  d.comms.resize(1);
  d.comms[0].group = GroupId{1};
  d.finish();
  return d;
}

/// Processes of one location each, with a window of MPI.
inline Definitions processes_with_a_window(std::size_t n) {
  Definitions d = processes_of_one_location(n);
  d.comms[0].paradigm = Paradigm::mpi;
  d.rma_wins.resize(1);
  d.rma_wins[0].comm = CommId{0};
  return d;
}

/// A call, with one use.
inline link::CallRef add_call(link::Calls& calls, std::size_t location, Time enter, Time exit,
                              std::uint32_t records = 1) {
  const link::CallRef id = calls.add(records);
  Call& call = calls[id].call;
  call = Call{};
  call.location = LocationId{location};
  call.enter = enter;
  call.exit = exit;
  return id;
}

/// The events of a chunk. Call paths are numbers of the whole trace.
class ChunkOfEvents {
 public:
  explicit ChunkOfEvents(std::size_t location = 0, bool last = false) {
    chunk_.location = LocationId{location};
    chunk_.last = last;
  }

  ChunkOfEvents& enter(Time t, std::uint32_t callpath = 0) { return move(EventType::enter, t, callpath); }
  ChunkOfEvents& exit(Time t, std::uint32_t callpath = 0) { return move(EventType::exit, t, callpath); }
  ChunkOfEvents& event(EventType type, Time t, std::vector<std::uint64_t> attributes = {}) {
    return add(type, t, std::move(attributes), false);
  }
  /// An event that takes part in linking.
  ChunkOfEvents& linked(EventType type, Time t, std::vector<std::uint64_t> attributes = {}) {
    return add(type, t, std::move(attributes), true);
  }
  ChunkOfEvents& send(Time t, std::uint64_t to) { return linked(EventType::send, t, {to, 0, 0, 8}); }
  ChunkOfEvents& receive(Time t, std::uint64_t from) { return linked(EventType::recv, t, {from, 0, 0, 8}); }
  /// With the event that comes next, a task's segment begins or ends.
  ChunkOfEvents& task(replay::TaskEvent task) {
    task.event = static_cast<std::uint32_t>(chunk_.events.size());
    chunk_.task_events.push_back(task);
    return *this;
  }

  replay::Chunk& chunk() { return chunk_; }

 private:
  ChunkOfEvents& move(EventType type, Time t, std::uint32_t callpath) {
    writer_.add(chunk_.events, type, t, callpath);
    return *this;
  }
  ChunkOfEvents& add(EventType type, Time t, std::vector<std::uint64_t> attributes, bool is_linked) {
    attributes.resize(8);
    writer_.add(chunk_.events, type, t, attributes.data(), {}, 0, is_linked);
    return *this;
  }

  replay::Chunk chunk_;
  replay::EventRowWriter writer_;
};

}  // namespace waitstate::support

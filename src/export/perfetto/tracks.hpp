// The tracks of a timeline: the trace, its machines and nodes, processes, threads; beside each thread the tasks that
// take turns with it, its wait states and its counters. A track is written when something is first shown on it, behind
// those that it lies below. Its place among its siblings follows the order of ranks and threads, whenever it is
// written.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "export/perfetto/track_events.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::exports {

class Tracks {
 public:
  using Uuid = TrackEvents::Uuid;

  /// `description` describes the whole trace, at the root of all tracks.
  Tracks(const Definitions& definitions, TrackEvents& out, std::string description);

  Uuid root();
  Uuid critical_path();
  Uuid waiting_locations();
  /// The regions of a location; `lane` 0 is the thread itself, others show the tasks that it executes between.
  Uuid regions(LocationId location, std::size_t lane);
  /// Wait states of a location; those that overlap are in several lanes.
  Uuid waits(LocationId location, std::size_t lane);
  Uuid counter(LocationId location, MetricMemberId member);

  /// The packet sequence of a location's events; the first one is that of the trace.
  static constexpr TrackEvents::Sequence trace_sequence = 1;
  static TrackEvents::Sequence sequence(LocationId location) { return location.value + 2; }

  /// "rank 2 thread 1".
  const std::string& label(LocationId location);
  /// Its number among the texts of annotations.
  std::uint32_t label_text(LocationId location);

 private:
  struct OfLocation {
    std::vector<Uuid> regions, waits;
    std::map<MetricMemberId, Uuid> counters;
    std::string label;
    std::optional<std::uint32_t> label_text;
  };
  Uuid add(Uuid parent, std::string name, std::size_t order, std::string description = {});
  Uuid node(SystemNodeId id, std::size_t depth = 0);
  Uuid process(ProcessId id);
  Uuid owner(LocationId location);
  std::size_t place(LocationId location) const;
  std::string thread_name(LocationId location);

  const Definitions& definitions_;
  TrackEvents& out_;
  std::string description_;
  Uuid last_ = 0, root_ = 0, critical_path_ = 0, waiting_locations_ = 0;
  std::vector<std::size_t> first_process_;  ///< by node of the system tree: the first one in it
  std::map<SystemNodeId, Uuid> nodes_;
  std::map<ProcessId, Uuid> processes_;
  std::vector<OfLocation> locations_;
};

}  // namespace waitstate::exports

// The calls of a trace with the records in them, all held at once, and the graph to which the steps of making a
// DependencyGraph add vertices, edges and points. Each kind of operation is a step of its own, which looks at records
// as the definitions of wait states are written down, without the tables that one pass needs: so one pass can be
// compared with it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "access/dependencies/elements.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate::access {

class DependencyParts {
 public:
  using VertexIndex = boost::graph_traits<DependencyElements>::vertex_descriptor;
  using VertexKind = DependencyVertexKind;
  using EdgeKind = DependencyEdgeKind;
  using PointKind = causes::PointKind;

  struct Call {
    LocationId location;
    CallPathId callpath;
    RegionId region;
    MpiFunction function{};
    Time enter = 0, exit = 0;
    Position enter_pos = 0, exit_pos = 0;
  };
  struct Record {
    Event event;
    std::size_t call;
  };
  /// A record in a call, or the begin or end of the call.
  struct RecordInCall {
    VertexKind kind;
    std::size_t call;
    Time time;
    Position pos;
  };

  DependencyParts(const EventTrace& from, bool with_all_waits, DependencyElements& to);

  VertexIndex add(const DependencyVertex& vertex) { return boost::add_vertex(vertex, graph); }
  VertexIndex add(const RecordInCall& place);
  /// A record that counts for itself, whatever call it is in.
  static DependencyVertex instant(VertexKind kind, LocationId location, CallPathId callpath, Time time, Position pos) {
    return {.kind = kind,
            .location = location,
            .callpath = callpath,
            .enter = time,
            .exit = time,
            .time = time,
            .enter_pos = pos,
            .pos = pos};
  }
  boost::graph_traits<DependencyElements>::edge_descriptor edge(VertexIndex from, VertexIndex to, EdgeKind kind,
                                                                bool awaited) {
    return boost::add_edge(from, to, DependencyEdge{kind, awaited}, graph).first;
  }
  /// Makes a vertex a point of causes.
  void point(VertexIndex v, std::optional<PointKind> kind, Ticks wait, Ticks completion, std::vector<LocationId> met);
  /// One that waits for another one, by the plain rules.
  void add_pair(PointKind kind, Ticks wait, const RecordInCall& awaited, const RecordInCall& waiting);
  /// One that waits for a lock to be released, from the enter of its call on; to it the call lasts until `done`.
  void add_released(PointKind kind, Ticks wait, const Record& release, const RecordInCall& waiting, Time done);

  ProcessId process_of(LocationId l) const {
    return l.index() < definitions.locations.size() ? definitions[l].process : ProcessId::none();
  }
  RegionClass class_of(const Call& call) const {
    return call.region.index() < definitions.regions.size() ? definitions[call.region].region_class : RegionClass::comp;
  }
  static Ticks ticks(Time from, Time to) { return static_cast<Ticks>(to) - static_cast<Ticks>(from); }

  const EventTrace& trace;
  const Definitions& definitions;
  const bool all_waits;
  DependencyElements& graph;
  std::map<LocationId, std::pair<std::optional<Event>, std::optional<Event>>> events_of;  ///< first and last
  std::vector<Call> calls;
  std::unordered_map<Position, std::size_t> call_at;  ///< by enter
  std::map<Position, Record> records;                 ///< in calls
};

/// A step: adds what one kind of operation means to the parts, which must outlive it.
class DependencyStep {
 public:
  explicit DependencyStep(DependencyParts& parts) : parts_(parts) {}

 protected:
  using VertexIndex = DependencyParts::VertexIndex;
  using VertexKind = DependencyParts::VertexKind;
  using EdgeKind = DependencyParts::EdgeKind;
  using PointKind = DependencyParts::PointKind;
  using Call = DependencyParts::Call;
  using Record = DependencyParts::Record;

  DependencyParts& parts_;
};

}  // namespace waitstate::access

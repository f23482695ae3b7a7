// The vertices and edges of a DependencyGraph.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "causes/kinds.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::access {

enum class DependencyVertexKind : std::uint8_t {
  begin,
  poll,  ///< the call in which a message is found, after polls that did not find it
  request,
  arrival,
  send,
  receive,
  departure,
  completion,
  fork,  ///< a thread enters the parallel region of its team
  join,
  end
};
enum class DependencyEdgeKind : std::uint8_t {
  work,
  message,
  late_receiver,
  collective,
  fork,          ///< to the threads of a team
  team_barrier,  ///< between the threads of a team
  idle,          ///< in place of work, where a thread is between parallel regions
  task,          ///< to a thread that had none
  device         ///< from the launch of a kernel, to who waits for it
};

struct DependencyVertex {
  DependencyVertexKind kind{};
  LocationId location{};
  CallPathId callpath{};               ///< the call's; none at the begin and the end
  Time enter = 0, exit = 0, time = 0;  ///< the call's, and the time of the record in it
  Position enter_pos = no_position, pos = no_position;
  Ticks wait = 0;  ///< for whom `awaited` edges come from; of MPI_Finalize for nobody in particular
  // Only points of causes have these:
  std::optional<causes::PointKind> point{};  ///< kind of the wait that a point of causes is about
  Ticks completion = 0;                      ///< part of the call after all partners had come
  std::vector<LocationId> met{};             ///< ascending
  std::vector<LocationId> members{};         ///< all of the operation's communicator, if it is of one
};
struct DependencyEdge {
  DependencyEdgeKind kind{};
  bool awaited =
      false;  ///< true for forks and barriers of teams even where the wait took no time: the path goes on there
  bool leads_back = true;  ///< the path goes on there: not on a stream of which no launch is known
};
using DependencyElements =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, DependencyVertex, DependencyEdge>;

}  // namespace waitstate::access

// Marks in the work of a location (causes/work_log.hpp): where its time begins to belong to somebody else, and what the
// trace lacks of its calls.
#pragma once

#include <cstdint>

#include "waitstate/trace/ids.hpp"

namespace waitstate::replay {

/// An event of a location that decides whose time its time is.
struct WorkMark {
  enum class Kind : std::uint16_t {
    fork,        ///< the location forks a team, in which it will be the first thread
    part,        ///< a thread of a team begins its part, also the one that has forked
    inner_part,  ///< a part in a team that it has forked within another one
    region,      ///< after either: it enters the parallel region
    join,        ///< the end of its latest team
    others,      ///< there are tasks without teams: the location's work is not known from here on
    tasks,       ///< the first explicit task that it creates
    kernel,      ///< a stream begins a kernel
    kernel_end,  ///< a stream ends a kernel
    launch,      ///< a host thread enters a call that launches a kernel
    nested,      ///< the first region that it enters in an MPI or SHMEM call
    // These name something that the trace lacks of a call; they are not in the order of the others. Each is followed by
    // the end of the call.
    without_member,   ///< it is in an operation that lacks a member
    without_partner,  ///< it sends or receives a message whose other half is missing
    without_start,    ///< it completes what has no record of its start
    without_part,     ///< it is of an epoch, or takes a lock, of which a part is missing
    end_of_call,      ///< the end of the call that the mark before is about
    never_completed,  ///< not of a call: a request that was started then, and has no completion in the trace
  };
  LocationId location;
  Kind kind{};
  std::uint16_t number = 0;  ///< among the calls of its location: Call::number; 0 of what the trace lacks
  Time time = 0;
  CallPathId callpath;  ///< the region or call that was entered at `time`; for end_of_call, left
  CommId team{};        ///< the communicator of the team, for a part
};

}  // namespace waitstate::replay

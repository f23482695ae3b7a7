// The time in MPI, split by its use for each call path: the compound event behind the accounting of MPI
// (mpi_accounted).
//
// An MPI call depends on other processes: a receive on the call that started its send, a send on the one that posted
// its receive, a member of a collective operation on those whose data it needs. Before the latest of these dependencies
// the call could not have returned: until then it waited, after that it transferred. A call that depends on nobody is
// local. If the trace lacks the record of a partner, the rest of the call's time is unknown.
#pragma once

#include "waitstate/pattern/fields.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// The time of all calls of one call path on one location that have records of messages or collective operations,
/// except MPI_Init; MPI_Finalize is included if it is known when each process entered it. In ticks, exclusive of
/// callees, as far as it lies in the chosen time. Delivered once everything is read, for each call path and location
/// that has such calls, in their order.
struct MpiAccount {
  CallPathId callpath;
  LocationId location;
  Ticks wait = 0;      ///< time until the latest dependency of each call
  Ticks transfer = 0;  ///< time after the latest dependency
  Ticks local = 0;     ///< time in calls that depend on nobody
  // The rest of the time in calls that have an unknown dependency:
  Ticks without_partner = 0;  ///< the other half of a message is not in the trace
  Ticks without_member = 0;   ///< a member of a collective operation is missing, or its neighbours are not recorded
  Ticks without_start = 0;    ///< an operation that completes in the call has no record of its start
  Ticks without_message = 0;  ///< the call looked for a message, and it is not known which one it found

  static auto fields(auto& e, auto&& f) {
    return f(Field{"callpath", e.callpath}, Field{"location", e.location}, Field{"wait", e.wait},
             Field{"transfer", e.transfer}, Field{"local", e.local}, Field{"without_partner", e.without_partner},
             Field{"without_member", e.without_member}, Field{"without_start", e.without_start},
             Field{"without_message", e.without_message});
  }
  SourceLocation where() const { return {location, 0}; }
};

}  // namespace waitstate

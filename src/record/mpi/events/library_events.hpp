// Events of the MPI library itself (MPI_T of MPI 4.0), if some were asked for with --event.
//
// The library calls back from wherever it is: in any thread, also one of its own, and in the middle of calls that are
// recorded. What an event says is written at once into a stream of its source, a location of its own which is about the
// process, with the source's time stamps; how these lie to the clock of the process is measured at begin and end, and
// said with the location, so that readers convert them. A source without an order has its events sorted in a buffer of
// some thousand; one that comes too late even for that is counted, at the time of the last one.
//
// An event is a metric that counts, for each communicator or window that it belongs to. Two events NAME_begin and
// NAME_end that are both asked for are a region NAME in a stream of its own. The elements of an event, which say more
// of it, are metrics beside it with a value at its time. What the library had to drop is counted, with each event of
// the same name that it does not drop, and at the end.
//
// Callbacks are registered as safe for threads: none comes from a signal handler, but the number of dropped ones may.
// Nothing is asked for under a lock that a callback needs, and a callback calls nothing of MPI but what reads the
// event.
#pragma once

#include <cstdint>

namespace waitstate::record::mpi {

/// After MPI_Init. `first`: this process says what is not there.
void find_events(bool first);
/// Releases all, writes what is left, and measures the sources' clocks again.
void end_events();

/// An object arises (`handle`: where its handle is), and goes.
void follow_events(void* handle, std::uint32_t number, int bind);
void forget_events(std::uint32_t number, int bind);

}  // namespace waitstate::record::mpi

// How far the clocks of other nodes are from that of rank 0.
//
// Processes of one node read one clock: between them nothing is measured, because a message between processes that
// share cores takes milliseconds now and then, and what would be measured is that. Of each further node one process
// measures with rank 0: rounds there and back, until the shortest has not become shorter for 20 rounds (at most 200, or
// 20 ms); the offset is that of the middle of the shortest round (F. Cristian, Probabilistic clock synchronization,
// 1989), good to half of its length. It tells the others of its node.
#pragma once

#include "record/mpi/next.hpp"

namespace waitstate::record::mpi {

/// Finds out which processes are on which node; collective over `comm`.
void find_nodes(MPI_Comm comm);
/// Measures and defines this process's offset; collective over `comm`.
void measure_clocks(MPI_Comm comm);

}  // namespace waitstate::record::mpi

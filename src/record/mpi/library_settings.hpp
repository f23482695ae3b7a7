// Settings of the MPI library (MPI_T control variables) as properties of the trace: which of two runs had what.
//
// By default those that somebody has set, in the environment or in a file of Open MPI's parameters: MPI_T does not say
// what a variable's default is. Values are read in a process of their own, because libraries do not survive every read.
#pragma once

namespace waitstate::record::mpi {

/// Whether any are asked for.
bool records_library_settings();
/// After MPI_Init.
void record_library_settings();

}  // namespace waitstate::record::mpi

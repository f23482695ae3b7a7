// The functions of MPI that this recorder knows, and whether the library that it has met has others: their calls pass
// unseen, and the trace must say so.
#pragma once

namespace waitstate::record::mpi {

/// Names of all functions in functions.def, without "MPI_"; a null pointer ends the list. Made by generate.py.
extern const char* const known_functions[];
/// Names of the functions that the mpi.h of the build lacks and later.def has; a null pointer ends the list.
extern const char* const later_functions[];
/// True in a library that wraps them; a library without them does not have this.
extern const bool wraps_later_functions __attribute__((weak));

/// Notes in the trace which functions of the MPI library have no wrapper here, and a version of MPI that came after the
/// newest one which is known.
void note_unknown_functions();

}  // namespace waitstate::record::mpi

// The functions of MPI whose wrappers are written by hand: beginning, end, and regions of the program's own.
#pragma once

#include "record/mpi/next.hpp"

namespace waitstate::record::mpi {

int own_MPI_Init(int (*next)(int*, char***), int* count, char*** arguments);
int own_MPI_Init_thread(int (*next)(int*, char***, int, int*), int* count, char*** arguments, int required,
                        int* provided);
int own_MPI_Finalize(int (*next)());
int own_MPI_Abort(int (*next)(MPI_Comm, int), MPI_Comm comm, int code);

}  // namespace waitstate::record::mpi

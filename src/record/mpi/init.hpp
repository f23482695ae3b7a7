// The functions of MPI whose wrappers are written by hand: beginning and end.
#pragma once

#include "record/mpi/next.hpp"

namespace waitstate::record::mpi {

int own_MPI_Init(int (*next)(int*, char***), int* count, char*** arguments);
int own_MPI_Init_thread(int (*next)(int*, char***, int, int*), int* count, char*** arguments, int required,
                        int* provided);
int own_MPI_Session_init(int (*next)(MPI_Info, MPI_Errhandler, MPI_Session*), MPI_Info info, MPI_Errhandler handler,
                         MPI_Session* session);
int own_MPI_Finalize(int (*next)());

}  // namespace waitstate::record::mpi

// Sessions of MPI 4: programs, and libraries in them, that use MPI without MPI_Init, or beside it.
//
// MPI_Session_init is called by each process for itself, so its recorder begins alone, without a message: it finds its
// rank in the process set mpi://WORLD and joins the folder of the run (core/run_folder.hpp). As a program may open
// further sessions at any time, the recording ends with the process, or with MPI_Finalize if it calls MPI_Init too.
#pragma once

#include "record/mpi/next.hpp"

namespace waitstate::record::mpi {

int own_MPI_Session_init(int (*next)(MPI_Info, MPI_Errhandler, MPI_Session*), MPI_Info info, MPI_Errhandler handler,
                         MPI_Session* session);
int own_MPI_Session_finalize(int (*next)(MPI_Session*), MPI_Session* session);

}  // namespace waitstate::record::mpi

// All processes of the program: MPI_COMM_WORLD between MPI_Init and MPI_Finalize, the process set mpi://WORLD in a
// session of MPI 4.
#pragma once

#include "record/mpi/next.hpp"

namespace waitstate::record::mpi {

/// True from MPI_Init to MPI_Finalize: there is an MPI_COMM_WORLD.
bool has_world();
void set_world(bool is_there);

void add_session(MPI_Session session);
void remove_session(MPI_Session session);
bool has_opened_session();  ///< at any time
bool has_open_session();    ///< now

/// The group mpi://WORLD of a session; the caller frees it. False if there is none.
bool find_world_of(MPI_Session session, MPI_Group& group);
/// The group of all processes, by MPI_COMM_WORLD or, without it, by a session that is open; the caller frees it. False
/// if there is neither.
bool find_world_group(MPI_Group& group);

}  // namespace waitstate::record::mpi

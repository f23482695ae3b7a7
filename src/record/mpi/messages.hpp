// Messages of blocking calls, and the beginning of those that have a request.
#pragma once

#include "record/mpi/call.hpp"

namespace waitstate::record::mpi {

inline std::uint64_t bytes_of(std::int64_t count, MPI_Datatype type) {
  int size = 0;
  if (count <= 0 || real::Type_size(type, &size) != MPI_SUCCESS || size < 0) return 0;
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

void own_status(MpiCall& c, MPI_Status*& status);
void sends(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
void receives(MpiCall& c, int from, int tag, MPI_Comm comm, MPI_Status*& status);
void received(MpiCall& c, const MPI_Status* status);
void sends_and_receives(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, int from, int receive_tag,
                        MPI_Comm comm, MPI_Status*& status);
void starts_send(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, MPI_Comm comm);
void starts_receive(MpiCall& c, int from, int tag, MPI_Comm comm);
void starts_both(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, std::int64_t receive_count,
                 MPI_Datatype receive_type, int from, int receive_tag, MPI_Comm comm);
// Calls that look for messages; see probe_records.hpp.
void probes(MpiCall& c, int from, int tag, MPI_Comm comm, MPI_Status*& status);
void probed(MpiCall& c, MPI_Comm comm, const MPI_Status* status);
/// A probe that need not find anything.
void looks(MpiCall& c, MPI_Status*& status);
void looked(MpiCall& c, const int* flag);
void probed_if(MpiCall& c, const int* flag, MPI_Comm comm, const MPI_Status* status);
void found(MpiCall& c, MPI_Comm comm, const MPI_Message* message, const MPI_Status* status);
void found_if(MpiCall& c, const int* flag, MPI_Comm comm, const MPI_Message* message, const MPI_Status* status);
void receives_found(MpiCall& c, const MPI_Message* message, MPI_Status*& status);
void received_found(MpiCall& c, const MPI_Status* status);
void starts_found(MpiCall& c, const MPI_Message* message);

std::uint64_t received_bytes(const MPI_Status* status);
/// A receive that has no record.
Unrecorded received_as(const Comm& comm, const MPI_Status& status);

/// Sends and receives whose communicator has processes of another MPI_COMM_WORLD: they have no record.
std::uint64_t messages_of_other_worlds();

}  // namespace waitstate::record::mpi

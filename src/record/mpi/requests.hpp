// Requests: what is behind a handle, and the calls that complete it.
//
// Handles are shared: both MPIs give one and the same handle to all sends that were complete at their start. So a
// handle has a queue of operations, the oldest first; which of those of a thread a call completes is unknown and does
// not matter, for all of them were complete. The queue also tells apart a handle that the library gives out again while
// another thread has not yet looked up what it completed. Handles are copied before a call, which overwrites them.
#pragma once

#include "record/mpi/call.hpp"

namespace waitstate::record::mpi {

/// The operation in c.operation has this request now.
void started(MpiCall& c, const MPI_Request* request);
void prepared_send(MpiCall& c, std::int64_t count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                   const MPI_Request* request);
void prepared_receive(MpiCall& c, int from, int tag, MPI_Comm comm, const MPI_Request* request);
void prepared_collective(MpiCall& c, const MPI_Request* request);
/// A message in parts, of so many elements each.
void prepared_parts(MpiCall& c, bool sends, std::int64_t partitions, std::int64_t count, MPI_Datatype type, int peer,
                    int tag, MPI_Comm comm, const MPI_Request* request);
void restarts(MpiCall& c, int count, const MPI_Request* requests);

void waits(MpiCall& c, int count, const MPI_Request* requests, MPI_Status*& status);
void waits_all(MpiCall& c, int count, const MPI_Request* requests, MPI_Status*& statuses);
void completed(MpiCall& c, int count, const MPI_Request* requests, const MPI_Status* statuses);
void completed_one(MpiCall& c, const int* index, const MPI_Request* requests, const MPI_Status* status);
void completed_some(MpiCall& c, const int* count, const int* indices, const MPI_Request* requests,
                    const MPI_Status* statuses);
void tested(MpiCall& c, const int* flag, int count, const MPI_Request* requests, const MPI_Status* statuses);
void tested_one(MpiCall& c, const int* flag, const int* index, const MPI_Request* requests, const MPI_Status* status);
void tested_some(MpiCall& c, const int* count, const int* indices, const MPI_Request* requests,
                 const MPI_Status* statuses);
void frees(MpiCall& c, const MPI_Request* request);
void cancels(MpiCall& c, const MPI_Request* request);

/// Receives that were freed before they were complete: nothing can be recorded of them.
std::uint64_t freed_receives();

}  // namespace waitstate::record::mpi

// One-sided communication: windows, epochs, and what is pending in them.
//
// The records are those that Score-P 8 writes: collective ones around the creation, the fences and the end of a window,
// group records for the four calls of general active target synchronisation, a request for a lock and its release
// (behind the completions of that call, where there are any), but no acquisition: MPI_Win_lock need not wait for it. An
// operation is pending until a call completes it: that call has its RmaOpCompleteNonBlocking, and RmaOpCompleteRemote
// if it is complete at the target too.
#pragma once

#include <string_view>

#include "record/mpi/communicators.hpp"

namespace waitstate::record::mpi {

inline constexpr OTF2_RmaAtomicType ACCUMULATE = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE,
                                    FETCH_AND_ACCUMULATE = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE,
                                    COMPARE_AND_SWAP = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;

void opens(MpiCall& c);
void opened(MpiCall& c, std::string_view kind, MPI_Comm comm, const MPI_Win* win, bool allocates);
void closes(MpiCall& c, const MPI_Win* win);
void closed(MpiCall& c);
void named_window(MpiCall& c, MPI_Win win, const char* name);

void fences(MpiCall& c, MPI_Win win);
void fenced(MpiCall& c);
/// `access`: MPI_Win_start and _complete; else MPI_Win_post and _wait.
void starts_epoch(MpiCall& c, MPI_Group group, MPI_Win win, bool access);
void ends_epoch(MpiCall& c, MPI_Win win, bool access);
void ended_epoch(MpiCall& c, bool access);
void ended_epoch_if(MpiCall& c, const int* flag);
/// `target` -1: all.
void locks(MpiCall& c, MPI_Win win, int target, bool exclusive);
void unlocks(MpiCall& c, MPI_Win win, int target);
void unlocked(MpiCall& c);
void flushes(MpiCall& c, MPI_Win win, int target);
void flushed(MpiCall& c, bool remote);

void put(MpiCall& c, std::int64_t count, MPI_Datatype type, int target, MPI_Win win);
void get(MpiCall& c, std::int64_t count, MPI_Datatype type, int target, MPI_Win win);
void atomic(MpiCall& c, std::int64_t count, MPI_Datatype type, std::int64_t result_count, MPI_Datatype result_type,
            int target, MPI_Win win, OTF2_RmaAtomicType kind);
/// The request of an operation is complete; false if a flush or the end of an epoch has completed it before.
bool completed_here(Window& window, std::uint64_t match);
/// The operation of this call has a request.
void has_request(MpiCall& c);

}  // namespace waitstate::record::mpi

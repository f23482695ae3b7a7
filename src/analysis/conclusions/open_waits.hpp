// Finds out what the calls in which a trace ends wait for, and which processes hold up which.
//
// A receive, a collective or an epoch has no record before it is over, so most traces do not tell. The recorder of this
// project therefore notes at the end of a run what each call waits for (a property of the location,
// "WAITSTATE::WAITS.n"; see src/record); records of other recorders tell whom a message was sent to and which lock was
// requested. The members missing from an operation are those that have not reached it.
//
// Cost: the number of calls that are open at the end, times the number of members of their communicators.
#pragma once

#include <set>
#include <vector>

#include "link/linker.hpp"
#include "link/rma/rma.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// Locks that are held when the trace ends: of windows, and of threads.
struct HeldLocks {
  std::vector<link::HeldLock> of_windows;
  std::vector<link::HeldThreadLock> of_threads;
};

/// The waits of one call, without the members that a collective operation or an epoch waits for.
std::vector<OpenWait> waits_of(const link::Linker::OpenCall& call, const HeldLocks& held,
                               const Definitions& definitions);

/// Adds to collective operations and epochs the members that are in no such call, and to MPI_Finalize the processes
/// that are not there; `ended`: processes that have left all regions.
void find_missing_members(std::vector<OpenCall>& calls, const Definitions& definitions,
                          const std::set<ProcessId>& ended);

/// Adds to calls that receive or look for a message the messages, among those that nobody received, that their process
/// was sent: by whom they wait for, as far as that is known.
void find_unreceived(std::vector<OpenCall>& calls, const std::vector<link::Linker::Leftover>& leftovers,
                     const Definitions& definitions);

}  // namespace waitstate::analysis

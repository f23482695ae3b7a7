// MPI's offers to tools, as far as they are recorded: variables, settings and events of the library, which arise,
// follow objects and end at the same points of a run.
#pragma once

#include "record/mpi/next.hpp"

namespace waitstate::record {
struct Thread;
}

namespace waitstate::record::mpi {

/// Before MPI_Init.
void prepare_tools();
/// After it, before any communicator is defined. `first`: this process says what is not there.
void find_tools(bool first);
/// When all is defined that there is from the beginning.
void start_tools();
/// The process comes to its end: in no call of the library's.
void end_tools();

void follow(MPI_Comm comm, std::uint32_t number);
void follow_window(MPI_Win win, std::uint32_t number);
/// Before the object is freed, in a call that has been entered.
void forget_comm(Thread& t, std::uint64_t time, std::uint32_t number);
void forget_window(Thread& t, std::uint64_t time, std::uint32_t number);

}  // namespace waitstate::record::mpi

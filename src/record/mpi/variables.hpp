// Performance variables of the MPI library (MPI_T) as metrics of the trace, for who asked for some with --pvar.
//
// The recorder has a session of its own, so a program that starts, stops or resets variables of its own session is not
// disturbed, and MPI_T_finalize is never called: libraries do not survive it before or after MPI_Finalize. Variables
// are looked up after MPI_Init, because many are registered there. One that belongs to communicators or windows has a
// handle for each, made as the object arises and freed before the object is.
//
// Values are read where a recorded call of the main thread ends, before its Leave, so what has changed in a call is in
// that call's path; a value that has not changed since is not written. A variable of several elements, such as one for
// each peer, becomes one number: their sum; of watermarks the extreme one, of percentages the mean.
#pragma once

#include "record/mpi/next.hpp"

namespace waitstate::record {
struct Thread;
}

namespace waitstate::record::mpi {

extern bool reads_variables;

/// Before MPI_Init, in which some libraries would miss that a tool will ask.
void prepare_variables();
/// After it: the session, and the variables that belong to no object. `first`: this process says what is not there.
void find_variables(bool first);
void end_variables();

void follow(MPI_Comm comm, std::uint32_t number);
void follow_window(MPI_Win win, std::uint32_t number);
/// Their last values, and the end of their handles. In a call that has been entered.
void forget_comm(Thread& t, std::uint64_t time, std::uint32_t number);
void forget_window(Thread& t, std::uint64_t time, std::uint32_t number);

void read_variables(Thread& t, std::uint64_t time);

}  // namespace waitstate::record::mpi

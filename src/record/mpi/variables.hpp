// Performance variables of the MPI library (MPI_T) as metrics of the trace, if some were asked for with --pvar.
//
// The recorder has a session of its own, so a program that starts, stops or resets variables of its own session is not
// disturbed. Variables are looked up after MPI_Init, because many are registered there. One that belongs to
// communicators or windows has a handle for each, made as the object arises and freed before the object is.
//
// Values are read where a recorded call of the main thread ends, before its Leave, so what has changed in a call is in
// that call's path; a value that has not changed since is not written. Or a thread of the recorder reads them every so
// often: all values, into a location of their own, which is about the process. A variable of several elements, such as
// one for each peer, becomes one number: their sum; of watermarks the extreme one, of percentages the mean.
#pragma once

#include "record/mpi/next.hpp"

namespace waitstate::record {
struct Thread;
}

namespace waitstate::record::mpi {

/// At the end of calls.
extern bool reads_variables;

/// After MPI_Init: the session, and the variables that belong to no object. `first`: this process says what is not
/// there.
void find_variables(bool first);
/// Begins to read them beside the program, if that was asked for.
void sample_variables();
void end_variables();

/// An object arises (`handle`: where its handle is), and goes: their last values, in a call that has been entered.
void follow_variables(void* handle, std::uint32_t number, int bind);
void forget_variables(Thread& t, std::uint64_t time, std::uint32_t number, int bind);

/// `last`: nothing will be read after it.
void read_variables(Thread& t, std::uint64_t time, bool last = false);

}  // namespace waitstate::record::mpi

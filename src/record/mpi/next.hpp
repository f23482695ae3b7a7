// The functions of the MPI library behind this one, and its predefined objects.
//
// A wrapper passes a call on to the next library that has the function under the same name, so that other tools in
// front and behind see it too; the recorder's own calls (real::X, in the generated real.hpp) go to the next PMPI_X.
// They are looked up when they are first called: most processes that load this library, such as shells and launchers,
// are no MPI programs. Python loads the MPI library privately, where a look-up behind us does not find it; then it is
// asked for by name. Open MPI's predefined objects are variables: their addresses come from the library, not from the
// linker, which could not resolve them in a process without MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#define RECORD_EXPORT __attribute__((visibility("default")))

#if MPI_VERSION < 4
using MPI_Session = struct SessionOfLaterMpi*;  // handles have one form in a library
#endif

namespace waitstate::record::mpi {

extern void* next_functions[];

/// A function of the MPI library behind this one; null if it has none of that name.
void* find_function(const char* name);
/// Looks up a function of the MPI library; ends the program with a sentence if there is none: it was called.
void* look_up(unsigned index, const char* name);

template <class Function>
Function next(unsigned index, const char* name) {
  void* const known = next_functions[index];
  return reinterpret_cast<Function>(known != nullptr ? known : look_up(index, name));
}

#ifdef OPEN_MPI
struct Predefined {
  void *comm_world, *comm_self, *comm_null, *request_null, *message_no_proc, *group_null, *win_null, *byte, *int64,
      *info_null, *errhandler_null, *errors_are_fatal;
};
extern Predefined predefined;  // after find_predefined()
#undef MPI_COMM_WORLD
#undef MPI_COMM_SELF
#undef MPI_COMM_NULL
#undef MPI_REQUEST_NULL
#undef MPI_MESSAGE_NO_PROC
#undef MPI_GROUP_NULL
#undef MPI_WIN_NULL
#undef MPI_BYTE
#undef MPI_INT64_T
#undef MPI_ERRHANDLER_NULL
#undef MPI_ERRORS_ARE_FATAL
#define MPI_COMM_WORLD (static_cast<MPI_Comm>(predefined.comm_world))
#define MPI_COMM_SELF (static_cast<MPI_Comm>(predefined.comm_self))
#define MPI_COMM_NULL (static_cast<MPI_Comm>(predefined.comm_null))
#define MPI_REQUEST_NULL (static_cast<MPI_Request>(predefined.request_null))
#define MPI_MESSAGE_NO_PROC (static_cast<MPI_Message>(predefined.message_no_proc))
#define MPI_GROUP_NULL (static_cast<MPI_Group>(predefined.group_null))
#define MPI_WIN_NULL (static_cast<MPI_Win>(predefined.win_null))
#define MPI_BYTE (static_cast<MPI_Datatype>(predefined.byte))
#define MPI_INT64_T (static_cast<MPI_Datatype>(predefined.int64))
#define MPI_ERRHANDLER_NULL (static_cast<MPI_Errhandler>(predefined.errhandler_null))
#define MPI_ERRORS_ARE_FATAL (static_cast<MPI_Errhandler>(predefined.errors_are_fatal))
#endif

void find_predefined();

/// A handle as a number; equal handles give equal ones.
template <class Handle>
std::uintptr_t key_of(Handle handle) {
  if constexpr (sizeof(Handle) == sizeof(void*))
    return reinterpret_cast<std::uintptr_t>(handle);
  else
    return static_cast<unsigned>(handle);
}

}  // namespace waitstate::record::mpi

#include "record/mpi/real.hpp"  // generated

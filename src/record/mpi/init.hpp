// The functions of MPI whose wrappers are written by hand: beginning and end. Those of sessions are in sessions.hpp.
#pragma once

#include <cstdint>
#include <string>

#include "record/core/recorder.hpp"
#include "record/mpi/next.hpp"

namespace waitstate::record::mpi {

int own_MPI_Init(int (*next)(int*, char***), int* count, char*** arguments);
int own_MPI_Init_thread(int (*next)(int*, char***, int, int*), int* count, char*** arguments, int required,
                        int* provided);
int own_MPI_Finalize(int (*next)());

/// False if handles of the MPI that is loaded have another form than those of this library; it is told then.
bool is_recordable();
/// Like begin(), with what the trace says of the MPI library.
bool begin_process(const std::string& folder, const ProcessInfo& process, std::uint64_t start);

}  // namespace waitstate::record::mpi

// Where recording begins in a program without MPI: at the first record of its threads.
#pragma once

#include <cstdint>

namespace waitstate::record {

/// Begins the recording of a program that is not one of many; nothing in the libraries for MPI and SHMEM, where their
/// functions begin it, and nothing if it has begun.
void begin_without_mpi();

/// A number of a lock that no other lock of the process has, and none of another one if no process has 65,536 locks.
std::uint32_t lock_number(std::uint64_t own);

}  // namespace waitstate::record

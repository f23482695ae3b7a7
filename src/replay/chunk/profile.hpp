// The profile of one location's call paths, which it tells alone: times, visits, bytes sent.
#pragma once

#include <cstdint>

#include "waitstate/trace/ids.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::replay {

/// The profile of a call path on one location.
struct Profile {
  /// mpi_world: MPI_Init, MPI_Finalize; shmem_world: shmem_init, shmem_finalize, …
  // clang-format off
  enum class Kind : std::uint8_t {
    plain, mpi, mpi_world, mpi_search, shmem, shmem_world, omp_barrier, omp_taskwait, lock, device_sync, device_launch, kernel
  };
  // clang-format on

  Ticks time = 0;  ///< exclusive of callees
  std::uint64_t visits = 0;
  Kind kind{};                    ///< kind of its region, for the stages that look at several locations
  MpiFunction function{};         ///< MPI function of its region
  bool outside = false;           ///< time of a created thread outside of its regions; the call path is its creation's
  std::uint64_t sends = 0;        ///< messages sent with at least one byte
  std::uint64_t empty_sends = 0;  ///< messages sent with zero bytes
  std::uint64_t bytes_sent = 0;
  std::uint64_t collectives[4] = {};  ///< blocking, by bytes: none, sent only, received only, both
  std::uint64_t collective_bytes_sent = 0, collective_bytes_received = 0;
  std::uint64_t file_bytes = 0;  ///< read and written by operations on files of MPI
  Ticks fork = 0;                ///< ticks from the fork to the enter of a parallel region; not in `time`
  Ticks join = 0;                ///< ticks from the exit of a parallel region to the join; not in `time`
  Ticks off = 0;                 ///< with the measurement switched off; not in `time`
};

/// Adds bytes, which damaged sizes can make too many for 64 bits: then there are 2^64 - 1.
inline void add_bytes(std::uint64_t& sum, std::uint64_t bytes) {
  if (__builtin_add_overflow(sum, bytes, &sum)) sum = ~std::uint64_t{0};
}

struct PathProfile {
  std::uint32_t callpath = 0;
  Profile profile;
};

}  // namespace waitstate::replay

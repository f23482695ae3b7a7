// OpenSHMEM: what is recorded in a call, and the life of a recorded program.
//
// One window, "All PEs"; active sets of fewer PEs have windows of their own. Transfers are complete in their call,
// those with _nbi in the next quiet or barrier of all. A lock is asked for when its call begins and had when it ends;
// its number is its place in symmetric memory, the same on all PEs. The archive is written before the library's
// shmem_finalize, which does not always return.
#pragma once

#include <shmem.h>

#include <cstddef>
#include <cstdint>

#include "record/core/recorder.hpp"

#define RECORD_EXPORT __attribute__((visibility("default")))

namespace waitstate::record::shmem {

struct ShmemCall : Call {
  using Call::Call;
  std::uint64_t match = 0;
  std::uint32_t window = undefined;
  std::uint64_t members = 0;  ///< number of members of the active set
  int place = 0;              ///< in it
};

void* look_up(const char* name);
template <class Function>
Function next_of(void*& known, const char* name) {
  if (known == nullptr) known = look_up(name);
  return reinterpret_cast<Function>(known);
}

inline bool records() {
  static const bool all = (settings().groups & group::shmem) != 0;
  return all;
}
inline std::uint32_t region(std::uint32_t& known, const char* name, OTF2_RegionRole role) {
  if (known == 0) known = define_region(name, OTF2_PARADIGM_SHMEM, role) + 1;
  return known - 1;
}

void put(ShmemCall& c, std::uint64_t bytes, int pe);
void get(ShmemCall& c, std::uint64_t bytes, int pe);
void atomic(ShmemCall& c, std::uint64_t bytes, bool returns, int pe);
/// `pending`: until the next quiet.
void moved(ShmemCall& c, bool pending);
void quiet(ShmemCall& c);
void waited(ShmemCall& c);
void asks_for_lock(ShmemCall& c, const volatile long* lock);
void has_lock(ShmemCall& c, const volatile long* lock);
void releases_lock(ShmemCall& c, const volatile long* lock);
void tried_lock(ShmemCall& c, const volatile long* lock, bool had);
void begins_collective(ShmemCall& c);
void begins_collective(ShmemCall& c, int start, int log_stride, int size);
std::uint64_t others(const ShmemCall& c);
void ended_collective(ShmemCall& c, OTF2_CollectiveOp op, std::uint64_t sent, std::uint64_t received);
void ended_broadcast(ShmemCall& c, std::uint64_t bytes, int root);

}  // namespace waitstate::record::shmem

// Records what an OpenSHMEM program does, as an OTF2 archive; see record_rma.cpp.
//
//   oshcc -g -c shmem_waits.c && oshc++ -std=c++20 -O2 -c record_shmem.cpp
//   oshc++ shmem_waits.o record_shmem.o -lopen-trace-format2 -o shmem_waits
//   RECORD_DIRECTORY=new_folder oshrun -np 4 ./shmem_waits 2 20000
//
// The profiling interface brings the calls here that the program of this folder makes. One window, "All PEs"; transfers
// are blocking and complete in their call. Unlike Score-P it records when a lock is asked for and when it is had, with
// one number for a lock on all processing elements, and that a wait ended because memory had changed. The archive is
// written when all have come to shmem_finalize, which does not always return. shmem_pcontrol enters (1, name) and
// leaves
// (-1) regions of the program's own.
#include <pshmem.h>
#include <shmem.h>

#include <cstdarg>

#include "recording.hpp"

namespace {

using namespace recording;

struct Call : Region {
  explicit Call(const char* name) : Region("shmem", name) {}
};

std::uint32_t window = 0;
std::vector<std::uint32_t> open_regions;
std::uint64_t matches = 0;
const char symmetric = 0;  // an address that tells how far this process's memory is moved

void end_collective_on_all(OTF2_CollectiveOp op, std::uint64_t root, std::uint64_t sent, std::uint64_t received) {
  record(end_rma_collective, window, root, sent, operation_and_level(op, of_both), received);
}

void transfer(Kind kind, int pe, std::uint64_t bytes) {
  record(kind, window, static_cast<std::uint64_t>(pe), bytes, 0, ++matches);
}

std::uint64_t lock_number(const long* lock) {
  return static_cast<std::uint64_t>(reinterpret_cast<const char*>(lock) - &symmetric);
}

}  // namespace

extern "C" {

void shmem_init() {
  const std::uint64_t begin = now();
  pshmem_init();
  std::string ranks;
  for (int pe = 0; pe < pshmem_n_pes(); ++pe) ranks += (pe == 0 ? "" : ",") + std::to_string(pe);
  const std::uint32_t region = definitions.number("region shmem shmem_init");
  definitions.number("comm " + ranks + " All PEs");
  window = definitions.number("win 0 " + ranks + " All PEs|All PEs");
  records.push_back({begin, enter, region, 0, 0, 0, 0});
  record(win_create, window);
  record(leave, region);
}

void shmem_finalize() {
  {
    const Call c("shmem_finalize");
    pshmem_barrier_all();
    record(win_destroy, window);
  }
  save_part(static_cast<std::size_t>(pshmem_my_pe()));
  pshmem_barrier_all();
  if (pshmem_my_pe() == 0) write_archive(OTF2_PARADIGM_SHMEM, static_cast<std::size_t>(pshmem_n_pes()));
  pshmem_barrier_all();
  pshmem_finalize();
}

void shmem_pcontrol(int level, ...) {
  if (level > 0) {
    va_list arguments;
    va_start(arguments, level);
    open_regions.push_back(definitions.number(std::string("region user ") + va_arg(arguments, const char*)));
    va_end(arguments);
    record(enter, open_regions.back());
  } else if (!open_regions.empty()) {
    record(leave, open_regions.back());
    open_regions.pop_back();
  }
}

void shmem_barrier_all() {
  const Call c("shmem_barrier_all");
  record(begin_rma_collective, 0);
  pshmem_barrier_all();
  end_collective_on_all(OTF2_COLLECTIVE_OP_BARRIER, OTF2_UNDEFINED_UINT32, 0, 0);
}

void shmem_broadcast64(void* to, const void* from, size_t n, int root, int start, int stride, int size, long* sync) {
  const Call c("shmem_broadcast64");
  record(begin_rma_collective, 0);
  pshmem_broadcast64(to, from, n, root, start, stride, size, sync);
  const bool sends = pshmem_my_pe() == start + (root << stride);
  end_collective_on_all(OTF2_COLLECTIVE_OP_BCAST, static_cast<std::uint64_t>(root),
                        sends ? 8 * n * static_cast<std::uint64_t>(size - 1) : 0, sends ? 0 : 8 * n);
}

void shmem_fcollect64(void* to, const void* from, size_t n, int start, int stride, int size, long* sync) {
  const Call c("shmem_fcollect64");
  record(begin_rma_collective, 0);
  pshmem_fcollect64(to, from, n, start, stride, size, sync);
  const std::uint64_t bytes = 8 * n * static_cast<std::uint64_t>(size - 1);
  end_collective_on_all(OTF2_COLLECTIVE_OP_ALLGATHER, OTF2_UNDEFINED_UINT32, bytes, bytes);
}

void shmem_long_sum_to_all(long* to, const long* from, int n, int start, int stride, int size, long* work, long* sync) {
  const Call c("shmem_long_sum_to_all");
  record(begin_rma_collective, 0);
  pshmem_long_sum_to_all(to, from, n, start, stride, size, work, sync);
  const auto bytes = static_cast<std::uint64_t>(8 * n);
  end_collective_on_all(OTF2_COLLECTIVE_OP_ALLREDUCE, OTF2_UNDEFINED_UINT32, bytes, bytes);
}

void shmem_long_put(long* to, const long* from, size_t n, int pe) {
  const Call c("shmem_long_put");
  transfer(put, pe, 8 * n);
  pshmem_long_put(to, from, n, pe);
  record(complete_blocking, window, 0, 0, 0, matches);
}

void shmem_long_p(long* to, long value, int pe) {
  const Call c("shmem_long_p");
  transfer(put, pe, 8);
  pshmem_long_p(to, value, pe);
  record(complete_blocking, window, 0, 0, 0, matches);
}

void shmem_long_get(long* to, const long* from, size_t n, int pe) {
  const Call c("shmem_long_get");
  transfer(get, pe, 8 * n);
  pshmem_long_get(to, from, n, pe);
  record(complete_blocking, window, 0, 0, 0, matches);
}

long shmem_long_atomic_fetch_add(long* at, long value, int pe) {
  const Call c("shmem_long_atomic_fetch_add");
  record(atomic, window, static_cast<std::uint64_t>(pe), 8, std::uint64_t{8} << 8 | OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ADD,
         ++matches);
  const long old = pshmem_long_atomic_fetch_add(at, value, pe);
  record(complete_blocking, window, 0, 0, 0, matches);
  return old;
}

void shmem_long_wait_until(volatile long* cell, int comparison, long value) {
  const Call c("shmem_long_wait_until");
  pshmem_long_wait_until(cell, comparison, value);
  record(wait_change, window);
}

void shmem_set_lock(volatile long* lock) {
  const Call c("shmem_set_lock");
  const std::uint64_t number = lock_number(const_cast<const long*>(lock));
  record(request_lock, window, OTF2_UNDEFINED_UINT32, 0, OTF2_LOCK_EXCLUSIVE, number);
  pshmem_set_lock(lock);
  record(acquire_lock, window, OTF2_UNDEFINED_UINT32, 0, OTF2_LOCK_EXCLUSIVE, number);
}

void shmem_clear_lock(volatile long* lock) {
  const Call c("shmem_clear_lock");
  record(release_lock, window, OTF2_UNDEFINED_UINT32, 0, 0, lock_number(const_cast<const long*>(lock)));
  pshmem_clear_lock(lock);
}

}  // extern "C"

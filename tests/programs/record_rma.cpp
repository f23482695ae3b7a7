// Records what an MPI program does with windows, as an OTF2 archive: for programs with wait states of chosen sizes
// where no tracing tool is at hand, and with MPI libraries or settings that one does not support.
//
//   mpicxx -std=c++20 -O2 -c record_rma.cpp && mpicc -g -c rma_waits.c
//   mpicxx rma_waits.o record_rma.o -lopen-trace-format2 -o rma_waits
//   RECORD_DIRECTORY=new_folder mpirun -np 4 ./rma_waits 2 5000
//
// MPI's profiling interface brings every call here. The records are those that Score-P 8 writes for the same calls: a
// request for a lock and its release (where operations complete in the same call: behind their completion) but no
// acquisition, collective records around the creation, the end and the fences of a window, group records for the four
// calls of general active target synchronisation, and a local (after a flush also a remote) completion of every
// operation in the call that completes it. MPI_Pcontrol(1, name) enters a region of the program's own, MPI_Pcontrol(-1)
// leaves it. Of other communication only MPI_Barrier is recorded.
#include <mpi.h>

#include <cstdarg>

#include "recording.hpp"

namespace {

using namespace recording;

// A call of MPI, from enter to leave.
struct Call : Region {
  explicit Call(const char* name) : Region("mpi", name) {}
};

struct Pending {
  int target;
  std::uint64_t match;
};

struct Window {
  std::uint32_t number;
  MPI_Comm comm;
  MPI_Group started = MPI_GROUP_NULL, posted = MPI_GROUP_NULL;
  std::vector<Pending> pending;
};

std::map<MPI_Win, Window> windows;
std::map<MPI_Request, std::pair<MPI_Win, std::uint64_t>> requests;
std::vector<std::uint32_t> open_regions;
std::uint64_t matches = 0;
int own_rank = 0, created = 0;

void end_collective_on(std::uint32_t window, OTF2_CollectiveOp op, OTF2_RmaSyncLevel level) {
  record(end_rma_collective, window, OTF2_UNDEFINED_UINT32, 0, operation_and_level(op, level));
}

std::string members(MPI_Group group) {
  MPI_Group world;
  int size = 0;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_size(group, &size);
  std::vector<int> from(static_cast<std::size_t>(size)), to(from);
  for (int i = 0; i < size; ++i) from[static_cast<std::size_t>(i)] = i;
  PMPI_Group_translate_ranks(group, size, from.data(), world, to.data());
  PMPI_Group_free(&world);
  std::string text;
  for (const int rank : to) text += (text.empty() ? "" : ",") + std::to_string(rank);
  return text;
}

std::uint32_t communicator(MPI_Comm comm) {
  MPI_Group group;
  char name[MPI_MAX_OBJECT_NAME] = "";
  int length = 0;
  PMPI_Comm_group(comm, &group);
  PMPI_Comm_get_name(comm, name, &length);
  const std::uint32_t number = definitions.number("comm " + members(group) + " " + name);
  PMPI_Group_free(&group);
  return number;
}

int add_window(MPI_Win win, MPI_Comm comm, const char* kind) {
  int number[2] = {own_rank, created++};  // as the first process of the window counts
  PMPI_Bcast(number, 2, MPI_INT, 0, comm);
  Window w;
  w.comm = comm;
  w.number = definitions.number("win " + std::to_string(number[0]) + "." + std::to_string(number[1]) + " " +
                                definitions.keys[communicator(comm)].substr(5) + "|" + kind);
  windows[win] = w;
  record(win_create, w.number);
  return 0;
}

std::uint64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size);
}

std::uint64_t operation(Kind kind, MPI_Win win, int target, std::uint64_t sent, std::uint64_t received = 0,
                        OTF2_RmaAtomicType type = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE) {
  Window& w = windows.at(win);
  const std::uint64_t match = ++matches;
  w.pending.push_back({target, match});
  if (kind == atomic)
    record(atomic, w.number, static_cast<std::uint64_t>(target), sent, received << 8 | type, match);
  else
    record(kind, w.number, static_cast<std::uint64_t>(target), sent, 0, match);
  return match;
}

constexpr int everybody = -1;

// The operations to a target are complete, `remote`: there too.
void complete_operations(MPI_Win win, int target, bool remote, bool locally_only = false) {
  Window& w = windows.at(win);
  std::erase_if(w.pending, [&](const Pending& p) {
    if (target != everybody && p.target != target) return false;
    record(complete, w.number, 0, 0, 0, p.match);
    if (remote) record(complete_remote, w.number, 0, 0, 0, p.match);
    return !locally_only;
  });
}

bool has_pending(MPI_Win win, int target) {
  const std::vector<Pending>& pending = windows.at(win).pending;
  return std::any_of(pending.begin(), pending.end(),
                     [&](const Pending& p) { return target == everybody || p.target == target; });
}

std::uint32_t group_number(MPI_Group group) { return definitions.number("group " + members(group)); }

// What creates a window: collective, and a window afterwards.
template <class F>
int create(const char* name, MPI_Comm comm, MPI_Win* win, bool allocates, F&& call) {
  const Call c(name);
  record(begin_rma_collective, 0);
  const int status = call();
  add_window(*win, comm, name);
  end_collective_on(windows.at(*win).number,
                    allocates ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE : OTF2_COLLECTIVE_OP_CREATE_HANDLE,
                    of_process);
  return status;
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const std::uint32_t region = definitions.number("region mpi MPI_Init");
  record(enter, region);
  const int status = PMPI_Init(argc, argv);
  PMPI_Comm_rank(MPI_COMM_WORLD, &own_rank);
  record(leave, region);
  return status;
}

int MPI_Finalize() {
  {
    const Call c("MPI_Finalize");
    PMPI_Barrier(MPI_COMM_WORLD);
  }
  save_part(static_cast<std::size_t>(own_rank));
  PMPI_Barrier(MPI_COMM_WORLD);
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (own_rank == 0) write_archive(OTF2_PARADIGM_MPI, static_cast<std::size_t>(size));
  return PMPI_Finalize();
}

int MPI_Pcontrol(const int level, ...) {
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
  return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm) {
  const Call c("MPI_Barrier");
  record(begin_collective, 0);
  const int status = PMPI_Barrier(comm);
  record(end_collective, communicator(comm));
  return status;
}

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win) {
  return create("MPI_Win_allocate", comm, win, true,
                [&] { return PMPI_Win_allocate(size, unit, info, comm, base, win); });
}
int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void* base, MPI_Win* win) {
  return create("MPI_Win_allocate_shared", comm, win, true,
                [&] { return PMPI_Win_allocate_shared(size, unit, info, comm, base, win); });
}
int MPI_Win_create(void* base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return create("MPI_Win_create", comm, win, false, [&] { return PMPI_Win_create(base, size, unit, info, comm, win); });
}
int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win* win) {
  return create("MPI_Win_create_dynamic", comm, win, false, [&] { return PMPI_Win_create_dynamic(info, comm, win); });
}

int MPI_Win_attach(MPI_Win win, void* base, MPI_Aint size) {
  const Call c("MPI_Win_attach");
  return PMPI_Win_attach(win, base, size);
}

int MPI_Win_free(MPI_Win* win) {
  const Call c("MPI_Win_free");
  const std::uint32_t number = windows.at(*win).number;
  windows.erase(*win);
  record(begin_rma_collective, 0);
  const int status = PMPI_Win_free(win);
  record(win_destroy, number);
  end_collective_on(number, OTF2_COLLECTIVE_OP_DESTROY_HANDLE, of_process);
  return status;
}

int MPI_Win_fence(int assert, MPI_Win win) {
  const Call c("MPI_Win_fence");
  record(begin_rma_collective, 0);
  const int status = PMPI_Win_fence(assert, win);
  complete_operations(win, everybody, false);
  end_collective_on(windows.at(win).number, OTF2_COLLECTIVE_OP_BARRIER, of_both);
  return status;
}

int MPI_Win_start(MPI_Group group, int assert, MPI_Win win) {
  const Call c("MPI_Win_start");
  PMPI_Group_union(group, MPI_GROUP_EMPTY, &windows.at(win).started);
  record(group_sync, windows.at(win).number, group_number(group), 0, of_process);
  return PMPI_Win_start(group, assert, win);
}
int MPI_Win_post(MPI_Group group, int assert, MPI_Win win) {
  const Call c("MPI_Win_post");
  PMPI_Group_union(group, MPI_GROUP_EMPTY, &windows.at(win).posted);
  record(group_sync, windows.at(win).number, group_number(group), 0, of_process);
  return PMPI_Win_post(group, assert, win);
}
int MPI_Win_complete(MPI_Win win) {
  const Call c("MPI_Win_complete");
  const int status = PMPI_Win_complete(win);
  complete_operations(win, everybody, false);
  record(group_sync, windows.at(win).number, group_number(windows.at(win).started), 0, of_both);
  PMPI_Group_free(&windows.at(win).started);
  return status;
}
int MPI_Win_wait(MPI_Win win) {
  const Call c("MPI_Win_wait");
  const int status = PMPI_Win_wait(win);
  record(group_sync, windows.at(win).number, group_number(windows.at(win).posted), 0, of_both);
  PMPI_Group_free(&windows.at(win).posted);
  return status;
}

int MPI_Win_lock(int type, int target, int assert, MPI_Win win) {
  const Call c("MPI_Win_lock");
  record(request_lock, windows.at(win).number, static_cast<std::uint64_t>(target), 0,
         type == MPI_LOCK_EXCLUSIVE ? OTF2_LOCK_EXCLUSIVE : OTF2_LOCK_SHARED);
  return PMPI_Win_lock(type, target, assert, win);
}
int MPI_Win_unlock(int target, MPI_Win win) {
  const Call c("MPI_Win_unlock");
  const bool pending = has_pending(win, target);
  if (!pending) record(release_lock, windows.at(win).number, static_cast<std::uint64_t>(target));
  const int status = PMPI_Win_unlock(target, win);
  complete_operations(win, target, true);
  if (pending) record(release_lock, windows.at(win).number, static_cast<std::uint64_t>(target));
  return status;
}
int MPI_Win_lock_all(int assert, MPI_Win win) {
  const Call c("MPI_Win_lock_all");
  record(request_lock, windows.at(win).number, OTF2_UNDEFINED_UINT32, 0, OTF2_LOCK_SHARED);
  return PMPI_Win_lock_all(assert, win);
}
int MPI_Win_unlock_all(MPI_Win win) {
  const Call c("MPI_Win_unlock_all");
  const bool pending = has_pending(win, everybody);
  if (!pending) record(release_lock, windows.at(win).number, OTF2_UNDEFINED_UINT32);
  const int status = PMPI_Win_unlock_all(win);
  complete_operations(win, everybody, true);
  if (pending) record(release_lock, windows.at(win).number, OTF2_UNDEFINED_UINT32);
  return status;
}
int MPI_Win_flush(int target, MPI_Win win) {
  const Call c("MPI_Win_flush");
  const int status = PMPI_Win_flush(target, win);
  complete_operations(win, target, true);
  return status;
}
int MPI_Win_flush_all(MPI_Win win) {
  const Call c("MPI_Win_flush_all");
  const int status = PMPI_Win_flush_all(win);
  complete_operations(win, everybody, true);
  return status;
}
int MPI_Win_flush_local(int target, MPI_Win win) {
  const Call c("MPI_Win_flush_local");
  const int status = PMPI_Win_flush_local(target, win);
  complete_operations(win, target, false, true);
  return status;
}
int MPI_Win_sync(MPI_Win win) {
  const Call c("MPI_Win_sync");
  return PMPI_Win_sync(win);
}

int MPI_Put(const void* from, int n, MPI_Datatype type, int target, MPI_Aint at, int m, MPI_Datatype to, MPI_Win win) {
  const Call c("MPI_Put");
  operation(put, win, target, bytes_of(n, type));
  return PMPI_Put(from, n, type, target, at, m, to, win);
}
int MPI_Get(void* to, int n, MPI_Datatype type, int target, MPI_Aint at, int m, MPI_Datatype from, MPI_Win win) {
  const Call c("MPI_Get");
  operation(get, win, target, bytes_of(n, type));
  return PMPI_Get(to, n, type, target, at, m, from, win);
}
int MPI_Accumulate(const void* from, int n, MPI_Datatype type, int target, MPI_Aint at, int m, MPI_Datatype to,
                   MPI_Op op, MPI_Win win) {
  const Call c("MPI_Accumulate");
  operation(atomic, win, target, bytes_of(n, type));
  return PMPI_Accumulate(from, n, type, target, at, m, to, op, win);
}
int MPI_Fetch_and_op(const void* from, void* result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
                     MPI_Win win) {
  const Call c("MPI_Fetch_and_op");
  operation(atomic, win, target, bytes_of(1, type), bytes_of(1, type), OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE);
  return PMPI_Fetch_and_op(from, result, type, target, at, op, win);
}
int MPI_Rput(const void* from, int n, MPI_Datatype type, int target, MPI_Aint at, int m, MPI_Datatype to, MPI_Win win,
             MPI_Request* request) {
  const Call c("MPI_Rput");
  const std::uint64_t match = operation(put, win, target, bytes_of(n, type));
  const int status = PMPI_Rput(from, n, type, target, at, m, to, win, request);
  requests[*request] = {win, match};
  return status;
}
int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Call c("MPI_Wait");
  const auto started = requests.find(*request);
  const int result = PMPI_Wait(request, status);
  if (started != requests.end()) {
    record(complete, windows.at(started->second.first).number, 0, 0, 0, started->second.second);
    requests.erase(started);
  }
  return result;
}

}  // extern "C"

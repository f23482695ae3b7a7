// Records what an MPI program does with windows, as an OTF2 archive: for programs with wait states of chosen sizes
// where no tracing tool is at hand, and with MPI libraries or settings that one does not support.
//
//   mpicxx -std=c++20 -O2 -c record_rma.cpp && mpicc -g -c rma_waits.c
//   mpicxx rma_waits.o record_rma.o -lopen-trace-format2 -o rma_waits
//   RECORD_DIRECTORY=new_folder mpirun -np 4 ./rma_waits 2 5000
//
// MPI's profiling interface brings every call here. A process keeps its events in memory; in MPI_Finalize the first
// process collects them and writes new_folder/traces.otf2, so identifiers need no unification tables. The records are
// those that Score-P 8 writes for the same calls: a request for a lock and its release (where operations complete in
// the same call: behind their completion) but no acquisition, collective records around the creation, the end and the
// fences of a window, group records for the four calls of general active target synchronisation, and a local (after a
// flush also a remote) completion of every operation in the call that completes it. MPI_Pcontrol(1, name) enters a
// region of the program's own, MPI_Pcontrol(-1) leaves it. Of other communication only MPI_Barrier is recorded. One
// thread a process; clocks are those of one node.
#include <mpi.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <string>
#include <vector>

namespace {

enum Kind : std::uint32_t {
  enter,
  leave,
  begin_collective,
  end_collective,
  begin_rma_collective,
  end_rma_collective,
  win_create,
  win_destroy,
  group_sync,
  request_lock,
  release_lock,
  put,
  get,
  atomic,
  complete,
  complete_remote
};

struct Record {
  std::uint64_t time;
  std::uint32_t kind;
  std::uint32_t what;  // region, window, communicator
  std::uint64_t peer, bytes, more, match;
};

// Definitions are written as text, which is the same wherever a thing is the same: its place in `keys` is its number.
struct Definitions {
  std::vector<std::string> keys;
  std::map<std::string, std::uint32_t> numbers;
  std::uint32_t number(const std::string& key) {
    const auto [place, added] = numbers.try_emplace(key, keys.size());
    if (added) keys.push_back(key);
    return place->second;
  }
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

std::vector<Record> records;
Definitions definitions;
std::map<MPI_Win, Window> windows;
std::map<MPI_Request, std::pair<MPI_Win, std::uint64_t>> requests;
std::vector<std::uint32_t> open_regions;
std::uint64_t matches = 0;
int own_rank = 0, created = 0;

std::uint64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

void record(Kind kind, std::uint32_t what, std::uint64_t peer = 0, std::uint64_t bytes = 0, std::uint64_t more = 0,
            std::uint64_t match = 0) {
  records.push_back({now(), kind, what, peer, bytes, more, match});
}

// A call of MPI, from enter to leave.
class Call {
 public:
  explicit Call(const char* name) : region_(definitions.number(std::string("region mpi ") + name)) {
    record(enter, region_);
  }
  ~Call() { record(leave, region_); }

 private:
  std::uint32_t region_;
};

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

// --- the archive, written by the first process -----------------------------------------------------------------------

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

template <class T>
std::vector<std::vector<T>> gather(const std::vector<T>& own) {
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<int> counts(static_cast<std::size_t>(size)), places(counts);
  const int count = static_cast<int>(own.size() * sizeof(T));
  PMPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::size_t total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    places[i] = static_cast<int>(total);
    total += static_cast<std::size_t>(counts[i]);
  }
  std::vector<T> all(own_rank == 0 ? total / sizeof(T) : 0);
  PMPI_Gatherv(own.data(), count, MPI_BYTE, all.data(), counts.data(), places.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  std::vector<std::vector<T>> parts(own_rank == 0 ? counts.size() : 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const T* const first = all.data() + static_cast<std::size_t>(places[i]) / sizeof(T);
    parts[i].assign(first, first + static_cast<std::size_t>(counts[i]) / sizeof(T));
  }
  return parts;
}

class Archive {
 public:
  Archive(const char* directory, std::vector<std::vector<Record>> events) : events_(std::move(events)) {
    archive_ = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) {
      std::fprintf(stderr, "record_rma: cannot write an archive in '%s'; name a folder that does not exist\n",
                   directory);
      std::exit(2);
    }
    static const OTF2_FlushCallbacks flush = {flush_always, nullptr};
    OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    OTF2_Archive_SetCreator(archive_, "waitstate record_rma");
  }

  // `numbers`: of a process's definitions, those of all.
  void write_events(std::size_t rank, const std::vector<std::uint32_t>& numbers) {
    if (rank == 0) OTF2_Archive_OpenEvtFiles(archive_);
    OTF2_EvtWriter* const w = OTF2_Archive_GetEvtWriter(archive_, rank);
    for (const Record& r : events_[rank]) write(w, r, numbers);
    OTF2_Archive_CloseEvtWriter(archive_, w);
    if (rank + 1 == events_.size()) OTF2_Archive_CloseEvtFiles(archive_);
  }

  void write_definitions(const std::vector<std::string>& keys) {
    OTF2_Archive_OpenDefFiles(archive_);
    for (std::size_t rank = 0; rank < events_.size(); ++rank)
      OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, rank));
    OTF2_Archive_CloseDefFiles(archive_);
    global_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const auto& e : events_) {
      first = std::min(first, e.front().time);
      last = std::max(last, e.back().time);
    }
    OTF2_GlobalDefWriter_WriteClockProperties(global_, 1000000000, first, last - first, OTF2_UNDEFINED_TIMESTAMP);
    const OTF2_StringRef none = string("");
    OTF2_GlobalDefWriter_WriteParadigm(global_, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 0, string("machine"), string("machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 1, string("node"), string("node"), 0);
    std::vector<std::uint64_t> world;
    for (std::size_t rank = 0; rank < events_.size(); ++rank) {
      const std::string name = "MPI Rank " + std::to_string(rank);
      OTF2_GlobalDefWriter_WriteLocationGroup(global_, static_cast<std::uint32_t>(rank), string(name),
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, 1, OTF2_UNDEFINED_LOCATION_GROUP);
      OTF2_GlobalDefWriter_WriteLocation(global_, rank, string("Master thread"), OTF2_LOCATION_TYPE_CPU_THREAD,
                                         events_[rank].size(), static_cast<std::uint32_t>(rank));
      world.push_back(rank);
    }
    const auto locations = static_cast<std::uint32_t>(groups_++);
    OTF2_GlobalDefWriter_WriteGroup(global_, locations, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(world.size()), world.data());
    for (std::uint32_t i = 0; i < keys.size(); ++i) write_definition(i, keys[i], keys);
  }

  void close() { OTF2_Archive_Close(archive_); }

  // Groups of the definitions come behind the group of all locations.
  static std::uint32_t group_reference(std::uint32_t number) { return number + 1; }

 private:
  OTF2_StringRef string(const std::string& text) {
    const auto [place, added] = strings_.try_emplace(text, strings_.size());
    if (added) OTF2_GlobalDefWriter_WriteString(global_, place->second, text.c_str());
    return place->second;
  }

  void write_definition(std::uint32_t number, const std::string& key, const std::vector<std::string>& keys) {
    const OTF2_StringRef none = string("");
    if (key.starts_with("region ")) {
      const bool mpi = key.starts_with("region mpi ");
      const OTF2_StringRef name = string(key.substr(key.find(' ', 7) + 1));
      OTF2_GlobalDefWriter_WriteRegion(global_, number, name, name, none, OTF2_REGION_ROLE_FUNCTION,
                                       mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, none, 0, 0);
    } else if (key.starts_with("group ")) {
      group(group_reference(number), key.substr(6));
    } else if (key.starts_with("comm ")) {
      const std::size_t space = key.find(' ', 5);
      group(group_reference(number), key.substr(5, space - 5));
      OTF2_GlobalDefWriter_WriteComm(global_, number, string(key.substr(space + 1)), group_reference(number),
                                     OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    } else {  // win NUMBER COMM|KIND
      const std::size_t space = key.find(' ', 4), bar = key.rfind('|');
      const std::string comm = "comm " + key.substr(space + 1, bar - space - 1);
      const auto at = std::find(keys.begin(), keys.end(), comm);
      OTF2_GlobalDefWriter_WriteRmaWin(global_, number, string(key.substr(bar + 1) + " " + key.substr(4, space - 4)),
                                       static_cast<std::uint32_t>(at - keys.begin()),
                                       OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
    }
  }

  void group(std::uint32_t reference, const std::string& members) {
    std::vector<std::uint64_t> ranks;
    for (std::size_t at = 0; at < members.size();) {
      const std::size_t comma = std::min(members.find(',', at), members.size());
      ranks.push_back(std::stoull(members.substr(at, comma - at)));
      at = comma + 1;
    }
    OTF2_GlobalDefWriter_WriteGroup(global_, reference, string(""), OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(ranks.size()), ranks.data());
  }

  static void write(OTF2_EvtWriter* w, const Record& r, const std::vector<std::uint32_t>& numbers) {
    const std::uint32_t what = r.kind == begin_rma_collective || r.kind == begin_collective ? 0 : numbers[r.what];
    const auto peer = static_cast<std::uint32_t>(r.peer);
    constexpr OTF2_RmaSyncLevel process = OTF2_RMA_SYNC_LEVEL_PROCESS, both = process | OTF2_RMA_SYNC_LEVEL_MEMORY;
    switch (r.kind) {
      case enter:
        OTF2_EvtWriter_Enter(w, nullptr, r.time, what);
        break;
      case leave:
        OTF2_EvtWriter_Leave(w, nullptr, r.time, what);
        break;
      case begin_collective:
        OTF2_EvtWriter_MpiCollectiveBegin(w, nullptr, r.time);
        break;
      case end_collective:
        OTF2_EvtWriter_MpiCollectiveEnd(w, nullptr, r.time, OTF2_COLLECTIVE_OP_BARRIER, what, OTF2_UNDEFINED_UINT32, 0,
                                        0);
        break;
      case begin_rma_collective:
        OTF2_EvtWriter_RmaCollectiveBegin(w, nullptr, r.time);
        break;
      case end_rma_collective:
        OTF2_EvtWriter_RmaCollectiveEnd(w, nullptr, r.time, static_cast<OTF2_CollectiveOp>(r.more),
                                        r.more == OTF2_COLLECTIVE_OP_BARRIER ? both : process, what,
                                        OTF2_UNDEFINED_UINT32, 0, 0);
        break;
      case win_create:
        OTF2_EvtWriter_RmaWinCreate(w, nullptr, r.time, what);
        break;
      case win_destroy:
        OTF2_EvtWriter_RmaWinDestroy(w, nullptr, r.time, what);
        break;
      case group_sync:
        OTF2_EvtWriter_RmaGroupSync(w, nullptr, r.time, r.more != 0 ? both : process, what,
                                    group_reference(numbers[r.peer]));
        break;
      case request_lock:
        OTF2_EvtWriter_RmaRequestLock(w, nullptr, r.time, what, peer, 0, static_cast<OTF2_LockType>(r.more));
        break;
      case release_lock:
        OTF2_EvtWriter_RmaReleaseLock(w, nullptr, r.time, what, peer, 0);
        break;
      case put:
        OTF2_EvtWriter_RmaPut(w, nullptr, r.time, what, peer, r.bytes, r.match);
        break;
      case get:
        OTF2_EvtWriter_RmaGet(w, nullptr, r.time, what, peer, r.bytes, r.match);
        break;
      case atomic:
        OTF2_EvtWriter_RmaAtomic(w, nullptr, r.time, what, peer, static_cast<OTF2_RmaAtomicType>(r.more & 0xff),
                                 r.bytes, r.more >> 8, r.match);
        break;
      case complete:
        OTF2_EvtWriter_RmaOpCompleteNonBlocking(w, nullptr, r.time, what, r.match);
        break;
      case complete_remote:
        OTF2_EvtWriter_RmaOpCompleteRemote(w, nullptr, r.time, what, r.match);
        break;
    }
  }

  OTF2_Archive* archive_ = nullptr;
  OTF2_GlobalDefWriter* global_ = nullptr;
  std::vector<std::vector<Record>> events_;
  std::map<std::string, std::uint32_t> strings_;
  std::uint32_t groups_ = 0;
};

void write_archive() {
  std::vector<char> text;
  for (const std::string& key : definitions.keys) text.insert(text.end(), key.c_str(), key.c_str() + key.size() + 1);
  const auto texts = gather(text);
  auto all = gather(records);
  if (own_rank != 0) return;
  const char* const directory = std::getenv("RECORD_DIRECTORY");
  Archive archive(directory == nullptr ? "record_rma" : directory, std::move(all));
  Definitions unified;
  std::vector<std::vector<std::uint32_t>> numbers(texts.size());
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    for (std::size_t at = 0; at < texts[rank].size();) {
      const std::string key = &texts[rank][at];
      numbers[rank].push_back(unified.number(key));
      at += key.size() + 1;
    }
  for (std::size_t rank = 0; rank < texts.size(); ++rank) archive.write_events(rank, numbers[rank]);
  archive.write_definitions(unified.keys);
  archive.close();
}

// What creates a window: collective, and a window afterwards.
template <class F>
int create(const char* name, MPI_Comm comm, MPI_Win* win, bool allocates, F&& call) {
  const Call c(name);
  record(begin_rma_collective, 0);
  const int status = call();
  add_window(*win, comm, name);
  record(end_rma_collective, windows.at(*win).number, 0, 0,
         allocates ? OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE : OTF2_COLLECTIVE_OP_CREATE_HANDLE);
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
  write_archive();
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

int MPI_Win_free(MPI_Win* win) {
  const Call c("MPI_Win_free");
  const std::uint32_t number = windows.at(*win).number;
  windows.erase(*win);
  record(begin_rma_collective, 0);
  const int status = PMPI_Win_free(win);
  record(win_destroy, number);
  record(end_rma_collective, number, 0, 0, OTF2_COLLECTIVE_OP_DESTROY_HANDLE);
  return status;
}

int MPI_Win_fence(int assert, MPI_Win win) {
  const Call c("MPI_Win_fence");
  record(begin_rma_collective, 0);
  const int status = PMPI_Win_fence(assert, win);
  complete_operations(win, everybody, false);
  record(end_rma_collective, windows.at(win).number, 0, 0, OTF2_COLLECTIVE_OP_BARRIER);
  return status;
}

int MPI_Win_start(MPI_Group group, int assert, MPI_Win win) {
  const Call c("MPI_Win_start");
  PMPI_Group_union(group, MPI_GROUP_EMPTY, &windows.at(win).started);
  record(group_sync, windows.at(win).number, group_number(group));
  return PMPI_Win_start(group, assert, win);
}
int MPI_Win_post(MPI_Group group, int assert, MPI_Win win) {
  const Call c("MPI_Win_post");
  PMPI_Group_union(group, MPI_GROUP_EMPTY, &windows.at(win).posted);
  record(group_sync, windows.at(win).number, group_number(group));
  return PMPI_Win_post(group, assert, win);
}
int MPI_Win_complete(MPI_Win win) {
  const Call c("MPI_Win_complete");
  const int status = PMPI_Win_complete(win);
  complete_operations(win, everybody, false);
  record(group_sync, windows.at(win).number, group_number(windows.at(win).started), 0, 1);
  PMPI_Group_free(&windows.at(win).started);
  return status;
}
int MPI_Win_wait(MPI_Win win) {
  const Call c("MPI_Win_wait");
  const int status = PMPI_Win_wait(win);
  record(group_sync, windows.at(win).number, group_number(windows.at(win).posted), 0, 1);
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

// What the recorders of this folder share: a process's records, kept in memory, and the OTF2 archive that they become.
//
// Every process leaves its part in a file beside the archive (save_part); when all have, one of them reads the parts
// and writes the archive alone (write_archive), so identifiers need no unification tables: definitions are texts, and
// what is the same text on two processes is the same definition. One thread a process; clocks are those of one node.
#pragma once

#include <otf2/otf2.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace recording {

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
  acquire_lock,
  release_lock,
  wait_change,
  put,
  get,
  atomic,
  complete,
  complete_remote,
  complete_blocking
};

struct Record {
  std::uint64_t time;
  std::uint32_t kind;
  std::uint32_t what;  // number of a region, window or communicator
  std::uint64_t peer, bytes, more, match;
};

/// What is written of an OTF2_COLLECTIVE_OP in Record::more, with a level of synchronisation.
constexpr std::uint64_t operation_and_level(OTF2_CollectiveOp op, OTF2_RmaSyncLevel level) {
  return std::uint64_t{op} << 8 | level;
}
constexpr OTF2_RmaSyncLevel of_process = OTF2_RMA_SYNC_LEVEL_PROCESS, of_both = of_process | OTF2_RMA_SYNC_LEVEL_MEMORY;

/// Texts, by number: "region mpi NAME", "region user NAME", "group RANKS", "comm RANKS NAME", "win NUMBER RANKS
/// NAME|KIND".
struct Definitions {
  std::vector<std::string> keys;
  std::map<std::string, std::uint32_t> numbers;
  std::uint32_t number(const std::string& key) {
    const auto [place, added] = numbers.try_emplace(key, keys.size());
    if (added) keys.push_back(key);
    return place->second;
  }
};

inline std::vector<Record> records;
inline Definitions definitions;

inline std::uint64_t now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

inline void record(Kind kind, std::uint32_t what, std::uint64_t peer = 0, std::uint64_t bytes = 0,
                   std::uint64_t more = 0, std::uint64_t match = 0) {
  records.push_back({now(), kind, what, peer, bytes, more, match});
}

/// A call of a library, from enter to leave.
class Region {
 public:
  Region(const char* library, const char* name)
      : region_(definitions.number(std::string("region ") + library + " " + name)) {
    record(enter, region_);
  }
  ~Region() { record(leave, region_); }

 private:
  std::uint32_t region_;
};

inline std::string directory() {
  const char* const name = std::getenv("RECORD_DIRECTORY");
  return name == nullptr ? "recording" : name;
}
inline std::string part_name(std::size_t rank) { return directory() + "." + std::to_string(rank) + ".part"; }

inline void save_part(std::size_t rank) {
  std::ofstream file(part_name(rank), std::ios::binary);
  for (const std::string& key : definitions.keys) file << key << '\n';
  file << '\n';
  file.write(reinterpret_cast<const char*>(records.data()),
             static_cast<std::streamsize>(records.size() * sizeof(Record)));
}

struct Part {
  std::vector<std::string> keys;
  std::vector<Record> records;
};

inline Part read_part(std::size_t rank) {
  Part part;
  std::ifstream file(part_name(rank), std::ios::binary);
  for (std::string key; std::getline(file, key) && !key.empty();) part.keys.push_back(key);
  for (Record r; file.read(reinterpret_cast<char*>(&r), sizeof r);) part.records.push_back(r);
  std::remove(part_name(rank).c_str());
  if (part.records.empty()) {
    std::fprintf(stderr, "recording: process %zu left no records in %s\n", rank, part_name(rank).c_str());
    std::exit(2);
  }
  return part;
}

inline OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

class Archive {
 public:
  Archive(OTF2_Paradigm paradigm, std::vector<std::vector<Record>> events)
      : paradigm_(paradigm), events_(std::move(events)) {
    archive_ = OTF2_Archive_Open(directory().c_str(), "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                                 OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive_ == nullptr) {
      std::fprintf(stderr, "recording: cannot write an archive in '%s'; name a folder that does not exist\n",
                   directory().c_str());
      std::exit(2);
    }
    static const OTF2_FlushCallbacks flush = {flush_always, nullptr};
    OTF2_Archive_SetFlushCallbacks(archive_, &flush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    OTF2_Archive_SetCreator(archive_, "waitstate recording");
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
    OTF2_GlobalDefWriter_WriteParadigm(global_, paradigm_, string(mpi() ? "MPI" : "SHMEM"),
                                       OTF2_PARADIGM_CLASS_PROCESS);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 0, string("machine"), string("machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 1, string("node"), string("node"), 0);
    std::vector<std::uint64_t> world;
    for (std::size_t rank = 0; rank < events_.size(); ++rank) {
      const std::string name = (mpi() ? "MPI Rank " : "PE ") + std::to_string(rank);
      OTF2_GlobalDefWriter_WriteLocationGroup(global_, static_cast<std::uint32_t>(rank), string(name),
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, 1, OTF2_UNDEFINED_LOCATION_GROUP);
      OTF2_GlobalDefWriter_WriteLocation(global_, rank, string("Master thread"), OTF2_LOCATION_TYPE_CPU_THREAD,
                                         events_[rank].size(), static_cast<std::uint32_t>(rank));
      world.push_back(rank);
    }
    const auto locations = static_cast<std::uint32_t>(groups_++);
    OTF2_GlobalDefWriter_WriteGroup(global_, locations, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm_,
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
      const bool own = key.starts_with("region user ");
      const OTF2_StringRef name = string(key.substr(key.find(' ', 7) + 1));
      OTF2_GlobalDefWriter_WriteRegion(global_, number, name, name, none, OTF2_REGION_ROLE_FUNCTION,
                                       own ? OTF2_Paradigm{OTF2_PARADIGM_USER} : paradigm_, OTF2_REGION_FLAG_NONE, none,
                                       0, 0);
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
    OTF2_GlobalDefWriter_WriteGroup(global_, reference, string(""), OTF2_GROUP_TYPE_COMM_GROUP, paradigm_,
                                    OTF2_GROUP_FLAG_NONE, static_cast<std::uint32_t>(ranks.size()), ranks.data());
  }

  static void write(OTF2_EvtWriter* w, const Record& r, const std::vector<std::uint32_t>& numbers) {
    const std::uint32_t what = r.kind == begin_rma_collective || r.kind == begin_collective ? 0 : numbers[r.what];
    const auto peer = static_cast<std::uint32_t>(r.peer);
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
        OTF2_EvtWriter_RmaCollectiveEnd(w, nullptr, r.time, static_cast<OTF2_CollectiveOp>(r.more >> 8),
                                        static_cast<OTF2_RmaSyncLevel>(r.more & 0xff), what, peer, r.bytes, r.match);
        break;
      case win_create:
        OTF2_EvtWriter_RmaWinCreate(w, nullptr, r.time, what);
        break;
      case win_destroy:
        OTF2_EvtWriter_RmaWinDestroy(w, nullptr, r.time, what);
        break;
      case group_sync:
        OTF2_EvtWriter_RmaGroupSync(w, nullptr, r.time, static_cast<OTF2_RmaSyncLevel>(r.more), what,
                                    group_reference(numbers[r.peer]));
        break;
      case request_lock:
        OTF2_EvtWriter_RmaRequestLock(w, nullptr, r.time, what, peer, r.match, static_cast<OTF2_LockType>(r.more));
        break;
      case acquire_lock:
        OTF2_EvtWriter_RmaAcquireLock(w, nullptr, r.time, what, peer, r.match, static_cast<OTF2_LockType>(r.more));
        break;
      case release_lock:
        OTF2_EvtWriter_RmaReleaseLock(w, nullptr, r.time, what, peer, r.match);
        break;
      case wait_change:
        OTF2_EvtWriter_RmaWaitChange(w, nullptr, r.time, what);
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
      case complete_blocking:
        OTF2_EvtWriter_RmaOpCompleteBlocking(w, nullptr, r.time, what, r.match);
        break;
      case complete_remote:
        OTF2_EvtWriter_RmaOpCompleteRemote(w, nullptr, r.time, what, r.match);
        break;
    }
  }

  bool mpi() const { return paradigm_ == OTF2_PARADIGM_MPI; }

  const OTF2_Paradigm paradigm_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_GlobalDefWriter* global_ = nullptr;
  std::vector<std::vector<Record>> events_;
  std::map<std::string, std::uint32_t> strings_;
  std::uint32_t groups_ = 0;
};

/// By one process, after all have left their parts.
inline void write_archive(OTF2_Paradigm paradigm, std::size_t processes) {
  std::vector<std::vector<Record>> events;
  std::vector<std::vector<std::uint32_t>> numbers(processes);
  Definitions unified;
  for (std::size_t rank = 0; rank < processes; ++rank) {
    Part part = read_part(rank);
    for (const std::string& key : part.keys) numbers[rank].push_back(unified.number(key));
    events.push_back(std::move(part.records));
  }
  Archive archive(paradigm, std::move(events));
  for (std::size_t rank = 0; rank < processes; ++rank) archive.write_events(rank, numbers[rank]);
  archive.write_definitions(unified.keys);
  archive.close();
}

}  // namespace recording

// Writes what the recorders of threads have left as an OTF2 archive, and records the user's functions; see
// recording_threads.hpp. Without MPI the archive is written when the process exits.
#include "recording_threads.hpp"

namespace recording::threads {

namespace {

std::uint64_t location_reference(std::size_t process, std::size_t thread) {
  return std::uint64_t{thread} << 32 | process;
}

class ThreadArchive {
 public:
  explicit ThreadArchive(std::vector<Process> processes) : processes_(std::move(processes)) {
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
    std::uint64_t first = 0;
    for (std::size_t p = 0; p < processes_.size(); ++p) {
      find_teams(p, first);
      first += processes_[p].threads.size();
    }
  }

  void write(bool mpi) {
    OTF2_Archive_OpenEvtFiles(archive_);
    each([&](std::size_t p, std::size_t t, const Thread& thread) {
      OTF2_EvtWriter* const w = OTF2_Archive_GetEvtWriter(archive_, location_reference(p, t));
      std::vector<std::uint32_t> numbers;
      for (const std::string& key : processes_[p].keys) numbers.push_back(regions_.number(key));
      for (const Record& r : thread.records) write(w, p, r, numbers);
      OTF2_Archive_CloseEvtWriter(archive_, w);
    });
    OTF2_Archive_CloseEvtFiles(archive_);
    OTF2_Archive_OpenDefFiles(archive_);
    each([&](std::size_t p, std::size_t t, const Thread&) {
      OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, location_reference(p, t)));
    });
    OTF2_Archive_CloseDefFiles(archive_);
    write_definitions(mpi);
    OTF2_Archive_Close(archive_);
  }

 private:
  template <class Call>
  void each(Call&& call) {
    for (std::size_t p = 0; p < processes_.size(); ++p)
      for (std::size_t t = 0; t < processes_[p].threads.size(); ++t) call(p, t, processes_[p].threads[t]);
  }

  // Teams of the same threads, by their index in the team, are one communicator.
  void find_teams(std::size_t p, std::uint64_t first) {
    std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> members;
    for (std::size_t t = 0; t < processes_[p].threads.size(); ++t)
      for (const Record& r : processes_[p].threads[t].records)
        if (r.kind == Kind::team_begin) members[r.a][r.b] = first + t;
    for (const auto& [team, by_index] : members) {
      std::vector<std::uint64_t> of_team;
      for (const auto& [index, location] : by_index) of_team.push_back(location);
      const auto known = std::find(teams_.begin(), teams_.end(), of_team);
      team_of_[{p, team}] = first_team + static_cast<std::uint32_t>(known - teams_.begin());
      if (known == teams_.end()) teams_.push_back(of_team);
    }
  }

  OTF2_StringRef string(const std::string& text) {
    const auto [place, added] = strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (added) OTF2_GlobalDefWriter_WriteString(global_, place->second, text.c_str());
    return place->second;
  }

  void group(std::uint32_t number, OTF2_GroupType type, OTF2_Paradigm paradigm,
             const std::vector<std::uint64_t>& members) {
    OTF2_GlobalDefWriter_WriteGroup(global_, number, string(""), type, paradigm, OTF2_GROUP_FLAG_NONE,
                                    static_cast<std::uint32_t>(members.size()), members.data());
  }

  void write_definitions(bool mpi) {
    global_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    each([&](std::size_t, std::size_t, const Thread& thread) {
      if (thread.records.empty()) return;
      first = std::min(first, thread.records.front().time);
      last = std::max(last, thread.records.back().time);
    });
    OTF2_GlobalDefWriter_WriteClockProperties(global_, 1000000000, first, last - first, OTF2_UNDEFINED_TIMESTAMP);
    if (mpi) OTF2_GlobalDefWriter_WriteParadigm(global_, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS);
    OTF2_GlobalDefWriter_WriteParadigm(global_, OTF2_PARADIGM_OPENMP, string("OpenMP"),
                                       OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
    OTF2_GlobalDefWriter_WriteParadigm(global_, OTF2_PARADIGM_PTHREAD, string("POSIX threads"),
                                       OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 0, string("machine"), string("machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t p = 0; p < processes_.size(); ++p)
      OTF2_GlobalDefWriter_WriteLocationGroup(global_, p, string((mpi ? "MPI Rank " : "Process ") + std::to_string(p)),
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
    std::vector<std::uint64_t> all, ranks, masters;
    each([&](std::size_t p, std::size_t t, const Thread& thread) {
      OTF2_GlobalDefWriter_WriteLocation(global_, location_reference(p, t), string(thread.name),
                                         OTF2_LOCATION_TYPE_CPU_THREAD, thread.records.size(),
                                         static_cast<std::uint32_t>(p));
      all.push_back(location_reference(p, t));
      if (t != 0) return;
      masters.push_back(location_reference(p, t));
      ranks.push_back(p);
    });
    for (std::uint32_t i = 0; i < regions_.keys.size(); ++i) write_region(i, regions_.keys[i]);
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, mpi ? masters : std::vector<std::uint64_t>{});
    group(1, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, all);
    group(2, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_PTHREAD, all);
    std::vector<std::uint64_t> indices;
    for (std::uint64_t i = 0; i < all.size(); ++i) indices.push_back(i);
    comm(world, "MPI_COMM_WORLD", OTF2_PARADIGM_MPI, mpi ? ranks : std::vector<std::uint64_t>{});
    comm(created_threads, "Created threads", OTF2_PARADIGM_PTHREAD, indices);
    for (std::uint32_t i = 0; i < teams_.size(); ++i) comm(first_team + i, "", OTF2_PARADIGM_OPENMP, teams_[i]);
  }

  // Their groups come behind those of all locations.
  void comm(std::uint32_t number, const char* name, OTF2_Paradigm paradigm, const std::vector<std::uint64_t>& members) {
    const OTF2_StringRef text = string(name);
    group(number + 3, OTF2_GROUP_TYPE_COMM_GROUP, paradigm, members);
    OTF2_GlobalDefWriter_WriteComm(global_, number, text, number + 3, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  }

  // "region PARADIGM ROLE NAME"
  void write_region(std::uint32_t number, const std::string& key) {
    const std::size_t role = key.find(' ', 7) + 1, name = key.find(' ', role) + 1;
    const OTF2_StringRef text = string(key.substr(name)), none = string("");
    OTF2_GlobalDefWriter_WriteRegion(
        global_, number, text, text, none, static_cast<OTF2_RegionRole>(std::stoul(key.substr(role))),
        static_cast<OTF2_Paradigm>(std::stoul(key.substr(7))), OTF2_REGION_FLAG_NONE, none, 0, 0);
  }

  void write(OTF2_EvtWriter* w, std::size_t p, const Record& r, const std::vector<std::uint32_t>& numbers) {
    const auto team = [&] { return team_of_.at({p, r.a}); };
    const auto high = static_cast<std::uint32_t>(r.b >> 32), low = static_cast<std::uint32_t>(r.b);
    const auto peer = static_cast<std::uint32_t>(r.a), tag = static_cast<std::uint32_t>(r.c);
    // Locks are of one process, and its archive is of all: numbers that differ.
    const auto lock = static_cast<std::uint32_t>(p << 16 | r.a);
    const auto paradigm = static_cast<OTF2_Paradigm>(r.what);
    switch (r.kind) {
      case Kind::enter:
        OTF2_EvtWriter_Enter(w, nullptr, r.time, numbers[r.what]);
        break;
      case Kind::leave:
        OTF2_EvtWriter_Leave(w, nullptr, r.time, numbers[r.what]);
        break;
      case Kind::fork:
        OTF2_EvtWriter_ThreadFork(w, nullptr, r.time, OTF2_PARADIGM_OPENMP, low);
        break;
      case Kind::join:
        OTF2_EvtWriter_ThreadJoin(w, nullptr, r.time, OTF2_PARADIGM_OPENMP);
        break;
      case Kind::team_begin:
        OTF2_EvtWriter_ThreadTeamBegin(w, nullptr, r.time, team());
        break;
      case Kind::team_end:
        OTF2_EvtWriter_ThreadTeamEnd(w, nullptr, r.time, team());
        break;
      case Kind::acquire:
        OTF2_EvtWriter_ThreadAcquireLock(w, nullptr, r.time, paradigm, lock, low);
        break;
      case Kind::release:
        OTF2_EvtWriter_ThreadReleaseLock(w, nullptr, r.time, paradigm, lock, low);
        break;
      case Kind::task_create:
        OTF2_EvtWriter_ThreadTaskCreate(w, nullptr, r.time, team(), high, low);
        break;
      case Kind::task_switch:
        OTF2_EvtWriter_ThreadTaskSwitch(w, nullptr, r.time, team(), high, low);
        break;
      case Kind::task_complete:
        OTF2_EvtWriter_ThreadTaskComplete(w, nullptr, r.time, team(), high, low);
        break;
      case Kind::thread_create:
        OTF2_EvtWriter_ThreadCreate(w, nullptr, r.time, created_threads, r.a);
        break;
      case Kind::thread_begin:
        OTF2_EvtWriter_ThreadBegin(w, nullptr, r.time, created_threads, r.a);
        break;
      case Kind::thread_end:
        OTF2_EvtWriter_ThreadEnd(w, nullptr, r.time, created_threads, r.a);
        break;
      case Kind::thread_wait:
        OTF2_EvtWriter_ThreadWait(w, nullptr, r.time, created_threads, r.a);
        break;
      case Kind::send:
        OTF2_EvtWriter_MpiSend(w, nullptr, r.time, peer, 0, tag, r.b);
        break;
      case Kind::receive:
        OTF2_EvtWriter_MpiRecv(w, nullptr, r.time, peer, 0, tag, r.b);
        break;
      case Kind::isend:
        OTF2_EvtWriter_MpiIsend(w, nullptr, r.time, peer, 0, tag, r.b, r.d);
        break;
      case Kind::isend_complete:
        OTF2_EvtWriter_MpiIsendComplete(w, nullptr, r.time, r.d);
        break;
      case Kind::irecv_request:
        OTF2_EvtWriter_MpiIrecvRequest(w, nullptr, r.time, r.d);
        break;
      case Kind::irecv:
        OTF2_EvtWriter_MpiIrecv(w, nullptr, r.time, peer, 0, tag, r.b, r.d);
        break;
      case Kind::barrier_begin:
        OTF2_EvtWriter_MpiCollectiveBegin(w, nullptr, r.time);
        break;
      case Kind::barrier_end:
        OTF2_EvtWriter_MpiCollectiveEnd(w, nullptr, r.time, OTF2_COLLECTIVE_OP_BARRIER, 0, OTF2_UNDEFINED_UINT32, 0, 0);
        break;
    }
  }

  static constexpr std::uint32_t world = 0, created_threads = 1, first_team = 2;  // communicators

  std::vector<Process> processes_;
  OTF2_Archive* archive_ = nullptr;
  OTF2_GlobalDefWriter* global_ = nullptr;
  Definitions regions_;
  std::map<std::string, OTF2_StringRef> strings_;
  std::vector<std::vector<std::uint64_t>> teams_;
  std::map<std::pair<std::size_t, std::uint64_t>, std::uint32_t> team_of_;
};

bool written = false;

// Threads of the runtime may still be there, and must not find what is gone: the process ends here.
struct AtExit {
  ~AtExit() {
    if (written) return;
    save_threads(0);
    write_threads(1, false);
    std::_Exit(0);
  }
} at_exit;

}  // namespace

void write_threads(std::size_t count, bool mpi) {
  written = true;
  std::vector<Process> processes;
  for (std::size_t rank = 0; rank < count; ++rank) {
    processes.push_back(read_threads(rank));
    cut_at_joins(processes.back().threads);
  }
  ThreadArchive(std::move(processes)).write(mpi);
}

}  // namespace recording::threads

extern "C" {

// What has no name of its own - what the compiler makes of a construct - is no function of the user's.
void __cyg_profile_func_enter(void* function, void*) {
  using namespace recording::threads;
  Dl_info info{};
  const bool named = dladdr(function, &info) != 0 && info.dli_saddr == function && info.dli_sname != nullptr;
  self().functions.push_back(named ? info.dli_sname : "");
  if (named) enter_region(OTF2_PARADIGM_USER, OTF2_REGION_ROLE_FUNCTION, info.dli_sname);
}

void __cyg_profile_func_exit(void*, void*) {
  using namespace recording::threads;
  if (!self().functions.back().empty()) leave_region();
  self().functions.pop_back();
}

}  // extern "C"

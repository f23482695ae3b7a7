// Writes traces of MPI programs that never ran, in which the reason of every wait is known: a delay that is passed on
// over three hops, two delays one of which hides behind the other, and one that slack absorbs. As nothing is measured,
// every wait is exactly as in the MANIFEST.md of traces/chain_…. Times are in microseconds here; a tick is a
// nanosecond.
//
//   g++ -std=c++20 -I /usr/include/otf2 write_chains.cpp -lopen-trace-format2 -o write_chains
//   ./write_chains NEW_FOLDER three_hops|two_sources|slack
#include <otf2/otf2.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::uint64_t us = 1000, begin_of_run = 1000000 * us, call = 10 * us;  // a call that does not wait

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

class Program {
 public:
  Program(OTF2_Archive* archive, std::uint32_t ranks) : archive_(archive), now_(ranks, begin_of_run) {
    OTF2_Archive_OpenEvtFiles(archive);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      writers_.push_back(OTF2_Archive_GetEvtWriter(archive, r));
      enter(r, "main");
      work(r, "MPI_Init", 100);
    }
  }

  void work(std::uint32_t rank, const char* name, std::uint64_t t) {
    enter(rank, name);
    now_[rank] += t * us;
    leave(rank, name);
  }
  /// Does not wait for the receive.
  void send(std::uint32_t from, std::uint32_t to) {
    enter(from, "MPI_Send");
    sent_[{from, to}].push_back(now_[from]);
    OTF2_EvtWriter_MpiSend(writers_[from], nullptr, now_[from], to, 0, 1, 8);
    now_[from] += call;
    leave(from, "MPI_Send");
  }
  /// Of the oldest message, until it has been sent.
  void receive(std::uint32_t to, std::uint32_t from) {
    enter(to, "MPI_Recv");
    std::vector<std::uint64_t>& sent = sent_[{from, to}];
    now_[to] = std::max(now_[to], sent.front()) + call;
    sent.erase(sent.begin());
    OTF2_EvtWriter_MpiRecv(writers_[to], nullptr, now_[to], from, 0, 1, 8);
    leave(to, "MPI_Recv");
  }

  void finish() {
    const std::uint64_t last = *std::max_element(now_.begin(), now_.end());
    for (std::uint32_t r = 0; r < writers_.size(); ++r) {
      enter(r, "MPI_Finalize");
      now_[r] = last + call;
      leave(r, "MPI_Finalize");
      leave(r, "main");
      std::uint64_t events = 0;
      OTF2_EvtWriter_GetNumberOfEvents(writers_[r], &events);
      events_.push_back(events);
      OTF2_Archive_CloseEvtWriter(archive_, writers_[r]);
    }
    OTF2_Archive_CloseEvtFiles(archive_);
    write_definitions(last + call - begin_of_run);
  }

 private:
  void enter(std::uint32_t rank, const std::string& name) {
    OTF2_EvtWriter_Enter(writers_[rank], nullptr, now_[rank], region(name));
  }
  void leave(std::uint32_t rank, const std::string& name) {
    OTF2_EvtWriter_Leave(writers_[rank], nullptr, now_[rank], region(name));
  }
  OTF2_RegionRef region(const std::string& name) {
    return regions_.try_emplace(name, static_cast<OTF2_RegionRef>(regions_.size())).first->second;
  }
  OTF2_StringRef string(const std::string& text) {
    const auto [place, added] = strings_.try_emplace(text, static_cast<OTF2_StringRef>(strings_.size()));
    if (added) OTF2_GlobalDefWriter_WriteString(global_, place->second, text.c_str());
    return place->second;
  }

  void write_definitions(std::uint64_t length) {
    OTF2_Archive_OpenDefFiles(archive_);
    for (std::uint32_t r = 0; r < writers_.size(); ++r)
      OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, r));
    OTF2_Archive_CloseDefFiles(archive_);
    global_ = OTF2_Archive_GetGlobalDefWriter(archive_);
    OTF2_GlobalDefWriter_WriteClockProperties(global_, 1000000000, begin_of_run, length, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(global_, 0, string("machine"), string("machine"),
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    const OTF2_StringRef none = string("");
    std::vector<std::uint64_t> locations;
    for (std::uint32_t r = 0; r < writers_.size(); ++r) {
      locations.push_back(r);
      OTF2_GlobalDefWriter_WriteLocationGroup(global_, r, string("MPI Rank " + std::to_string(r)),
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
      OTF2_GlobalDefWriter_WriteLocation(global_, r, string("Master thread"), OTF2_LOCATION_TYPE_CPU_THREAD, events_[r],
                                         r);
    }
    for (const auto& [name, number] : regions_) {
      const bool mpi = name.starts_with("MPI_");
      OTF2_GlobalDefWriter_WriteRegion(
          global_, number, string(name), string(name), none,
          name == "MPI_Send" || name == "MPI_Recv" ? OTF2_REGION_ROLE_POINT2POINT : OTF2_REGION_ROLE_FUNCTION,
          mpi ? OTF2_Paradigm{OTF2_PARADIGM_MPI} : OTF2_Paradigm{OTF2_PARADIGM_USER}, OTF2_REGION_FLAG_NONE, none, 0,
          0);
    }
    const auto ranks = static_cast<std::uint32_t>(locations.size());
    OTF2_GlobalDefWriter_WriteGroup(global_, 0, none, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, ranks, locations.data());
    OTF2_GlobalDefWriter_WriteGroup(global_, 1, none, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, ranks, locations.data());
    OTF2_GlobalDefWriter_WriteComm(global_, 0, string("MPI_COMM_WORLD"), 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
  }

  OTF2_Archive* archive_;
  OTF2_GlobalDefWriter* global_ = nullptr;
  std::vector<OTF2_EvtWriter*> writers_;
  std::vector<std::uint64_t> now_, events_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint64_t>> sent_;
  std::map<std::string, OTF2_RegionRef> regions_;
  std::map<std::string, OTF2_StringRef> strings_;
};

/// Each rank passes its message on; only rank 0 is slow.
void three_hops(Program& p) {
  p.work(0, "slow", 20000);
  p.send(0, 1);
  for (std::uint32_t r = 1; r <= 3; ++r) {
    p.receive(r, r - 1);
    p.work(r, "work", 2000);
    if (r < 3) p.send(r, r + 1);
  }
}

/// Rank 2 waits for rank 1, which was busy itself, and waited for rank 0 before.
void two_sources(Program& p) {
  p.work(0, "slow", 12000);
  p.send(0, 1);
  p.receive(1, 0);
  p.work(1, "extra", 5000);
  p.send(1, 2);
  p.receive(2, 1);
}

/// Rank 0 is as slow, but rank 1 needs its message later than that: what rank 2 waits for is rank 1's own work.
void slack(Program& p) {
  p.work(0, "slow", 12000);
  p.send(0, 1);
  p.work(1, "work", 20000);
  p.receive(1, 0);
  p.send(1, 2);
  p.receive(2, 1);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view name = argc == 3 ? argv[2] : "";
  void (*const body)(Program&) = name == "three_hops"    ? three_hops
                                 : name == "two_sources" ? two_sources
                                 : name == "slack"       ? slack
                                                         : nullptr;
  OTF2_Archive* const archive = body != nullptr
                                    ? OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1024 * 1024,
                                                        4 * 1024 * 1024, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)
                                    : nullptr;
  if (archive == nullptr) {
    std::fprintf(stderr, "usage: %s NEW_FOLDER three_hops|two_sources|slack\n", argv[0]);
    return 2;
  }
  static const OTF2_FlushCallbacks flush = {flush_always, nullptr};
  OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_SetCreator(archive, "waitstate write_chains");
  Program program(archive, body == three_hops ? 4 : 3);
  body(program);
  program.finish();
  OTF2_Archive_Close(archive);
}

// generate_trace: writes a valid OTF2 archive of any size whose severities are known by construction.
//
// Tests need traces with a known answer, benchmarks need traces of 100 million events or 10,000 locations. So a
// location's whole event sequence is a function of the seed (generate/schedule.hpp): locations are written one after
// the other, each event writer is closed before the next is opened (one file handle), and OTF2 flushes full chunks, so
// memory does not grow with the number of events.
//
// Beside the anchor it writes expected.csv, `metric,callpath,location,value`: time and visits of every call path,
// syncs_, comms_ and bytes_ of messages, mpi_latesender and its counts; with pattern rma also those of windows, and
// mpi_rma_; zero rows left out, seconds with 12 digits. Cost: about 50 ns an event.
#include <malloc.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

#include "generate/definitions.hpp"
#include "generate/location_writer.hpp"
#include "generate/options.hpp"
#include "generate/rank_program.hpp"

namespace {

using namespace generate;
namespace fs = std::filesystem;

OTF2_FlushType pre_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

struct CloseArchive {
  void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
};
using Archive = std::unique_ptr<OTF2_Archive, CloseArchive>;

/// OTF2 touches a whole chunk for every file, so a small one matters with many locations; a group must fit into it.
std::uint64_t definition_chunk(const Options& o) {
  return std::clamp<std::uint64_t>(16 * o.ranks(), 256 * 1024, 16 * 1024 * 1024);
}

Archive open_archive(const Options& o) {
  if (fs::exists(fs::path(o.output) / "traces.otf2"))
    throw std::runtime_error(o.output + " already holds traces.otf2, remove it or choose another directory");
  fs::create_directories(o.output);
  Archive archive(OTF2_Archive_Open(o.output.c_str(), "traces", OTF2_FILEMODE_WRITE, o.chunk, definition_chunk(o),
                                    OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
  if (!archive) throw std::runtime_error("cannot create an archive in " + o.output);
  static constexpr OTF2_FlushCallbacks flush{pre_flush, nullptr};
  check(OTF2_Archive_SetFlushCallbacks(archive.get(), &flush, nullptr), "setting up the archive");
  check(OTF2_Archive_SetSerialCollectiveCallbacks(archive.get()), "setting up the archive");
  check(OTF2_Archive_SetCreator(archive.get(), "waitstate generate_trace"), "setting up the archive");
  return archive;
}

using Expected = std::map<std::tuple<std::string, std::string, std::uint64_t>, std::uint64_t>;

void write_expected(const Options& o, const Expected& expected) {
  std::ofstream out(fs::path(o.output) / "expected.csv");
  out.precision(12);
  out << "metric,callpath,location,value\n";
  for (const auto& [key, value] : expected) {
    const auto& [metric, path, location] = key;
    out << metric << ',' << path << ',' << location << ',';
    if (is_time(metric))
      out << static_cast<double>(value) / 1e9 << '\n';
    else
      out << value << '\n';
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + o.output + "/expected.csv");
}

/// Writes the events of all locations, one location after the other.
TraceExtent write_events(OTF2_Archive* archive, const Options& o, Expected& expected) {
  const Schedule schedule(o, user_events_at_most(o));
  const std::uint64_t rounds = iterations(o);
  TraceExtent extent;
  check(OTF2_Archive_OpenEvtFiles(archive), "opening the event files");
  for (std::uint64_t location = 0; location < o.locations; ++location) {
    const std::uint64_t rank = location / o.threads_per_process, thread = location % o.threads_per_process;
    OTF2_EvtWriter* events = OTF2_Archive_GetEvtWriter(archive, location_ref(rank, thread));
    if (!events) throw std::runtime_error("cannot create the event file of location " + std::to_string(location));
    LocationWriter out(events, schedule, rank, region_level_1 + o.depth);
    if (thread == 0)
      run_rank(out, o, schedule, rank, rounds);
    else
      run_worker_thread(out, o, schedule, rounds);

    std::uint64_t count = 0;
    check(OTF2_EvtWriter_GetNumberOfEvents(events, &count), "counting events");
    extent.events.push_back(count);
    extent.begin = std::min(extent.begin, out.first_time());
    extent.end = std::max(extent.end, out.last_time());
    check(OTF2_Archive_CloseEvtWriter(archive, events), "closing an event file");
    for (const auto& [key, value] : out.sums()) expected[{key.first, key.second, location}] = value;
  }
  check(OTF2_Archive_CloseEvtFiles(archive), "closing the event files");
  return extent;
}

/// Every location gets a (nearly empty) file of local definitions, as readers expect one.
void write_local_definitions(OTF2_Archive* archive, const Options& o) {
  check(OTF2_Archive_OpenDefFiles(archive), "opening the local definitions");
  for (std::uint64_t rank = 0; rank < o.ranks(); ++rank)
    for (std::uint64_t thread = 0; thread < o.threads_per_process; ++thread) {
      OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(archive, location_ref(rank, thread));
      if (!writer) throw std::runtime_error("cannot create the local definitions of rank " + std::to_string(rank));
      check(OTF2_Archive_CloseDefWriter(archive, writer), "closing the local definitions");
    }
  check(OTF2_Archive_CloseDefFiles(archive), "closing the local definitions");
}

void generate_trace(const Options& o) {
  const auto start = std::chrono::steady_clock::now();
  const Archive archive = open_archive(o);
  Expected expected;
  const TraceExtent extent = write_events(archive.get(), o, expected);
  write_local_definitions(archive.get(), o);
  OTF2_GlobalDefWriter* definitions = OTF2_Archive_GetGlobalDefWriter(archive.get());
  if (!definitions) throw std::runtime_error("cannot create the global definitions in " + o.output);
  write_definitions(definitions, o, extent);
  check(OTF2_Archive_CloseGlobalDefWriter(archive.get(), definitions), "closing the definitions");
  write_expected(o, expected);

  std::map<std::string, std::uint64_t> totals;
  for (const auto& [key, value] : expected) totals[std::get<0>(key)] += value;
  std::uint64_t events = 0;
  for (const std::uint64_t n : extent.events) events += n;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const std::uint64_t records =
      totals["syncs_send"] + totals["comms_send"] + totals["syncs_recv"] + totals["comms_recv"];
  std::printf(
      "pattern %s, %llu locations, %llu events, %llu message records (%.1f %%), %.2f s, %.1f million events/s\n",
      std::string(name(o.pattern)).c_str(), static_cast<unsigned long long>(o.locations),
      static_cast<unsigned long long>(events), static_cast<unsigned long long>(records),
      100.0 * static_cast<double>(records) / static_cast<double>(events), took.count(),
      static_cast<double>(events) / took.count() / 1e6);
  for (const auto& [metric, value] : totals)
    std::printf("%-16s %llu%s\n", metric.c_str(), static_cast<unsigned long long>(value),
                is_time(metric) ? " ticks" : "");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") return std::printf("%s", generate::usage().data()) < 0;
  // Chunks of closed files serve the next one, rather than being unmapped and faulted in again.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
  try {
    generate_trace(generate::parse(argc, argv));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "generate_trace: %s\n", e.what());
    return 1;
  }
}

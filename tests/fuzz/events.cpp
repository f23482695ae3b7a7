// The decoder of event files: the input is the event file of one location of an archive that stays the same, with id
// maps and a drifting clock.
//
// The archive lies in a temporary folder, its event file is a link to a file in memory. A chunk has at least 256 KiB,
// more than an input should have: the input is cut at each "=== ", and each part is placed at the beginning of a chunk;
// the gaps are holes, which read as zeros: the mark of a chunk's end.
//
// However the file is divided into turns of reading, and whatever lies behind a cut, the same events must come.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "all_events/everything.hpp"
#include "fuzz/targets.hpp"
#include "otf2/event_file_writer.hpp"
#include "otf2/trace_copy.hpp"

namespace waitstate::fuzz {
namespace {

constexpr std::uint64_t event_chunk = 256 * 1024;
constexpr std::string_view next_chunk = "=== ";
constexpr OTF2_LocationRef fuzzed_location = all_events::rank0_thread;

class EventFile {
 public:
  EventFile() : memory_(::memfd_create("events", MFD_CLOEXEC)) {
    {
      all_events::Archive archive(folder_.path(), "traces");
      all_events::Definitions definitions;
      const all_events::EventStrings strings = all_events::define_everything(archive, definitions);
      all_events::record_everything(archive, strings, all_events::sizes_of_everything(definitions));
      archive.clock_offset(fuzzed_location, 1000, 5);
      archive.clock_offset(fuzzed_location, 9000, -100);
      archive.clock_offset(fuzzed_location, 20000, 3);
      archive.close(definitions);
    }
    const std::filesystem::path file = folder_ / "traces" / fmt::format("{}.evt", fuzzed_location);
    recorded_ = otf2::test::TemporaryFolder::read(file);
    std::filesystem::remove(file);
    std::filesystem::create_symlink(fmt::format("/proc/{}/fd/{}", ::getpid(), memory_), file);
    archive_ = std::make_unique<otf2::Archive>(folder_ / "traces.otf2");
    for (std::size_t i = 0; i < archive_->definitions().locations.size(); ++i)
      if (archive_->definitions()[LocationId{i}].ref == fuzzed_location) location_ = LocationId{i};
  }
  ~EventFile() { ::close(memory_); }

  /// The event file as OTF2's writer wrote it.
  const std::string& recorded() const { return recorded_; }

  void set(std::string_view bytes) {
    cut(0);
    size_ = 0;
    for (std::uint64_t chunk = 0; chunk < 16; ++chunk) {
      const std::size_t end = std::min(bytes.find(next_chunk, 1), bytes.size());
      const std::string_view part = bytes.substr(0, std::min<std::size_t>(end, event_chunk));
      const std::uint64_t at = chunk * event_chunk;
      if (::pwrite(memory_, part.data(), part.size(), static_cast<off_t>(at)) != static_cast<ssize_t>(part.size()))
        throw std::runtime_error("no file in memory");
      if (!part.empty()) size_ = at + part.size();  // an empty part makes no hole before it
      if (end == bytes.size()) break;
      bytes.remove_prefix(end + next_chunk.size());
    }
  }
  void cut(std::uint64_t size) {
    if (::ftruncate(memory_, static_cast<off_t>(size)) != 0) throw std::runtime_error("no file in memory");
  }
  std::uint64_t size() const { return size_; }

  /// All events, read in turns of `turn` events.
  std::pair<std::vector<otf2::test::Sink::Record>, std::string> read(std::size_t turn) const {
    otf2::EventReader<otf2::test::Sink> reader(*archive_, std::span(&location_, 1), true);
    otf2::test::Sink sink;
    while (!reader.at_end(location_)) {
      const std::size_t n = reader.read(location_, sink, turn);
      if (n < turn && !reader.at_end(location_)) throw std::logic_error("finding: fewer events before the end");
    }
    std::string found;
    for (int i = 0; i < diagnostic_count; ++i) {
      const DiagnosticEntry& entry = reader.diagnostics()[static_cast<DiagnosticId>(i)];
      found += fmt::format("{} {}\n", i, entry.count);
      for (const DiagnosticPlace& place : entry.places) found += place.text + "\n";
    }
    return {std::move(sink.records), std::move(found)};
  }

 private:
  otf2::test::TemporaryFolder folder_;
  int memory_;
  std::uint64_t size_ = 0;
  std::string recorded_;
  std::unique_ptr<otf2::Archive> archive_;
  LocationId location_;
};

EventFile& event_file() {
  static EventFile file;
  return file;
}

}  // namespace

void events(std::string_view bytes) {
  EventFile& file = event_file();
  file.set(bytes);
  const auto whole = file.read(1'000'000);
  for (const std::size_t turn : {1, 7})
    if (file.read(turn) != whole) throw std::logic_error("finding: the events depend on the turns");
  file.cut(file.size() / 2);
  const auto cut = file.read(1000).first;
  if (cut.size() > whole.first.size() || !std::equal(cut.begin(), cut.end(), whole.first.begin()))
    throw std::logic_error("finding: before the cut there are other events");
}

std::vector<std::string> event_seeds() {
  std::vector<std::string> seeds{event_file().recorded()};
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    otf2::test::EventFileWriter writer(seed, seed % 2 == 0, event_chunk);
    for (std::uint32_t i = 0; i < seed * 5; ++i) writer.event();
    seeds.push_back(writer.finish());
  }
  // Two chunks: the same one again, and the mark of the file's end becomes that of the chunk's end.
  std::string first = seeds[1];
  first[first.size() - 2] = '\0';
  seeds.push_back(first + std::string(next_chunk) + seeds[1]);
  return seeds;
}

}  // namespace waitstate::fuzz

// A copy of a recorded trace in a folder of its own, to be damaged; and a sink that keeps everything that it receives.
#pragma once

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "otf2/events/event_reader.hpp"
#include "support/temporary_folder.hpp"
#include "waitstate/error.hpp"

namespace waitstate::otf2::test {

namespace fs = std::filesystem;

inline fs::path recorded(const std::string& name) {
  return fs::path(WAITSTATE_TRACES) / name / (name.starts_with("eztrace") ? "eztrace_log.otf2" : "traces.otf2");
}

using support::TemporaryFolder;

/// A writable copy of the recorded trace `name`.
class TraceCopy : public TemporaryFolder {
 public:
  explicit TraceCopy(const std::string& name) {
    fs::copy(recorded(name).parent_path(), path(), fs::copy_options::recursive);
    for (const auto& entry : fs::recursive_directory_iterator(path()))
      fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add);
    anchor_ = path() / recorded(name).filename();
  }
  const fs::path& anchor() const { return anchor_; }

 private:
  fs::path anchor_;
};

struct Sink {
  struct Record {
    EventType type;
    Time time;
    std::vector<std::uint64_t> attributes;
    std::vector<Value> tail;
    std::vector<ListedAttribute> list;
    friend bool operator==(const Record&, const Record&) = default;
  };
  std::vector<Record> records;
  std::vector<ListedAttribute> pending;

  void add(EventType type, Time time, std::vector<std::uint64_t> attributes, std::span<const Value> tail) {
    records.push_back({type, time, std::move(attributes), {tail.begin(), tail.end()}, std::exchange(pending, {})});
  }
  void enter(Time t, RegionId r) { add(EventType::enter, t, {r.value}, {}); }
  void exit(Time t, RegionId r) { add(EventType::exit, t, {r.value}, {}); }
  void event(EventType type, Time t, const std::uint64_t* a, std::span<const Value> tail) {
    add(type, t, {a, a + spec(type).attribute_count}, tail);
  }
  void attribute_list(std::span<const ListedAttribute> list) { pending.assign(list.begin(), list.end()); }
};

/// All events of a trace, by location, read in turns of `turn` events with at most `max_open` open files.
struct Everything {
  std::vector<Sink> sinks;
  Diagnostics diagnostics;

  explicit Everything(const Archive& archive, std::size_t turn = 1000, std::size_t max_open = 64) {
    std::vector<LocationId> all;
    for (std::size_t i = 0; i < archive.definitions().locations.size(); ++i) all.push_back(LocationId{i});
    EventReader<Sink> reader(archive, all, true, max_open);
    sinks.resize(all.size());
    for (bool more = true; more;) {
      more = false;
      for (const LocationId loc : all) {
        if (reader.at_end(loc)) continue;
        more = true;
        reader.read(loc, sinks[loc.index()], turn);
        if (reader.open_files() > max_open) throw std::logic_error("more files open than allowed");
      }
    }
    diagnostics = reader.diagnostics();
  }
};

inline std::vector<std::string> texts(const Diagnostics& diagnostics, DiagnosticId id) {
  std::vector<std::string> result;
  for (const DiagnosticPlace& place : diagnostics[id].places) result.push_back(place.text);
  return result;
}

}  // namespace waitstate::otf2::test

// Writes an OTF2 archive through the OTF2 library: definitions, events and markers of a trace that is described by our
// own Definitions. The archive is a folder:
//
//   cut.otf2/traces.otf2      anchor: names the format's version, the number of locations and definitions
//            traces.def       global definitions, with strings and references by number
//            traces.marker    markers: a kind of marker is {group, category, severity}, a marker has time, duration,
//            scope, text traces/N.evt     events of location N; N.def its local definitions, which are empty here
//
// Source: the headers and the documentation of the OTF2 library (OTF2 3.0, "Usage in writing mode" and "List of all
// definition records"). References are indexes into the tables of Definitions, so that events need no translation, but
// for locations: messages name ranks of a communicator.
//
// OTF2 3.0 has no records for probes of messages (OTF2 3.1 has): they are left out.
//
// Memory: 256 KiB for each location that has events.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::exports {

class ArchiveWriter {
 public:
  /// `folder` must not exist. Throws OutputError, like all functions below.
  ArchiveWriter(const std::filesystem::path& folder, const Definitions& definitions);
  ~ArchiveWriter();
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  /// Writes an event at `time`; false if OTF2 3.0 has no record for it. Times of a location must not decrease.
  bool write(const Event& event, Time time);
  /// A region is entered or left where the cut begins or ends.
  void write_enter(LocationId location, Time time, RegionId region);
  void write_exit(LocationId location, Time time, RegionId region);
  void write_program(LocationId location, Time time, StringId program);
  void write_program_end(LocationId location, Time time);
  std::uint64_t events(LocationId location) const;

  std::uint32_t define_marker(const std::string& group, const std::string& category);
  void write_marker(std::uint32_t marker, Time time, Ticks duration, LocationId location, const std::string& text);

  /// Writes the definitions and closes everything. `begin`, `end`: the first and the last time stamp.
  void finish(Time begin, Time end);

 private:
  struct Library;
  class GlobalDefinitions;
  std::uint32_t rank(LocationId location, CommId comm, LocationId self);
  void convert(const Event& event, std::uint64_t* attributes);

  const Definitions& definitions_;
  std::unique_ptr<Library> library_;
  struct Ranks {
    std::unordered_map<std::uint32_t, std::uint32_t> a, b;  ///< by location
  };
  std::map<CommId, Ranks> ranks_;
  std::uint32_t markers_ = 0;
};

}  // namespace waitstate::exports

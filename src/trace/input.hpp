// One trace, whatever it is written in: an OTF2 archive or a file in our notation. The stages behind see locations and
// sinks only.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "notation/document.hpp"
#include "otf2/archive.hpp"
#include "otf2/event_reader.hpp"
#include "trace/location_replay.hpp"

namespace waitstate::trace {

/// Reads events of some of the locations; used by one thread at a time.
class Lane {
 public:
  Lane(const otf2::Archive& archive, std::span<const LocationId> locations, bool attribute_lists, std::size_t max_open)
      : reader_(std::make_unique<otf2::EventReader<LocationReplay>>(archive, locations, attribute_lists, max_open)) {}
  explicit Lane(notation::Document& document) : document_(&document) {}

  std::size_t read(LocationId l, LocationReplay& sink, std::size_t max_events) {
    return reader_ ? reader_->read(l, sink, max_events) : document_->read(l, sink, max_events);
  }
  bool at_end(LocationId l) const { return reader_ ? reader_->at_end(l) : document_->at_end(l); }
  /// What the reader found; nothing for a notation file.
  const Diagnostics* diagnostics() const { return reader_ ? &reader_->diagnostics() : nullptr; }

 private:
  std::unique_ptr<otf2::EventReader<LocationReplay>> reader_;
  notation::Document* document_ = nullptr;
};

class Input {
 public:
  /// Opens the trace and reads its definitions; throws TraceError.
  explicit Input(const std::filesystem::path& path);

  const Definitions& definitions() const;
  /// What is odd about the definitions.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// The anchor or notation file.
  const std::string& path() const { return path_; }
  /// Events that the definitions announce; an estimate.
  std::uint64_t announced_events() const;
  /// `max_open` bounds the event files that the lane keeps open at a time.
  std::unique_ptr<Lane> lane(std::span<const LocationId> locations, bool attribute_lists, std::size_t max_open);

 private:
  std::string path_;
  Diagnostics diagnostics_;
  std::unique_ptr<otf2::Archive> archive_;
  std::unique_ptr<notation::Document> document_;
};

}  // namespace waitstate::trace

// The readers of some of the locations, which share a window over their files: locations of one group are read by one
// thread at a time, those of different groups by any threads at once.
#pragma once

#include <memory>
#include <span>

#include "notation/document.hpp"
#include "otf2/archive.hpp"
#include "otf2/events/event_reader.hpp"
#include "replay/location_replay.hpp"

namespace waitstate::pass {

/// Reads events of some of the locations; used by one thread at a time.
class ReaderGroup {
 public:
  ReaderGroup(const otf2::Archive& archive, std::span<const LocationId> locations, bool attribute_lists,
              std::size_t max_open)
      : reader_(std::make_unique<otf2::EventReader<replay::LocationReplay>>(archive, locations, attribute_lists,
                                                                            max_open)) {}
  explicit ReaderGroup(notation::Document& document) : document_(&document) {}

  std::size_t read(LocationId l, replay::LocationReplay& sink, std::size_t max_events) {
    return reader_ ? reader_->read(l, sink, max_events) : document_->read(l, sink, max_events);
  }
  bool at_end(LocationId l) const { return reader_ ? reader_->at_end(l) : document_->at_end(l); }
  /// What the reader found; nothing for a notation file.
  const Diagnostics* diagnostics() const { return reader_ ? &reader_->diagnostics() : nullptr; }

 private:
  std::unique_ptr<otf2::EventReader<replay::LocationReplay>> reader_;
  notation::Document* document_ = nullptr;
};

}  // namespace waitstate::pass

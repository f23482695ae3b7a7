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

/// A place between two events of a location, of whatever input.
struct ReadingPlace {
  otf2::EventPlace in_archive;
  notation::EventStream::Cursor in_document;
};

/// Reads events of some of the locations; used by one thread at a time.
template <class Sink>
class Readers {
 public:
  Readers(const otf2::Archive& archive, std::span<const LocationId> locations, bool attribute_lists,
          std::size_t max_open)
      : reader_(std::make_unique<otf2::EventReader<Sink>>(archive, locations, attribute_lists, max_open)) {}
  explicit Readers(notation::Document& document) : document_(&document) {}

  std::size_t read(LocationId l, Sink& sink, std::size_t max_events) {
    return reader_ ? reader_->read(l, sink, max_events) : document_->read(l, sink, max_events);
  }
  bool at_end(LocationId l) const { return reader_ ? reader_->at_end(l) : document_->at_end(l); }
  /// Of a location that is not at its end, between two calls of read(); to go on from there, with these readers or
  /// others of the same input.
  ReadingPlace place(LocationId l) const {
    return reader_ ? ReadingPlace{reader_->place(l), {}} : ReadingPlace{{}, document_->place(l)};
  }
  void go_to(LocationId l, const ReadingPlace& place) {
    reader_ ? reader_->go_to(l, place.in_archive) : document_->go_to(l, place.in_document);
  }
  /// Anomalies that the reader found; null for a notation file.
  const Diagnostics* diagnostics() const { return reader_ ? &reader_->diagnostics() : nullptr; }

 private:
  std::unique_ptr<otf2::EventReader<Sink>> reader_;
  notation::Document* document_ = nullptr;
};
using ReaderGroup = Readers<replay::LocationReplay>;

}  // namespace waitstate::pass

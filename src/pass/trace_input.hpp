// One trace, whatever it is written in: an OTF2 archive or a file in our notation. The stages behind see locations and
// sinks only.
#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "notation/document.hpp"
#include "otf2/archive.hpp"
#include "pass/reader_group.hpp"

namespace waitstate::pass {

/// True if the file is one in our notation and no anchor of an OTF2 archive.
bool is_notation(const std::filesystem::path& path);

class TraceInput {
 public:
  /// Opens the trace and reads its definitions; throws TraceError.
  explicit TraceInput(const std::filesystem::path& path);
  /// One that travel() fills.
  TraceInput() = default;
  /// Brings what has been read of an archive to another process. A file in our notation is read there too.
  template <class Archive>
  void travel(Archive& archive) {
    bool is_archive = archive_ != nullptr;
    archive(path_, diagnostics_, is_archive);
    if constexpr (Archive::reads) {
      if (is_archive)
        archive_ = std::make_unique<otf2::Archive>();
      else
        read_document();
    }
    if (is_archive) archive(*archive_);
  }

  const Definitions& definitions() const;
  /// True if several readers may read a location at once.
  bool has_independent_readers() const { return archive_ != nullptr; }
  /// Anomalies of the definitions.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// The anchor or notation file.
  const std::string& path() const { return path_; }
  /// Events that the definitions announce; an estimate.
  std::uint64_t announced_events() const;
  /// `max_open` bounds the event files that the group keeps open at a time.
  std::unique_ptr<ReaderGroup> reader_group(std::span<const LocationId> locations, bool attribute_lists,
                                            std::size_t max_open) {
    return readers<replay::LocationReplay>(locations, attribute_lists, max_open);
  }
  /// The same into a sink of any type.
  template <class Sink>
  std::unique_ptr<Readers<Sink>> readers(std::span<const LocationId> locations, bool attribute_lists,
                                         std::size_t max_open) {
    if (document_) return std::make_unique<Readers<Sink>>(*document_);
    return std::make_unique<Readers<Sink>>(*archive_, locations, attribute_lists, max_open);
  }

 private:
  void read_document();

  std::string path_;
  Diagnostics diagnostics_;
  std::unique_ptr<otf2::Archive> archive_;
  std::unique_ptr<notation::Document> document_;
};

}  // namespace waitstate::pass

// An OTF2 archive opened for reading: its definitions, and everything that readers of its events share. It is immutable
// once made, so any number of EventReaders may use it at the same time.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>

#include "otf2/anchor.hpp"
#include "otf2/references.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::otf2 {

class Archive {
 public:
  /// Opens the trace that `trace` names: an anchor file of any name, or a folder that holds exactly one *.otf2.
  /// Throws TraceError if there is none, or if it cannot be read at all.
  explicit Archive(const std::filesystem::path& trace);
  /// One that travel() fills.
  Archive() = default;
  /// Brings what has been read to another process, which reads none of it.
  template <class OtherSide>
  void travel(OtherSide& archive) {
    archive(folder_, anchor_, definitions_, references_, diagnostics_, has_local_definitions_);
  }

  const Definitions& definitions() const { return definitions_; }
  /// Damage and oddities of the definitions.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  const Anchor& anchor() const { return anchor_; }

  /// The map from recorded numbers to ids.
  const References& references() const { return references_; }
  std::filesystem::path event_file(LocationId location) const;
  std::filesystem::path local_definition_file(LocationId location) const;
  /// The path of such a file even after the current folder has changed: patterns run while files are still being
  /// opened.
  std::filesystem::path on_disk(const std::filesystem::path& file) const { return folder_ / file; }
  /// True if any location has a file of local definitions: only then does a missing one count as damage.
  bool has_local_definitions() const { return has_local_definitions_; }
  /// True if the local definitions of any location change its events, as far as the files can be read. The files are
  /// looked at once, when this is asked first.
  bool local_definitions_matter() const;

 private:
  std::filesystem::path location_file(LocationId location, const char* suffix) const;

  std::filesystem::path folder_;  ///< the folder that a relative anchor path is relative to
  Anchor anchor_;
  Definitions definitions_;
  References references_;
  Diagnostics diagnostics_;
  bool has_local_definitions_ = false;
  struct LocalDefinitionsSeen {
    std::once_flag once;
    bool matter = false;
  };
  std::unique_ptr<LocalDefinitionsSeen> seen_ = std::make_unique<LocalDefinitionsSeen>();
};

}  // namespace waitstate::otf2

// An OTF2 archive opened for reading: definitions and everything that readers of its events share. Immutable once made,
// so any number of EventReaders may use it at the same time.
#pragma once

#include <filesystem>

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

  const Definitions& definitions() const { return definitions_; }
  /// What was damaged or odd about the definitions.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  const Anchor& anchor() const { return anchor_; }

  /// From recorded numbers to ids.
  const References& references() const { return references_; }
  std::filesystem::path event_file(LocationId location) const;
  std::filesystem::path local_definition_file(LocationId location) const;
  /// Where such a file is even if the current folder is another one by now: patterns run while files are still opened.
  std::filesystem::path on_disk(const std::filesystem::path& file) const { return folder_ / file; }
  /// True if any location has a file of local definitions: only then is a missing one damage.
  bool has_local_definitions() const { return has_local_definitions_; }

 private:
  std::filesystem::path location_file(LocationId location, const char* suffix) const;

  std::filesystem::path folder_;  ///< that the anchor's path is relative to, if it is
  Anchor anchor_;
  Definitions definitions_;
  References references_;
  Diagnostics diagnostics_;
  bool has_local_definitions_ = false;
};

}  // namespace waitstate::otf2

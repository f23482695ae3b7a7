// The anchor file of an archive: where a trace is found, and what its other files need to be read.
#pragma once

#include <filesystem>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::otf2 {

struct Anchor {
  std::filesystem::path path;
  std::filesystem::path base;  ///< base.def, base.marker, and the folder `base` with the files of the locations
  Recorder recorder;
  std::uint64_t event_chunk_size = 0, definition_chunk_size = 0;
  std::uint64_t locations = 0, definitions = 0;  ///< as the anchor announces them

  template <class Archive>
  void travel(Archive& archive) {
    archive(path, base, recorder, event_chunk_size, definition_chunk_size, locations, definitions);
  }
};

/// Finds and reads the anchor that `trace` names: the anchor itself, or a folder with one. Throws TraceError.
Anchor read_anchor(const std::filesystem::path& trace);

}  // namespace waitstate::otf2

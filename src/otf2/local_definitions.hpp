// Checks the file of one location's definitions (id maps, clock offsets) before the OTF2 library reads and applies it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace waitstate::otf2 {

struct LocalDefinitionsCheck {
  std::uint64_t records = 0;  ///< before the first damage: the library may read that many
  std::string damage;         ///< why the file ends early; empty if it does not
  bool missing = false;       ///< there is no such file
};

LocalDefinitionsCheck check_local_definitions(const std::filesystem::path& path, std::uint64_t chunk_size);

}  // namespace waitstate::otf2

#include "otf2/local_definitions.hpp"

#include <cerrno>

#include "otf2/chunk_file.hpp"

namespace waitstate::otf2 {

LocalDefinitionsCheck check_local_definitions(const std::filesystem::path& path, std::uint64_t chunk_size) {
  constexpr std::uint8_t mapping_table = 5, clock_offset = 6;
  LocalDefinitionsCheck check;
  bool sound = true;
  const WalkResult walked = walk(path, chunk_size, [&](std::uint8_t type, ByteReader in) {
    if (!sound) return true;
    if (type == mapping_table) {
      // Kind, map, and in the map: its size, whether it is sparse, and one or two numbers an entry.
      in.u8();
      const std::uint64_t n = in.u64();
      const unsigned numbers = in.u8() == 0 ? 1 : 2;
      sound = n <= in.left();
      for (std::uint64_t i = 0; sound && i < n * numbers && in.ok(); ++i) in.u64();
    } else if (type == clock_offset) {
      in.full64();
      in.i64();
      in.full64();  // deviation
    }
    sound = sound && in.ok();
    check.records += sound;
    return sound;
  });
  check.missing = walked.open_error == ENOENT;
  check.damage = walked.damage;
  return check;
}

}  // namespace waitstate::otf2

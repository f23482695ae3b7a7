#include "otf2/definitions/local.hpp"

#include <algorithm>
#include <string>

namespace waitstate::otf2 {

bool ClockCorrection::add(Time time, std::int64_t offset) {
  if (open_) {
    if (time <= open_->begin) return open_.reset(), false;
    open_->end = time;
    const auto change =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) - static_cast<std::uint64_t>(open_->offset));
    open_->slope = static_cast<double>(change) / static_cast<double>(time - open_->begin);
    lines_.push_back(*open_);
  }
  open_ = Line{time, 0, offset, 0};
  return true;
}

IdMap::IdMap(ByteReader& in, bool wide) {
  const std::uint64_t entries = in.u64(), mask = wide ? undefined64 : undefined32;
  const bool sparse = in.u8() != 0;
  if (!sparse) {
    dense_.reserve(std::min<std::uint64_t>(entries, in.left()));
    for (std::uint64_t local = 0; local < entries && in.ok(); ++local) dense_.push_back(in.u64() & mask);
    return;
  }
  std::vector<Pair> pairs;
  for (std::uint64_t n = 0; n < entries && in.ok(); ++n) {
    const std::uint64_t local = in.u64(), global = in.u64() & mask;
    pairs.push_back({local, global});
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.local < b.local; });
  // Numbers that lie together from 0 on are found by their index.
  std::size_t together = 0;
  while (together < pairs.size() && pairs[together].local == together) dense_.push_back(pairs[together++].global);
  sparse_.assign(pairs.begin() + static_cast<std::ptrdiff_t>(together), pairs.end());
}

std::uint64_t IdMap::find(std::uint64_t local) const {
  const auto at = std::lower_bound(sparse_.begin(), sparse_.end(), local,
                                   [](const Pair& p, std::uint64_t l) { return p.local < l; });
  return at != sparse_.end() && at->local == local ? at->global : local;
}

CheckedFile read_local_definitions(const std::filesystem::path& path, std::uint64_t chunk_size,
                                   LocalDefinitions& definitions) {
  constexpr std::uint8_t mapping_table = 5, clock_offset = 6;
  std::string contradiction;
  std::uint64_t number = 0;
  const auto refuse = [&](const char* why) {
    if (contradiction.empty()) contradiction = "record " + std::to_string(number) + " is refused: " + why;
  };
  CheckedFile file = check_file(path, chunk_size, FileKind::local_definitions, [&](std::uint8_t type, ByteReader in) {
    if (type == mapping_table) {
      const std::uint8_t kind = in.u8();
      if (kind >= definitions.maps.size()) {
        refuse("a map of numbers of an unknown kind");
      } else if (definitions.mapped[kind]) {
        refuse("a second map of numbers of one kind");
      } else {
        definitions.maps[kind] = IdMap(in, static_cast<RefKind>(kind) == RefKind::location);
        definitions.mapped[kind] = true;
      }
    } else if (type == clock_offset) {
      const Time time = in.full64();
      if (!definitions.clock.add(time, in.i64())) refuse("a clock offset that was not measured after the previous one");
    }
    ++number;
  });
  file.ends_early = !file.damage.empty();
  if (file.damage.empty()) file.damage = contradiction;
  return file;
}

}  // namespace waitstate::otf2

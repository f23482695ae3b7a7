#include "otf2/local_definitions.hpp"

#include <algorithm>
#include <cmath>

#include "otf2/chunk_file.hpp"

namespace waitstate::otf2 {

std::uint64_t IdMap::operator()(std::uint64_t local) const {
  if (local < dense.size()) return dense[local];
  const auto it = std::lower_bound(sparse.begin(), sparse.end(), std::pair(local, std::uint64_t{0}));
  return it != sparse.end() && it->first == local ? it->second : local;
}

void ClockCorrection::add_synchronisation(Time time, std::int64_t offset) {
  // Two synchronisations at one time, or backwards, define no slope: the later one replaces the earlier.
  if (pending_ && time > pending_time_) {
    const double slope = static_cast<double>(static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) -
                                                                       static_cast<std::uint64_t>(pending_offset_))) /
                         static_cast<double>(time - pending_time_);
    intervals_.push_back({pending_time_, time, pending_offset_, slope});
  }
  pending_ = true;
  pending_time_ = time;
  pending_offset_ = offset;
}

Time ClockCorrection::corrected(Time local) {
  while (current_ + 1 < intervals_.size() && local > intervals_[current_].end) ++current_;
  const Interval& i = intervals_[current_];
  const double since = local >= i.begin ? static_cast<double>(local - i.begin) : -static_cast<double>(i.begin - local);
  // To the nearest integer by adding and subtracting a number whose last binary place is 1; beyond 2^51 ticks, which only
  // a damaged file asks for, there is no drift.
  const double drift = i.slope * since;
  constexpr double ones_place = 0x1.8p52;
  const std::int64_t ticks = std::abs(drift) < 0x1p51 ? static_cast<std::int64_t>((drift + ones_place) - ones_place) : 0;
  const std::uint64_t offset = static_cast<std::uint64_t>(i.offset) + static_cast<std::uint64_t>(ticks);
  return local + offset;
}

LocalDefinitions read_local_definitions(const std::filesystem::path& path, std::uint64_t chunk_size) {
  constexpr std::uint8_t mapping_table = 5, clock_offset = 6, dense_map = 0;
  LocalDefinitions result;
  const WalkResult walked = walk(path, chunk_size, [&](std::uint8_t type, ByteReader in) {
    if (type == mapping_table) {
      const std::uint8_t kind = in.u8();
      const std::uint64_t n = in.u64();
      const bool dense = in.u8() == dense_map;
      if (!in.ok() || kind >= mapped_kinds) return false;
      IdMap map;
      for (std::uint64_t i = 0; i < n && in.ok(); ++i) {
        if (dense) {
          map.dense.push_back(in.u64());
        } else {
          const std::uint64_t local = in.u64();
          map.sparse.emplace_back(local, in.u64());
        }
      }
      if (!in.ok() || !result.maps[kind].empty()) return false;
      std::sort(map.sparse.begin(), map.sparse.end());
      result.maps[kind] = std::move(map);
    } else if (type == clock_offset) {
      const Time time = in.full64();
      const std::int64_t offset = in.i64();
      if (!in.ok()) return false;
      result.clock.add_synchronisation(time, offset);
    }
    return true;
  });
  result.open_error = walked.open_error;
  result.damage = walked.damage;
  return result;
}

}  // namespace waitstate::otf2

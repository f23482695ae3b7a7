// The costs of delays, by call path, location and kind of wait: sums that do not depend on the order in which they come
// about.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "causes/sweep/fixed_ticks.hpp"
#include "waitstate/pattern/causes.hpp"

namespace waitstate::causes {

/// The kinds of sums: short-term and long-term costs of delays, the waits for messages, and parts of these.
enum class DelaySum : std::uint8_t { short_term, long_term, waited, indirect, propagating };
/// The place and type that a sum belongs to.
struct DelayPlace {
  CallPathId callpath{};
  LocationId location{};
  DelayType type{};
  DelaySum sum{};
  bool operator==(const DelayPlace&) const = default;
};
struct HashOfDelayPlace {
  std::size_t operator()(const DelayPlace& p) const {
    std::uint64_t h = (std::uint64_t{p.location.value} << 32 | p.callpath.value) * 0x9e3779b97f4a7c15u;
    h = (h ^ h >> 32) + (static_cast<std::uint64_t>(p.type) << 3 | static_cast<std::uint64_t>(p.sum));
    h *= 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(h ^ h >> 32);
  }
};

using DelaySums = std::unordered_map<DelayPlace, FixedTicks, HashOfDelayPlace>;
struct JudgedDelays {
  DelaySums sums{};
  bool is_complete = true;  ///< the cause of each wait is known
};
/// Ticks that are owed, by DelayType.
using Debts = std::array<double, delay_type_count>;

}  // namespace waitstate::causes

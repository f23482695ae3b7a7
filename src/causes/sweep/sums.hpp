// What delays cost, by call path, location and kind of wait: sums that do not depend on the order in which they come
// about.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "causes/point_log.hpp"

namespace waitstate::causes {

/// By what kind of wait a delay costs.
enum DelayType : std::uint8_t {
  by_late_sender,
  by_late_receiver,
  by_barrier,
  by_n2n,
  by_12n,
  by_n21,
  by_team_barrier,
  by_idle,
  by_rma,
  by_shmem,
  by_lock,
  by_task,
  by_device,
  by_scan
};
inline constexpr std::size_t delay_types = 14;

inline DelayType delay_type(PointKind kind) {
  switch (kind) {
    case PointKind::late_receiver:
      return by_late_receiver;
    case PointKind::barrier:
      return by_barrier;
    case PointKind::n2n:
      return by_n2n;
    case PointKind::one_to_n:
      return by_12n;
    case PointKind::n_to_one:
      return by_n21;
    case PointKind::team_barrier:
      return by_team_barrier;
    case PointKind::window:
    case PointKind::epoch:
    case PointKind::passive_target:
      return by_rma;
    case PointKind::shmem_collective:
    case PointKind::shmem_pair:
      return by_shmem;
    case PointKind::lock:
      return by_lock;
    case PointKind::task:
      return by_task;
    case PointKind::device:
      return by_device;
    case PointKind::scan:
      return by_scan;
    default:
      return by_late_sender;
  }
}

/// A number of ticks >= 0 in steps of 2^-60, so that a sum is the same in any order and what was added can be taken
/// off. What is more than 2^60 ticks, which only damaged times are, counts as that.
class FixedTicks {
 public:
  FixedTicks() = default;
  explicit FixedTicks(double ticks) : steps_(static_cast<Steps>(std::clamp(ticks, 0.0, 0x1p60) * 0x1p60)) {}
  FixedTicks& operator+=(FixedTicks x) { return steps_ += x.steps_, *this; }
  FixedTicks& operator-=(FixedTicks x) { return steps_ -= x.steps_, *this; }
  double ticks() const { return steps_ == 0 ? 0 : static_cast<double>(steps_) * 0x1p-60; }

 private:
  __extension__ using Steps = unsigned __int128;
  Steps steps_ = 0;
};

/// Of a location in a call path: short-term and long-term costs; of its waits for messages all, and those parts.
enum class DelaySum : std::uint8_t { now, later, waited, indirect, propagating };
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
    h = (h ^ h >> 32) + (std::uint64_t{p.type} << 3 | static_cast<std::uint64_t>(p.sum));
    h *= 0x9e3779b97f4a7c15u;
    return static_cast<std::size_t>(h ^ h >> 32);
  }
};

using DelaySums = std::unordered_map<DelayPlace, FixedTicks, HashOfDelayPlace>;
using Debts = std::array<double, delay_types>;

}  // namespace waitstate::causes

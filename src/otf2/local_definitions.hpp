// What the definition file of one location says about reading its events: how the numbers in them map to the global ones,
// and how its clock ran against the global one. All other local definitions repeat global ones and are skipped.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "otf2/references.hpp"
#include "waitstate/ids.hpp"

namespace waitstate::otf2 {

/// From local to global numbers; a number that is not in the map stands for itself.
struct IdMap {
  std::vector<std::uint64_t> dense;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sparse;  // sorted
  bool empty() const { return dense.empty() && sparse.empty(); }
  std::uint64_t operator()(std::uint64_t local) const;
};

/// Global time = local time + offset, linear between two synchronisations of the clocks; before the first and after the
/// last interval by continuation of the nearest one.
class ClockCorrection {
 public:
  void add_synchronisation(Time time, std::int64_t offset);
  /// Global time. Later calls look from the interval of the latest time so far on, as times of a location increase.
  Time operator()(Time local) {
    return intervals_.empty() ? local : corrected(local);
  }

 private:
  struct Interval {
    Time begin, end;
    std::int64_t offset;
    double slope;
  };
  Time corrected(Time local);
  std::vector<Interval> intervals_;
  std::size_t current_ = 0;
  bool pending_ = false;
  Time pending_time_ = 0;
  std::int64_t pending_offset_ = 0;
};

struct LocalDefinitions {
  std::array<IdMap, mapped_kinds> maps;
  ClockCorrection clock;
  int open_error = 0;
  std::string damage;  ///< why the file ends early; what was read before counts

  std::uint64_t map(RefKind kind, std::uint64_t local) const {
    const auto k = static_cast<std::size_t>(kind);
    return k >= mapped_kinds || maps[k].empty() ? local : maps[k](local);
  }
};

LocalDefinitions read_local_definitions(const std::filesystem::path& path, std::uint64_t chunk_size);

}  // namespace waitstate::otf2

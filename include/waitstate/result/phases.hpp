// The run in phases, each with its time, its efficiency and its waits. Phases are the visits of one region, e.g. of the
// body of the main loop, or stretches of time of equal length. Visits are counted on each location separately: the n-th
// visits of all locations are one phase.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

struct Phases {
  static constexpr std::size_t max_phases = 1024, max_places = 5;

  /// The places with most waits of one wait state in one phase: the largest first, at most max_places each.
  struct Places {
    std::vector<std::pair<CallPathId, Ticks>> callpaths{};  ///< call paths that waited
    std::vector<std::pair<LocationId, Ticks>> locations{};
    friend bool operator==(const Places&, const Places&) = default;
  };

  struct Phase {
    Time begin = 0, end = 0;      ///< the earliest enter and the latest exit; for a stretch of time [begin, end)
    std::uint64_t locations = 0;  ///< number of locations with such visits; for a stretch, CPU threads that are in a
                                  ///< region then
    Ticks ticks = 0;              ///< sum over all locations of the time in these visits, or in regions during this
                                  ///< stretch
    Ticks longest = 0;            ///< largest time of one location
    Ticks computation = 0;        ///< sum over all locations of the time outside of MPI, OpenMP and the other libraries
    Ticks largest_computation = 0;  ///< largest computation time of one location
    /// Ticks of waits that began in these visits, or as far as they lie in this stretch; without zeros.
    std::map<MetricIndex, Ticks> waits{};
    std::map<MetricIndex, Places> places{};  ///< places of these waits

    double parallel_efficiency() const { return mean_computation() / static_cast<double>(longest); }
    double load_balance() const { return mean_computation() / static_cast<double>(largest_computation); }
    double communication_efficiency() const {
      return static_cast<double>(largest_computation) / static_cast<double>(longest);
    }
    void add_location(Ticks time, Ticks of_it_computation) {
      ++locations;
      ticks = add_ticks(ticks, static_cast<std::uint64_t>(time));
      longest = std::max(longest, time);
      computation = add_ticks(computation, static_cast<std::uint64_t>(of_it_computation));
      largest_computation = std::max(largest_computation, of_it_computation);
    }
    /// True if all three factors of efficiency are known.
    bool has_efficiency() const { return locations > 1 && longest > 0 && largest_computation > 0; }
    friend bool operator==(const Phase&, const Phase&) = default;

   private:
    double mean_computation() const { return static_cast<double>(computation) / static_cast<double>(locations); }
  };

  RegionId region;                     ///< the first region of that name; none for stretches of time
  std::uint64_t visits = 0;            ///< largest number of visits of a location; for time, the number of stretches
  std::uint64_t visits_per_phase = 1;  ///< a power of two, above 1 if there are more than max_phases
  std::vector<Phase> phases;
  friend bool operator==(const Phases&, const Phases&) = default;
};

}  // namespace waitstate

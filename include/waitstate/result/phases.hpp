// The run in phases, each with its time, its efficiency and its waits: the visits of one region, e.g. of the body of
// the main loop, or stretches of time of equal length. Visits are counted on each location by itself: the n-th visits
// of all are one phase.
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

  /// Where most of the waits of one wait state were in one phase: the largest first, at most max_places each.
  struct Places {
    std::vector<std::pair<CallPathId, Ticks>> callpaths{};  ///< that waited
    std::vector<std::pair<LocationId, Ticks>> locations{};
    bool exact = true;  ///< false: there are so many that small ones were dropped meanwhile; ticks may be more
    friend bool operator==(const Places&, const Places&) = default;
  };

  struct Phase {
    Time begin = 0, end = 0;      ///< of the earliest enter and the latest exit; of a stretch of time: [begin, end)
    std::uint64_t locations = 0;  ///< that have such visits; of a stretch: CPU threads that are in a region then
    Ticks ticks = 0;              ///< in these visits, or in regions in this stretch, of all locations together
    Ticks longest = 0;            ///< of one location
    Ticks computation = 0;        ///< of them outside of MPI, OpenMP and the other libraries, of all locations together
    Ticks largest_computation = 0;  ///< of one location
    /// Of waits that began in these visits, or as far as they lie in this stretch; without zeros.
    std::map<MetricIndex, Ticks> waits{};
    std::map<MetricIndex, Places> places{};  ///< of these waits

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
    /// All three are known.
    bool has_efficiency() const { return locations > 1 && longest > 0 && largest_computation > 0; }
    friend bool operator==(const Phase&, const Phase&) = default;

   private:
    double mean_computation() const { return static_cast<double>(computation) / static_cast<double>(locations); }
  };

  RegionId region;                     ///< the first one of that name; none: stretches of time
  std::uint64_t visits = 0;            ///< the most that a location has; of time: how many stretches
  std::uint64_t visits_per_phase = 1;  ///< a power of two, where there are more than max_phases
  std::vector<Phase> phases;
  friend bool operator==(const Phases&, const Phases&) = default;
};

}  // namespace waitstate

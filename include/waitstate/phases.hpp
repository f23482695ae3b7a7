// The run in phases: the visits of one region, e.g. of the body of the main loop, each with its time, its efficiency
// and its waits. Visits are counted on each location by itself: the n-th visits of all are one phase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "waitstate/ids.hpp"
#include "waitstate/metrics.hpp"

namespace waitstate {

struct Phases {
  static constexpr std::size_t max_phases = 1024;

  struct Phase {
    Time begin = 0, end = 0;      ///< of the earliest enter and the latest exit
    std::uint64_t locations = 0;  ///< that have such visits
    Ticks ticks = 0;              ///< in these visits, of all locations together
    Ticks longest = 0;            ///< of one location
    Ticks computation = 0;        ///< of them outside of MPI, OpenMP and the other libraries, of all locations together
    Ticks largest_computation = 0;         ///< of one location
    std::map<MetricIndex, Ticks> waits{};  ///< of waits that began in these visits; without zeros

    double parallel_efficiency() const { return mean_computation() / static_cast<double>(longest); }
    double load_balance() const { return mean_computation() / static_cast<double>(largest_computation); }
    double communication_efficiency() const {
      return static_cast<double>(largest_computation) / static_cast<double>(longest);
    }
    /// All three are known.
    bool has_efficiency() const { return locations > 1 && longest > 0 && largest_computation > 0; }
    friend bool operator==(const Phase&, const Phase&) = default;

   private:
    double mean_computation() const { return static_cast<double>(computation) / static_cast<double>(locations); }
  };

  RegionId region;                     ///< the first one of that name
  std::uint64_t visits = 0;            ///< the most that a location has
  std::uint64_t visits_per_phase = 1;  ///< a power of two, where there are more than max_phases
  std::vector<Phase> phases;
  friend bool operator==(const Phases&, const Phases&) = default;
};

}  // namespace waitstate

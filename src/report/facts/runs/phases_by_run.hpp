// The phases of several runs beside each other: the n-th phase of one run is that of another if both are visits of a
// region of one name, or stretches of time of one number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/facts/runs/by_run.hpp"

namespace waitstate::report {

struct PhaseByRun {
  std::size_t number = 0;
  ByRun longest;  ///< seconds; none where a run does not have this phase
  ByRun parallel_efficiency, load_balance, communication_efficiency;
  std::map<std::string, ByRun> waits{};  ///< by metric id, seconds: of those that one run has
};

/// How runs are cut into phases.
struct PhaseKind {
  std::string region{};                ///< phases are visits of it; "": they are stretches of time
  std::uint64_t visits_per_phase = 1;  ///< number of visits of the region that are one phase
  std::uint64_t stretches = 0;         ///< the number of stretches of time
  friend bool operator==(const PhaseKind&, const PhaseKind&) = default;
};

struct PhasesByRun {
  PhaseKind kind{};
  std::vector<PhaseByRun> phases{};
};

/// No phases unless all runs have phases of one kind. `only`: ids of the metrics whose waits are told, empty for all;
/// if they are named, and nothing was waited of them, there are no phases.
PhasesByRun phases_by_run(Runs runs, const std::vector<std::string>& only);

}  // namespace waitstate::report

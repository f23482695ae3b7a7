// Phases (phases.hpp) while waits are added to them. A wait belongs to the visit that it began in; one of a thread that
// never enters the region itself, to that of the first thread of its process that does. Cost: a search among a
// location's visits for each wait, and only if phases are asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pass/visits.hpp"
#include "waitstate/phases.hpp"

namespace waitstate::analysis {

class PhaseBook {
 public:
  /// Throws UsageError if the trace has no region of that name.
  PhaseBook(pass::TraceInput& input, const std::string& region);

  void add(MetricIndex metric, LocationId location, Time begin, Ticks ticks);
  Phases finish() const;

 private:
  Phases phases_;
  std::vector<std::vector<pass::Visit>> visits_;  ///< by location
  std::vector<std::uint32_t> whose_;              ///< by location: whose visits count
  std::vector<std::vector<Ticks>> waits_;         ///< by metric and phase
};

}  // namespace waitstate::analysis

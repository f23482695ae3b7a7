// An analysis of a trace takes time and memory: estimates for people who choose a machine, or ask for nodes.
//
// An event takes 60 to 140 ns of a core, more where there are many locations, and a process up to 64 MiB and 64 KiB for
// each of its locations (tests/bench/README.md). Cores share a trace by processes of the traced program, and so do
// several processes of an MPI.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Effort {
  double seconds_on_one_core = 0;
  std::size_t most_cores = 1;      ///< more have nothing to do
  std::uint64_t memory_bytes = 0;  ///< if one process does it all

  static Effort of(const AnalysisResult& result) {
    constexpr double per_event = 100e-9;
    constexpr std::uint64_t fixed = std::uint64_t{64} << 20, per_location = std::uint64_t{64} << 10;
    const Definitions& definitions = result.definitions;
    const auto processes = std::count_if(definitions.processes.begin(), definitions.processes.end(),
                                         [](const LocationGroup& p) { return p.type == LocationGroupType::process; });
    return {static_cast<double>(result.events()) * per_event,
            std::max<std::size_t>(static_cast<std::size_t>(processes), 1),
            fixed + definitions.locations.size() * per_location};
  }
};

}  // namespace waitstate::report

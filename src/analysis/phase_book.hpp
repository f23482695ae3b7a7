// Phases (phases.hpp) while waits are added to them. Only if they are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "pass/trace_input.hpp"
#include "waitstate/phases.hpp"

namespace waitstate {
struct Focus;
}

namespace waitstate::analysis {

class PhaseBook {
 public:
  virtual ~PhaseBook() = default;

  virtual void add(MetricIndex metric, LocationId location, Time begin, Ticks ticks) = 0;
  Phases finish() const;

 protected:
  void count(MetricIndex metric, std::size_t phase, std::uint64_t ticks);

  Phases phases_;  ///< without waits

 private:
  std::vector<std::vector<Ticks>> waits_;  ///< by metric and phase
};

/// Of AnalysisOptions::phase, which is not empty; reads the trace. Throws UsageError if there are no such phases in it.
std::unique_ptr<PhaseBook> make_phase_book(pass::TraceInput& input, const std::string& phase, const Focus& focus);

/// Throws UsageError if there can be no such phases in any trace.
void check_phase(const std::string& phase);

}  // namespace waitstate::analysis

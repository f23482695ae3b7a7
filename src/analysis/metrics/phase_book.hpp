// Adds waits to phases (phases.hpp). Used only if phases are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pass/trace_input.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/result/phases.hpp"

namespace waitstate {
struct Focus;
}

namespace waitstate::analysis {

/// The places with the largest sums. If there are more than can be kept, the smaller half is dropped, so that a dropped
/// place that returns later has less than its whole sum.
class LargestPlaces {
 public:
  static constexpr std::size_t most = 128;

  void add(std::uint32_t place, std::uint64_t ticks);
  /// At most `n` places, the largest first; of equal ones, the one with the smaller number first.
  std::vector<std::pair<std::uint32_t, Ticks>> largest(std::size_t n) const;
  bool is_exact() const { return exact_; }

 private:
  std::vector<std::pair<std::uint32_t, Ticks>> places_;  ///< ascending
  bool exact_ = true;
};

class PhaseBook {
 public:
  virtual ~PhaseBook() = default;

  virtual void add(MetricIndex metric, const Wait& wait) = 0;
  Phases finish() const;

 protected:
  void count(MetricIndex metric, std::size_t phase, const Wait& wait, std::uint64_t ticks);

  Phases phases_;  ///< without waits

 private:
  struct Cell {
    Ticks ticks = 0;
    LargestPlaces callpaths, locations;
  };
  std::vector<std::vector<Cell>> waits_;  ///< by metric and phase
};

/// Makes the book for Keep::phase, which is not empty; reads the trace. Throws UsageError if the trace has
/// no such phases.
std::unique_ptr<PhaseBook> make_phase_book(pass::TraceInput& input, const std::string& phase, const Focus& focus);

/// Throws UsageError if no trace can have such phases.
void check_phase(const std::string& phase);

}  // namespace waitstate::analysis

// Adds waits to phases (phases.hpp). Used only if phases are asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/call_path_order.hpp"
#include "pass/trace_input.hpp"
#include "util/spill/spilled_sums.hpp"
#include "waitstate/pattern/message.hpp"
#include "waitstate/result/phases.hpp"

namespace waitstate {
struct Focus;
}

namespace waitstate::analysis {

class PhaseBook {
 public:
  virtual ~PhaseBook() = default;

  virtual void add(MetricIndex metric, const Wait& wait) = 0;
  /// Another book of the same phases, without waits.
  virtual std::unique_ptr<PhaseBook> another() const = 0;
  /// Adds the waits of another book of the same phases, which cannot be used afterwards.
  void merge(PhaseBook& other);
  /// Brings the waits to a book of another process that has none.
  template <class Archive>
  void travel(Archive& archive) {
    archive(waits_, places_);
  }
  /// `order`: of call paths, to decide between those that waited equally long.
  Phases finish(const CallPathOrder& order);

 protected:
  PhaseBook() = default;
  explicit PhaseBook(const Phases& phases) : phases_(phases) {}
  void count(MetricIndex metric, std::size_t phase, const Wait& wait, std::uint64_t ticks);

  Phases phases_;  ///< without waits

 private:
  enum class Place : std::uint8_t { callpath, location };
  std::uint64_t key(MetricIndex metric, std::size_t phase, Place kind, std::uint32_t place) const {
    return ((std::uint64_t{metric} * phases_.phases.size() + phase) * 2 + static_cast<std::uint64_t>(kind)) << 32 |
           place;
  }

  std::vector<std::vector<Ticks>> waits_;  ///< by metric and phase
  util::SpilledSums places_;               ///< waits by metric, phase and place
};

/// Makes the book for Keep::phase, which is not empty; reads the trace. Throws UsageError if the trace has
/// no such phases.
std::unique_ptr<PhaseBook> make_phase_book(pass::TraceInput& input, const std::string& phase, const Focus& focus);

/// Throws UsageError if no trace, or not this one, can have such phases.
void check_phase(const std::string& phase);
void check_phase(const std::string& phase, const Definitions& definitions);

}  // namespace waitstate::analysis

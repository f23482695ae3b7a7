// The wait for the last process when all processes create or free a window.
#pragma once

#include <string>
#include <utility>

#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class WindowWait : public Pattern {
 public:
  static constexpr bool in_parts = true;

  struct WindowOperation {
    RmaCollectiveKind kind;
    NamesWith functions;
    MetricSpec metric;
    std::string charged_to, diagnosis;
  };
  explicit WindowWait(WindowOperation operation) : operation_(std::move(operation)) {}

  PatternInfo info() const override {
    return {.metrics = {operation_.metric},
            .severity = "min(maxB, C_i) - B_i if > 0; B, C: begin and end records; maxB over all members of the window",
            .charged_to = operation_.charged_to,
            .state = "the parts of operations that some member has not reached yet",
            .source = one_sided_source,
            .differs = "no",
            .diagnosis = operation_.diagnosis};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.kind == operation_.kind && r.paradigm == Paradigm::mpi) add_waits_for_last(r.collective, context);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, RegionClass::mpi_mgmt_win, operation_.functions);
  }

 private:
  const WindowOperation operation_;
};

}  // namespace waitstate::patterns

// The wait for the last process when all processes create or free a window.
#pragma once

#include <string>
#include <utility>

#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class WindowWait : public Pattern {
 public:
  struct Of {
    RmaCollectiveKind kind;
    NamesWith functions;
    MetricSpec metric;
    std::string charged_to, diagnosis;
  };
  explicit WindowWait(Of of) : of_(std::move(of)) {}

  PatternInfo info() const override {
    return {.metrics = {of_.metric},
            .severity = "min(maxB, C_i) - B_i if > 0; B, C: begin and end records; maxB of all members of the window",
            .charged_to = of_.charged_to,
            .state = "the parts of operations that some member has not reached yet",
            .source = one_sided_source,
            .differs = "no",
            .diagnosis = of_.diagnosis};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.kind == of_.kind && r.paradigm == Paradigm::mpi) add_waits_for_last(r.collective, context);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, RegionClass::mpi_mgmt_win, of_.functions);
  }

 private:
  const Of of_;
};

}  // namespace waitstate::patterns

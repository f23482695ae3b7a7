// The wait in a collective operation of SHMEM, from the enters of the calls on: for the root of a broadcast, in all
// others for the processing element that comes last. Unlike MPI's operations, these have no begin records of their own.
#pragma once

#include <string>
#include <utility>

#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class ShmemCollectiveWait : public Pattern {
 public:
  static constexpr bool in_parts = true;

  struct ShmemOperation {
    CollectiveKind kind;
    RegionClass region_class;
    MetricSpec metric;
    std::string severity, charged_to, diagnosis;
  };
  explicit ShmemCollectiveWait(ShmemOperation operation) : operation_(std::move(operation)) {}

  PatternInfo info() const override {
    return {.metrics = {operation_.metric},
            .severity = operation_.severity,
            .charged_to = operation_.charged_to,
            .state = "the parts of operations that some member has not reached yet",
            .source = one_sided_source,
            .differs = "no",
            .diagnosis = operation_.diagnosis};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    const Collective& c = r.collective;
    if (c.kind != operation_.kind || !are_of(c, operation_.region_class, context)) return;
    const std::uint32_t culprit = operation_.kind == CollectiveKind::one_to_all ? c.root : last_to_enter(c);
    if (culprit != Collective::no_root) add_waits_for(c, culprit, context);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, operation_.region_class);
  }

 private:
  const ShmemOperation operation_;
};

}  // namespace waitstate::patterns

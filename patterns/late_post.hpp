// The waits of an access epoch for the targets' posts, twice: in the calls that synchronise, and in the operations.
#pragma once

#include <string>
#include <utility>

#include "rma_wait.hpp"
#include "rules/late_post.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class LatePost : public Pattern {
 public:
  static constexpr bool in_parts = true;

  enum class In { start_or_complete, operations };  ///< `operations` only if no start or complete call waited
  /// One of the two metrics, in words and as code.
  struct WaitingCalls {
    In in;
    RegionClass region_class;
    MetricSpec metric;
    std::string severity, charged_to, differs, diagnosis;
  };
  explicit LatePost(WaitingCalls calls) : calls_(std::move(calls)) {}

  PatternInfo info() const override {
    return {.metrics = {calls_.metric},
            .severity = calls_.severity,
            .charged_to = calls_.charged_to,
            .state = "access epochs that are open or lack a post",
            .source = one_sided_source,
            .differs = calls_.differs,
            .diagnosis = calls_.diagnosis};
  }

  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& context) override {
    each_late_post(e, [&](const Call& waiting, const Call& post, bool in_operation) {
      if (in_operation == (calls_.in == In::operations))
        context.add_wait(make_wait(waiting, static_cast<Ticks>(post.enter - waiting.enter), post));
    });
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, calls_.region_class);
  }

 private:
  const WaitingCalls calls_;
};

}  // namespace waitstate::patterns

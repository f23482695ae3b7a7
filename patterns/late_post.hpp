// The waits of an access epoch for the targets' posts, twice: in the calls that synchronise, and in the operations.
#pragma once

#include <string>
#include <utility>

#include "rma_wait.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

class LatePost : public Pattern {
 public:
  enum class In { start_or_complete, operations };  ///< the latter only where no start or complete call waited
  /// One of the two, in words and as code.
  struct Of {
    In in;
    RegionClass region_class;
    MetricSpec metric;
    std::string severity, charged_to, differs, diagnosis;
  };
  explicit LatePost(Of of) : of_(std::move(of)) {}

  PatternInfo info() const override {
    return {.metrics = {of_.metric},
            .severity = of_.severity,
            .charged_to = of_.charged_to,
            .state = "access epochs that are open or lack a post",
            .source = one_sided_source,
            .differs = of_.differs,
            .diagnosis = of_.diagnosis};
  }

  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& context) override {
    const Call* const post = last_post(e);
    if (post == nullptr) return;
    const Call* const waiting = contains(e.complete, *post) ? &e.complete
                                : contains(e.start, *post)  ? &e.start
                                                            : nullptr;
    if (of_.in == In::start_or_complete) {
      if (waiting != nullptr) context.add_wait(wait_in(*waiting, *post));
    } else if (waiting == nullptr) {
      for (const RmaEpochOperation& o : e.operations)
        if (const Call& own = e.targets[o.target].post; contains(o.call, own)) context.add_wait(wait_in(o.call, own));
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, of_.region_class);
  }

 private:
  /// Of several that are entered at the same time, that of the first target; null without targets.
  static const Call* last_post(const RmaAccessEpoch& e) {
    const Call* last = nullptr;
    for (const RmaAccessTarget& t : e.targets)
      if (last == nullptr || t.post.enter > last->enter) last = &t.post;
    return last;
  }
  static bool contains(const Call& call, const Call& post) {
    return call.enter < post.enter && post.enter <= call.exit;
  }
  static Wait wait_in(const Call& call, const Call& post) {
    return make_wait(call, static_cast<Ticks>(post.enter - call.enter), post);
  }

  const Of of_;
};

}  // namespace waitstate::patterns

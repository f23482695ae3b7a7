// The common part of the wait states of MPI's collective operations: a non-blocking operation waits in the call that
// completes it, and the names of functions say which of them can have the wait. Each pattern itself says what a
// blocking operation waits for.
#pragma once

#include <utility>

#include "rules/latest.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class CollectiveWait : public Pattern {
 public:
  static constexpr bool in_parts = true;

  CollectiveWait(CollectiveKind kind, NamesWith functions) : kind_(kind), functions_(std::move(functions)) {}

  void completed_collectives_callback(const CompletedCollectives& c, Context& context) override {
    const CollectiveCompletion* const longest = longest_wait(c);
    if (longest != nullptr && longest->kind == kind_)
      context.add_wait(make_wait(c.call, nonblocking_wait_ticks(c.call, *longest), *longest->awaited));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    collective_reasons(e, u, first_metric, functions_);
  }

 protected:
  bool is_of(const Collective& c) const { return c.kind == kind_; }
  /// Adds the wait of member i for `culprit`, if i began earlier.
  static void add_wait_for(const Collective& c, std::uint32_t i, std::uint32_t culprit, Context& context) {
    const CollectiveMember& m = c.members[i];
    if (const Ticks t = wait_ticks(c, i, culprit); t > 0)
      context.add_wait(make_wait(*m.call, m.begin, t, *c.members[culprit].call));
  }

 private:
  const CollectiveKind kind_;
  const NamesWith functions_;
};

}  // namespace waitstate::patterns

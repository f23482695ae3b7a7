// The waits of passive-target epochs, each twice: in calls that synchronise, and in puts, gets and atomic operations.
#pragma once

#include <string>
#include <utility>

#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

/// The calls of one of the two metrics.
struct PassiveCalls {
  RegionClass region_class;
  std::string description;  ///< description of the calls in words
  MetricSpec metric;
};

/// Waits for another process to release its lock.
class LockCompetition : public Pattern {
 public:
  static constexpr bool in_parts = true;

  explicit LockCompetition(PassiveCalls calls) : calls_(std::move(calls)) {}

  PatternInfo info() const override {
    return {.metrics = {calls_.metric},
            .severity =
                "R - E; R: the last release, within the call, of a conflicting lock of another process on a target of "
                "the call; E: enter of the call. Two shared locks do not conflict; a lock of all targets is a shared "
                "lock of each. Calls: " +
                calls_.description,
            .charged_to = "the call, origin; the culprit is the process that released the lock",
            .state =
                "the last release for each lock and target; records that were read ahead of the location that is "
                "furthest behind",
            .source = one_sided_source,
            .differs =
                "no; MPI_Win_lock need not block, and the call that contains the release is the one that waited for it",
            .diagnosis =
                "hold exclusive locks for less time, use shared locks or atomic operations, or spread the data over "
                "several targets"};
  }

  void rma_passive_call_callback(const RmaPassiveCall& r, Context& context) override {
    if (r.released != nullptr && is_of(r.call, calls_.region_class, context))
      context.add_wait(make_wait(r.call, static_cast<Ticks>(r.release_time - r.call.enter), *r.released));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, calls_.region_class);
  }

 private:
  const PassiveCalls calls_;
};

/// Waits for the target to call MPI.
class WaitForProgress : public Pattern {
 public:
  static constexpr bool in_parts = true;

  explicit WaitForProgress(PassiveCalls calls) : calls_(std::move(calls)) {}

  PatternInfo info() const override {
    return {.metrics = {calls_.metric},
            .severity =
                "sum of the times in which a target was outside of MPI, from the enter of the call on, or from the "
                "release that it waited for (lock competition): all of them if the target is in an MPI call when the "
                "call is left, and entered that call within it; else the time until it first entered MPI. With several "
                "targets, overlapping times count once. Calls: " +
                calls_.description,
            .charged_to = "the call, origin; the culprit is the target",
            .state =
                "the last release for each lock and target; records that were read ahead of the location that is "
                "furthest behind; the MPI calls since the earliest call that is open",
            .source = one_sided_source,
            .differs =
                "the definition ends the wait at the target's next MPI call, whatever that is; here, a call that "
                "continues after the target has entered and left MPI, and ends when it enters MPI again, waited for "
                "that too. The "
                "target of a lock or unlock is the locked one, of an operation its own, of a flush or unlock those "
                "whose operations it completes. The trace does not show whether the MPI library needs the target for "
                "progress: a wait counts because the call ended when the target came",
            .diagnosis =
                "let the target call MPI more often, or use an MPI library (or a setting) with asynchronous progress"};
  }

  void rma_passive_call_callback(const RmaPassiveCall& r, Context& context) override {
    if (r.gaps.empty() || !is_of(r.call, calls_.region_class, context)) return;
    for (const RmaProgressGap& g : r.gaps)
      context.add_wait(make_wait(r.call, g.begin, static_cast<Ticks>(g.end - g.begin), g.next));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    one_sided_reasons(e, u, first_metric, calls_.region_class);
  }

 private:
  const PassiveCalls calls_;
};

}  // namespace waitstate::patterns

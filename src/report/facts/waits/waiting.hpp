// The metrics of a report that say that a location waited, and whether a culprit is the cause: a location that itself
// waited is not the reason why others waited for it. words/waits/culprit.hpp has the sentences.
#pragma once

#include <vector>

#include "report/facts/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// True for a duration whose single waits are known, or whose id says that it is a wait, the completion of an
/// operation, or idle time: a CUBE report has no single waits.
bool is_wait(const AnalysisResult& result, MetricIndex metric);
/// True if the report has metrics that could say that a location waited, zero or not.
bool has_waits(const AnalysisResult& result);

/// True for a time that a plug-in found, with or without single waits: the user asked for it. False for a mere part of
/// another time (within_parent false) which the plug-in does not call waiting.
bool is_plugin_problem(const AnalysisResult& result, MetricIndex metric);

/// The outermost wait states and the metrics of plug-ins, the largest first; zeros come last, in the order of the
/// metric tree. A wait state that is a mere sum of others is replaced by these.
std::vector<MetricIndex> outermost_waits(const AnalysisResult& result, const Totals& totals);

/// True if the instance has a chain (of causes) whose root may be called the cause, or that says why it may not.
bool tells_cause(const SevereInstance& instance);
/// The part of the wait, 0 to 1, for which its culprit itself waited; 0 if that is not known.
double culprit_share(const SevereInstance& instance);
/// If others are the reason for at least this share of a wait, a location may be called no cause of it.
inline constexpr double acquitting_share = 0.9;

/// True if the culprit of an instance itself waited most of the time: it is not the only cause.
bool culprit_waited(const SevereInstance& instance);

/// The time that a location spent in a call path, without its callees, and how much of it the location waited.
struct OwnWaiting {
  std::int64_t time = 0, waited = 0;  ///< ticks
  bool is_some() const { return waited > 0 && 100 * static_cast<double>(waited) >= static_cast<double>(time); }
};
/// Finds it for any number of places; the metrics that it consists of are looked for once. The result must outlive it.
class OwnWaitings {
 public:
  explicit OwnWaitings(const AnalysisResult& result);
  OwnWaiting at(CallPathId callpath, LocationId location) const;

 private:
  std::int64_t sum(const std::vector<MetricIndex>& metrics, CallPathId callpath, LocationId location) const;

  const Severities& severities_;
  std::vector<MetricIndex> time_, waits_;  ///< only metrics that have values
};
OwnWaiting own_waiting(const AnalysisResult& result, CallPathId callpath, LocationId location);

/// A call path in which a location was while others waited for it, and in which it itself waited.
struct WaitingCulprit {
  CallPathId callpath;
  LocationId culprit;
  OwnWaiting own;
};
/// The places of culprits at which own_waiting() is some, ordered by call path and location.
std::vector<WaitingCulprit> waiting_culprits(const AnalysisResult& result);

}  // namespace waitstate::report

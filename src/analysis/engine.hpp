// An analysis' patterns, metrics and results put together: who is told what linking and the merge deliver (dispatcher),
// where it goes (run), and what becomes of it at the end.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/dispatcher.hpp"
#include "analysis/metrics/profile_metrics.hpp"
#include "analysis/run.hpp"
#include "link/linker.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::analysis {

/// What is kept beside severities.
struct Collected {
  bool details = false, series = false;  ///< as in AnalysisOptions
  std::unique_ptr<PhaseBook> phases{};   ///< null: not asked for
  std::size_t spill_beyond = 0;          ///< as in AnalysisOptions
  unsigned threads = 1;                  ///< that the analysis has
};

class Engine {
 public:
  /// Adds the patterns' metrics to `metrics`; throws UsageError where ids collide or a needed pattern is missing.
  Engine(std::vector<PatternHandle> patterns, RmaModel rma_model, const Definitions& definitions,
         const CallTree& call_tree, MetricTree& metrics, FocusFilter& focus, Collected collected);

  /// True if some pattern has event callbacks.
  bool wants_events() const { return (dispatcher_.interests() & interest_any_event) != 0; }
  /// True if some pattern asks for the message queue.
  bool needs_queue() const { return dispatcher_.needs_queue(); }
  void connect(const merge::EventStore& store, const merge::Merge& merge) { run_.events = &store, run_.merge = &merge; }

  link::Listener& listener() { return dispatcher_; }
  merge::EventConsumer& consumer() { return dispatcher_; }
  ProfileMetrics& profile_metrics() { return profile_metrics_; }

  /// Configures and initialises all patterns.
  void init() { dispatcher_.init(); }
  void wrapup() { dispatcher_.wrapup(); }

  /// After wrapup(): throws PatternError if a plug-in's metric is larger than what it is a share of. In a part of the
  /// run's time what a pattern adds without a time counts all the same, and nothing can be said.
  void check_shares() const {
    if (run_.focus.has_all_times()) dispatcher_.check_shares();
  }
  /// After wrapup(), once: of the chosen locations. Patterns see those of all, as the cause may lie outside.
  Severities take_severities();
  /// After wrapup(), once: those of a trace from `from` to `to`; unknown if no pattern asks for them. Adds to
  /// `severities` - what take_severities() gave - what metrics take from them.
  MessageQueues message_queues(const link::Linker& linker, Time from, Time to, Severities& severities);
  std::map<MetricIndex, WaitSummary> waits();
  /// With what take_severities() gave.
  std::optional<WaitSeries> series(const Severities& severities) const;
  std::optional<Communication> communication() const;
  std::optional<Phases> phases() const;
  std::optional<CriticalPath> take_critical_path() { return std::move(run_.critical_path); }

 private:
  Run run_;
  ProfileMetrics profile_metrics_;
  Dispatcher dispatcher_;
  std::optional<WorkLog> work_;  ///< if a pattern needs it
};

}  // namespace waitstate::analysis

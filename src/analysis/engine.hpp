// Combines an analysis' patterns, metrics and results: who receives the deliveries of linking and merge (dispatcher),
// where results go (run), and how they are finished at the end.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/parts.hpp"
#include "link/linker.hpp"
#include "peers/archive.hpp"
#include "util/stop_check.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::analysis {

/// The results that are kept beside severities.
struct Collected {
  bool details = false, series = false, contexts = false;  ///< as in Keep
  std::unique_ptr<PhaseBook> phases{};                     ///< null if not asked for
  link::OwnWorkers own{0, 1};                              ///< workers of this peer
  std::size_t causes_in_memory = 0;                        ///< bytes of each kind of what the engine of causes keeps
  unsigned threads = 1;                                    ///< number of threads of the analysis
  bool always_divides = false;                             ///< causes come in parts, whatever is worth it
  WaitSink* waits = nullptr;                               ///< is told of all waits; null if nobody wants that
  const util::StopCheck* stop = &util::StopCheck::never();
};

/// The view that a part has of what grows while a trace is read.
struct PartView {
  const CallTree& call_tree;
  FocusFilter& focus;
};

class Engine {
 public:
  /// Adds the patterns' metrics to `metrics`; throws UsageError if ids collide or a needed pattern is missing. There
  /// are as many parts as views; several only if all patterns can run in parts. Several workers have a part each.
  Engine(std::vector<PatternHandle> patterns, RmaModel rma_model, const Definitions& definitions,
         const std::vector<PartView>& views, const link::Homes& homes, MetricTree& metrics, Collected collected);

  /// True if some pattern has event callbacks.
  bool wants_events() const { return (dispatcher().interests() & interest_any_event) != 0; }
  /// True if some pattern asks for the message queue.
  bool needs_queue() const { return dispatcher().needs_queue(); }
  void connect(const merge::EventStore& store, const merge::Merge& merge);

  /// True if all patterns can run in parts.
  static bool runs_in_parts(const std::vector<PatternHandle>& patterns);
  /// True if each part can be told by a thread of its own: nothing is asked for that needs one order of all events.
  static bool runs_in_threads(const std::vector<PatternHandle>& patterns);

  /// Delivers to the parts by process.
  link::Listener& listener() { return parts_.size() == 1 ? static_cast<link::Listener&>(dispatcher()) : parts_; }
  link::Listener& listener(std::size_t part) { return parts_[part].dispatcher; }
  merge::EventConsumer& consumer() { return dispatcher(); }
  ProfileMetrics& profile_metrics() { return parts_.first().profile_metrics; }

  /// Configures and initialises all patterns.
  void init();
  /// Makes one part of all; call it when everything has been delivered.
  void join_parts() { parts_.join(collected_.threads); }
  /// After join_parts(): what the workers of this peer have goes to peer 0, which takes that of each other one.
  void give(peers::ArchiveWriter& archive);
  void take(peers::ArchiveReader& archive, link::OwnWorkers of_peer);
  /// Makes one of all; before wrapup().
  void join() {
    if (causes_) causes_->join();
  }
  void wrapup();

  /// Throws PatternError if a plug-in's metric is larger than the metric that it is a share of. Call it after wrapup().
  /// If only a part of the run is chosen, values that a pattern adds without a time count in full, so this cannot be
  /// checked.
  void check_shares() const {
    if (run().focus.has_all_times()) dispatcher().check_shares();
  }
  /// The severities of the chosen locations. Call it once, after wrapup(). Patterns see the severities of all
  /// locations, as the cause may lie outside.
  Severities take_severities();
  /// The message queues of a trace from `from` to `to`; unknown if no pattern asks for them. Call it once, after
  /// wrapup(). Adds the values that metrics take from them to `severities`, the result of take_severities().
  MessageQueues message_queues(const link::Linker& linker, Time from, Time to, Severities& severities);
  /// The summaries of waits; `severities`: the result of take_severities().
  std::map<MetricIndex, WaitSummary> waits(const Severities& severities);
  /// The waits over time, for the severities that take_severities() returned.
  std::optional<WaitSeries> series(const Severities& severities) const;
  std::optional<Communication> communication() const;
  /// Which send belongs to which receive; null unless contexts were asked for.
  const MessageBook* messages() const { return run().messages.get(); }
  std::optional<Phases> phases() const;
  std::optional<CriticalPath> take_critical_path() { return std::move(run().critical_path); }

 private:
  std::unique_ptr<Part> make_part();
  static std::vector<CallPathWaits> idle_by_callpath(MetricIndex metric, const Severities& severities);

  Run& run() { return parts_.first().run; }
  const Run& run() const { return parts_.first().run; }
  Dispatcher& dispatcher() { return parts_.first().dispatcher; }
  const Dispatcher& dispatcher() const { return parts_.first().dispatcher; }

  const Definitions& definitions_;
  const link::Homes& homes_;
  MetricTree& metrics_;
  const RmaModel rma_model_;
  const Collected collected_;
  std::vector<PatternHandle> patterns_;                ///< patterns of the part that was made last
  std::vector<std::vector<MetricIndex>> of_patterns_;  ///< metrics by pattern
  std::vector<PartView> views_;                        ///< by part
  std::size_t made_ = 0;                               ///< number of parts made
  Parts parts_;
  std::optional<causes::Engine> causes_;  ///< present if a pattern asks for causes, until wrapup() has ended
};

}  // namespace waitstate::analysis

#include "analysis/engine.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::analysis {

Engine::Engine(std::vector<PatternHandle> patterns, RmaModel rma_model, const Definitions& definitions,
               const CallTree& call_tree, MetricTree& metrics, FocusFilter& focus, Collected collected)
    : run_(definitions, call_tree, metrics, focus),
      profile_metrics_(run_),
      dispatcher_(std::move(patterns), rma_model, run_, profile_metrics_) {
  run_.severities = Severities(metrics.size());
  if (collected.details) {
    run_.causes = std::make_unique<WaitCauses>();
    run_.communication = std::make_unique<CommunicationBook>(definitions);
    dispatcher_.want(CommunicationBook::interests);
  }
  run_.phases = std::move(collected.phases);
  if (collected.series) run_.series = std::make_unique<SeriesBook>(definitions.locations.size());
  run_.waits = WaitRecorder(metrics.size(), run_.causes.get());
  run_.without_place.assign(metrics.size(), false);
  const WantedCauses& wanted = dispatcher_.wanted_causes();
  if (!wanted.waits && !wanted.ideal_waits) return;
  causes_.emplace(definitions, call_tree, metrics, run_.severities, wanted, collected.causes_in_memory,
                  collected.threads);
  run_.engine_of_causes = &*causes_;
  dispatcher_.connect(&*causes_);
}

void Engine::connect(const merge::EventStore& store, const merge::Merge& merge) {
  run_.events = &store, run_.merge = &merge;
  if (causes_) causes_->connect(store);
}

void Engine::wrapup() {
  if (causes_) causes_->finish();
  dispatcher_.wrapup();
  if (!causes_) return;
  run_.critical_path = causes_->critical_path();
  if (run_.critical_path) run_.waits.find_chains(*causes_);
  run_.engine_of_causes = nullptr;
  dispatcher_.connect(nullptr);
  causes_.reset();
}

// An instance of idle threads lasts from a join to the next fork, and the master is in many call paths meanwhile. So
// the times by call path are those of threads, as the metric has them.
std::vector<CallPathWaits> Engine::idle_by_callpath(MetricIndex metric, const Severities& severities) {
  std::map<CallPathId, WaitStatisticsByPath> books;
  severities.for_each(metric, [&](CallPathId callpath, LocationId, std::int64_t value) {
    if (value > 0) books[callpath].add(value);
  });
  std::vector<CallPathWaits> all;
  for (const auto& [callpath, book] : books) all.push_back({callpath, book.result()});
  return all;
}

std::map<MetricIndex, WaitSummary> Engine::waits(const Severities& severities) {
  const CallPathOrder order(run_.call_tree);
  std::map<MetricIndex, WaitSummary> all = run_.waits.summaries(order);
  if (run_.causes == nullptr) return all;
  for (auto& [metric, summary] : all) {
    std::vector<CallPathWaits>& paths = summary.by_callpath;
    if (run_.metrics[metric].kind == MetricKind::idleness) paths = idle_by_callpath(metric, severities);
    std::sort(paths.begin(), paths.end(), [&](const CallPathWaits& a, const CallPathWaits& b) {
      if (a.statistics.sum != b.statistics.sum) return a.statistics.sum > b.statistics.sum;
      return order(a.callpath, b.callpath);
    });
    if (paths.size() <= WaitSummary::max_by_callpath) continue;
    summary.callpaths_left_out = paths.size() - WaitSummary::max_by_callpath;
    paths.resize(WaitSummary::max_by_callpath);
  }
  return all;
}

std::optional<WaitSeries> Engine::series(const Severities& severities) const {
  if (run_.series == nullptr) return std::nullopt;
  return run_.series->finish(severities);
}

std::optional<Phases> Engine::phases() const {
  if (run_.phases == nullptr) return std::nullopt;
  return run_.phases->finish(CallPathOrder(run_.call_tree));
}

std::optional<Communication> Engine::communication() const {
  if (run_.communication == nullptr) return std::nullopt;
  return run_.communication->finish();
}

Severities Engine::take_severities() {
  if (run_.focus.has_all_locations()) return std::move(run_.severities);
  Severities chosen(run_.severities.metric_count());
  for (std::size_t m = 0; m < chosen.metric_count(); ++m)
    run_.severities.for_each(static_cast<MetricIndex>(m), [&](CallPathId callpath, LocationId l, std::int64_t value) {
      if (run_.focus.has_location(l)) chosen.add(static_cast<MetricIndex>(m), callpath, l, value);
    });
  return chosen;
}

// The messages that are still in a queue when the trace ends are known only then.
MessageQueues Engine::message_queues(const link::Linker& linker, Time from, Time to, Severities& severities) {
  if (!dispatcher_.wanted().message_queues) return {};
  const auto chosen = [&](ProcessId p) {
    const auto& threads = run_.definitions[p].locations;
    return std::any_of(threads.begin(), threads.end(), [&](LocationId l) { return run_.focus.has_location(l); });
  };
  constexpr Time never = QueueEntry::never;
  for (const link::Linker::Leftover& l : linker.leftovers())
    if (l.receiver.valid() && chosen(l.receiver))
      run_.queue_log.add(l.sent ? QueueEntry{never, l.time, l.receiver.value, l.comm, l.sender.value, {}, {}, 0}
                                : QueueEntry{l.time, never, l.receiver.value, CommId::none(), 0, {}, {}, 0});
  for (const link::Linker::OpenCall& c : linker.open_calls()) {
    const ProcessId receiver = run_.definitions[c.call.location].process;
    if (c.call.function == MpiFunction::recv && receiver.valid() && run_.focus.has_location(c.call.location))
      run_.queue_log.add({c.call.enter, never, receiver.value, CommId::none(), 0, {}, {}, 0});
  }
  QueuePlaces places;
  MessageQueues queues = run_.queue_log.profile(from, to, run_.queue_metrics.empty() ? nullptr : &places);
  for (const QueuePlace& p : places.all())
    if (run_.focus.has(p.path, p.location))
      for (const auto& [value, metric] : run_.queue_metrics)
        severities.add(metric, p.path, p.location, p.values[index_of(value)]);
  return queues;
}

}  // namespace waitstate::analysis

#include "analysis/engine.hpp"

#include <algorithm>
#include <utility>

#include "analysis/dispatch/pattern_set.hpp"

namespace waitstate::analysis {

Engine::Engine(std::vector<PatternHandle> patterns, RmaModel rma_model, const Definitions& definitions,
               const std::vector<PartView>& views, const link::Homes& homes, MetricTree& metrics, Collected collected)
    : definitions_(definitions),
      homes_(homes),
      metrics_(metrics),
      rma_model_(rma_model),
      collected_(std::move(collected)),
      patterns_(std::move(patterns)),
      views_(views),
      parts_(definitions) {
  std::vector<const PatternHandle*> all;
  for (const PatternHandle& p : patterns_) all.push_back(&p);
  of_patterns_ = add_metrics(metrics, all);
  for (std::size_t i = 0; i < views.size(); ++i) parts_.add(make_part());
  const WantedCauses& wanted = dispatcher().wanted_causes();
  if (!wanted.waits && !wanted.ideal_waits) return;
  std::vector<const CallTree*> call_trees;
  for (const PartView& view : views) call_trees.push_back(&view.call_tree);
  causes_.emplace(definitions, call_trees, homes, collected_.own, metrics, run().severities, wanted,
                  causes::Engine::Resources{collected_.causes_in_memory, collected_.threads, collected_.always_divides,
                                            collected_.stop});
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    causes::Notes& notes = causes_->notes(homes.workers() > 1 ? i : 0);
    parts_[i].run.notes_of_causes = &notes;
    parts_[i].dispatcher.connect(&notes);
  }
  run().engine_of_causes = &*causes_;
}

// The first part has the patterns themselves, each further one others like them.
std::unique_ptr<Part> Engine::make_part() {
  if (made_ != 0)
    for (PatternHandle& p : patterns_) p.pattern = p.another();
  const PartView& view = views_[std::min(made_++, views_.size() - 1)];
  auto part =
      std::make_unique<Part>(patterns_, of_patterns_, rma_model_, definitions_, view.call_tree, metrics_, view.focus);
  Run& run = part->run;
  const std::size_t metrics = metrics_.size();
  run.severities = Severities(metrics);
  if (collected_.details) {
    run.causes = std::make_unique<WaitCauses>();
    run.communication = std::make_unique<CommunicationBook>(definitions_);
    part->dispatcher.want(CommunicationBook::interests);
  }
  if (collected_.contexts) {
    run.messages = std::make_unique<MessageBook>();
    part->dispatcher.want(MessageBook::interests);
  }
  if (collected_.phases != nullptr) run.phases = collected_.phases->another();
  if (collected_.series) run.series = std::make_unique<SeriesBook>(definitions_.locations.size());
  run.waits = WaitRecorder(metrics, run.causes.get(), collected_.waits, views_.size());
  run.without_place.assign(metrics, false);
  return part;
}

bool Engine::runs_in_parts(const std::vector<PatternHandle>& patterns) {
  return std::all_of(patterns.begin(), patterns.end(), [](const PatternHandle& p) { return p.another; });
}

bool Engine::runs_in_threads(const std::vector<PatternHandle>& patterns) {
  return runs_in_parts(patterns) && std::none_of(patterns.begin(), patterns.end(), [](const PatternHandle& p) {
           return (p.interests & interest_any_event) != 0;
         });
}

void Engine::init() {
  for (const auto& part : parts_) part->dispatcher.init();
}

void Engine::connect(const merge::EventStore& store, const merge::Merge& merge) {
  run().events = &store, run().merge = &merge;
}

void Engine::give(peers::ArchiveWriter& archive) {
  archive(parts_.first());
  if (causes_) causes_->give(archive);
}

void Engine::take(peers::ArchiveReader& archive, link::OwnWorkers of_peer) {
  const std::unique_ptr<Part> theirs = make_part();
  theirs->dispatcher.init();
  archive(*theirs);
  parts_.first().merge({theirs.get()}, collected_.threads);
  if (causes_) causes_->take(archive, of_peer);
}

void Engine::wrapup() {
  if (causes_) causes_->finish();
  dispatcher().wrapup();
  if (!causes_) return;
  run().critical_path = causes_->critical_path();
  if (run().critical_path) run().waits.find_chains(*causes_);
  run().engine_of_causes = nullptr;
  run().notes_of_causes = nullptr;
  dispatcher().connect(nullptr);
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
  const CallPathOrder order(run().call_tree);
  std::map<MetricIndex, WaitSummary> all = run().waits.summaries(order, collected_.threads);
  if (run().causes == nullptr) return all;
  for (auto& [metric, summary] : all) {
    std::vector<CallPathWaits>& paths = summary.by_callpath;
    if (run().metrics[metric].kind == MetricKind::idleness) paths = idle_by_callpath(metric, severities);
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
  if (run().series == nullptr) return std::nullopt;
  return run().series->finish(severities);
}

std::optional<Phases> Engine::phases() const {
  if (run().phases == nullptr) return std::nullopt;
  return run().phases->finish(CallPathOrder(run().call_tree));
}

std::optional<Communication> Engine::communication() const {
  if (run().communication == nullptr) return std::nullopt;
  return run().communication->finish();
}

Severities Engine::take_severities() {
  if (run().focus.has_all_locations()) return std::move(run().severities);
  Severities chosen(run().severities.metric_count());
  for (std::size_t m = 0; m < chosen.metric_count(); ++m)
    run().severities.for_each(static_cast<MetricIndex>(m), [&](CallPathId callpath, LocationId l, std::int64_t value) {
      if (run().focus.has_location(l)) chosen.add(static_cast<MetricIndex>(m), callpath, l, value);
    });
  return chosen;
}

// The messages that are still in a queue when the trace ends are known only then.
MessageQueues Engine::message_queues(const link::Linker& linker, Time from, Time to, Severities& severities) {
  if (!dispatcher().wanted().message_queues) return {};
  const auto chosen = [&](ProcessId p) {
    const auto& threads = run().definitions[p].locations;
    return std::any_of(threads.begin(), threads.end(), [&](LocationId l) { return run().focus.has_location(l); });
  };
  constexpr Time never = QueueEntry::never;
  for (const link::Linker::Leftover& l : linker.leftovers())
    if (l.receiver.valid() && chosen(l.receiver))
      run().queue_log.add(l.sent ? QueueEntry{never, l.time, l.receiver.value, l.comm, l.sender.value, {}, {}, 0}
                                 : QueueEntry{l.time, never, l.receiver.value, CommId::none(), 0, {}, {}, 0});
  for (const link::Linker::OpenCall& c : linker.open_calls()) {
    const ProcessId receiver = run().definitions[c.call.location].process;
    if (c.call.function == MpiFunction::recv && receiver.valid() && run().focus.has_location(c.call.location))
      run().queue_log.add({c.call.enter, never, receiver.value, CommId::none(), 0, {}, {}, 0});
  }
  QueuePlaces places;
  MessageQueues queues = run().queue_log.profile(from, to, run().queue_metrics.empty() ? nullptr : &places);
  for (const QueuePlace& p : places.all())
    if (run().focus.has(p.path, p.location))
      for (const auto& [value, metric] : run().queue_metrics)
        severities.add(metric, p.path, p.location, p.values[index_of(value)]);
  return queues;
}

}  // namespace waitstate::analysis

// analyze(): one pass with patterns. Reads as the flow: input, patterns, links, (merge,) pass, and the books of all
// locations and patterns put together.
#include <algorithm>

#include "analysis/engine.hpp"
#include "trace/event_store.hpp"
#include "trace/input.hpp"
#include "trace/merge.hpp"
#include "trace/pass.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate {

namespace {

// What a single location knows: time by class of region, visits, messages sent.
void add_profiles(const trace::Pass& pass, const trace::Linker& linker, AnalysisResult& result) {
  std::vector<MetricIndex> metric_of_class(region_class_count);
  for (int c = 0; c < region_class_count; ++c)
    metric_of_class[c] = result.metrics.at(name(static_cast<RegionClass>(c)));
  const MetricIndex visits = result.metrics.at("visits"), sends = result.metrics.at("comms_send"),
                    empty = result.metrics.at("syncs_send"), bytes = result.metrics.at("bytes_sent");
  for (std::size_t l = 0; l < result.definitions.locations.size(); ++l) {
    const LocationId location{l};
    const trace::LocationReplay& replay = pass.replay(location);
    for (std::uint32_t n = 1; n < replay.profiles().size(); ++n) {
      const trace::Profile& p = replay.profiles()[n];
      const CallPathId path = linker.call_path(location, n);
      const RegionId region = result.call_tree[path].region;
      const RegionClass c = region.valid() ? result.definitions[region].region_class : RegionClass::comp;
      const auto add = [&](MetricIndex m, std::uint64_t value) {
        if (value != 0) result.severities.add(m, path, location, static_cast<std::int64_t>(value));
      };
      add(metric_of_class[static_cast<int>(c)], static_cast<std::uint64_t>(p.time));
      add(visits, p.visits);
      add(sends, p.sends);
      add(empty, p.empty_sends);
      add(bytes, p.bytes_sent);
    }
    for (std::size_t t = 0; t < event_type_count; ++t)
      result.events_by_type[t] += replay.count(static_cast<EventType>(t));
    result.locations.push_back({replay.event_count(), replay.first_time(), replay.last_time()});
  }
}

}  // namespace

std::uint64_t AnalysisResult::events() const {
  std::uint64_t n = 0;
  for (std::uint64_t count : events_by_type) n += count;
  return n;
}

Ticks AnalysisResult::duration() const {
  Time first = ~Time{0}, last = 0;
  for (const LocationSummary& l : locations)
    if (l.events != 0) first = std::min(first, l.first_time), last = std::max(last, l.last_time);
  return first > last ? 0 : static_cast<Ticks>(last - first);
}

AnalysisResult analyze(const std::filesystem::path& path, const AnalysisOptions& options) {
  trace::Input input(path);
  AnalysisResult result;
  result.path = input.path();
  result.metrics = MetricTree::base();

  std::vector<PatternHandle> patterns;
  if (options.built_in) patterns = built_in_patterns();
  patterns.insert(patterns.end(), options.patterns.begin(), options.patterns.end());
  analysis::Engine engine(std::move(patterns), input.definitions(), result.call_tree, result.metrics);

  trace::Linker linker(input.definitions(), result.call_tree, result.diagnostics, &engine, engine.wants_events());
  engine.connect(linker);
  trace::EventStore store(result.call_tree, input.definitions().locations.size(), false);
  trace::Merge merge(linker, result.diagnostics, store, &engine, input.definitions().locations.size(), true);
  if (engine.wants_events()) engine.connect(store);

  trace::Pass pass(input, linker, engine.wants_events() ? &merge : nullptr,
                   {options.threads, options.chunk_events, false, options.progress});
  engine.init();
  pass.run();
  engine.wrapup();

  result.definitions = input.definitions();
  result.severities = std::move(engine.severities());
  result.waits = engine.waits();
  result.messages = linker.messages_matched();
  add_profiles(pass, linker, result);
  pass.collect(result.diagnostics);
  return result;
}

}  // namespace waitstate

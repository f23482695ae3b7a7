// analyze(): one pass with patterns. The code follows the flow: input, patterns, links, (merge,) pass, and the
// statistics of all locations and patterns put together. With cancelled sends, all of it runs a second time: see
// cancelled_sends.hpp.
#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "analysis/conclusions/bounds.hpp"
#include "analysis/conclusions/canonical_numbers.hpp"
#include "analysis/conclusions/contexts.hpp"
#include "analysis/conclusions/evidence.hpp"
#include "analysis/conclusions/open_waits.hpp"
#include "analysis/conclusions/shares.hpp"
#include "analysis/dispatch/pattern_set.hpp"
#include "analysis/engine.hpp"
#include "analysis/internal_options.hpp"
#include "merge/event_store.hpp"
#include "merge/merge.hpp"
#include "pass/pass.hpp"
#include "pass/trace_input.hpp"
#include "pass/workers/workers.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"

namespace waitstate {

namespace {

/// The trace as it has been read, by one worker or several.
struct ReadTrace {
  const link::Homes& homes;
  std::span<const std::unique_ptr<pass::Pass>> passes;     ///< by worker
  std::span<const std::unique_ptr<link::Linker>> linkers;  ///< by worker

  pass::Pass& pass(LocationId l) const { return *passes[homes.of(l)]; }
  const replay::LocationReplay& replay(LocationId l) const { return pass(l).replay(l); }
  CallPathId call_path(LocationId l, std::uint32_t number) const { return linkers[homes.of(l)]->call_path(l, number); }
  /// The linker that knows what all have found.
  const link::Linker& linker() const { return *linkers.front(); }
};

// Adds the profiles of single locations, without the time that their threads spent in teams.
void add_profiles(const ReadTrace& trace, const Definitions& definitions, analysis::ProfileMetrics& metrics) {
  for (std::size_t l = 0; l < definitions.locations.size(); ++l) {
    const LocationId location{l};
    const auto profiles = trace.replay(location).profiles();
    for (std::uint32_t n = 1; n < profiles.size(); ++n)
      if (const CallPathId path = trace.call_path(location, n); path.valid())
        metrics.profile(location, path, profiles[n]);
  }
}

void add_counters(const ReadTrace& trace, const Definitions& definitions, analysis::ProfileMetrics& metrics) {
  for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
    const LocationId l{i};
    for (const replay::PathCounter& c : trace.pass(l).take_counters(l))
      if (const CallPathId path = trace.call_path(l, c.callpath); path.valid()) metrics.counter(path, c);
    for (const auto& [member, moves] : trace.pass(l).take_counter_moves(l)) metrics.counter_moves(member, moves);
  }
}

// The calls that are open at the end. A process whose first thread has left all its regions has ended, whatever regions
// its other threads were in. Calls that all processes are in at the regular end of a run are no sign of anything else.
std::vector<OpenCall> open_calls(const ReadTrace& trace, const Definitions& definitions, analysis::FocusFilter& focus) {
  const link::Linker& linker = trace.linker();
  const auto read_whole = [&](LocationId l) {
    return trace.replay(l).event_count() >= definitions[l].announced_events;
  };
  const auto ended = [&](LocationId l) {
    const ProcessId p = definitions[l].process;
    if (!p.valid()) return false;
    for (const LocationId first : definitions[p].locations)
      if (definitions[first].type == LocationType::cpu_thread && trace.replay(first).event_count() != 0)
        return !trace.replay(first).ended_in_region();
    return false;
  };
  const auto is_regular_end = [&](const Call& call) {
    const RegionClass c = definitions[call.region].region_class;
    return call.function == MpiFunction::finalize || c == RegionClass::shmem_init_exit;
  };
  const analysis::HeldLocks held{linker.held_locks(), linker.held_thread_locks()};
  std::vector<OpenCall> open;
  bool regular = true;
  for (const link::Linker::OpenCall& entry : linker.open_calls()) {
    const Call& call = entry.call;
    if (!read_whole(call.location) || ended(call.location)) continue;
    regular = regular && is_regular_end(call);
    if (focus.has_location(call.location) && focus.has(call.exit) &&
        (!call.callpath.valid() || focus.has_callpath(call.callpath)))
      open.push_back(
          {call.location, call.callpath, call.region, call.enter, analysis::waits_of(entry, held, definitions), {}});
  }
  if (regular) return {};
  std::sort(open.begin(), open.end(), [](const OpenCall& a, const OpenCall& b) { return a.location < b.location; });
  std::set<ProcessId> all_ended;
  for (std::size_t p = 0; p < definitions.processes.size(); ++p)
    if (const auto& locations = definitions.processes[p].locations; !locations.empty() && ended(locations.front()))
      all_ended.insert(ProcessId{p});
  analysis::find_missing_members(open, definitions, all_ended);
  analysis::find_unreceived(open, linker.leftovers(), definitions);
  return open;
}

/// The command as a shell would take it, cut if it is very long.
std::string command_text(std::span<const StringId> words, const Definitions& definitions) {
  constexpr std::size_t longest = 2000;
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%";
  std::string text;
  for (const StringId id : words) {
    const std::string word = id.valid() && id.index() < definitions.strings.size() ? definitions[id] : "?";
    if (!text.empty()) text += ' ';
    const bool ascii = std::all_of(word.begin(), word.end(), [](unsigned char c) { return c < 0x80; });
    if (!word.empty() && (!ascii || word.find_first_not_of(plain) == std::string::npos)) {
      text += word;
    } else {
      text += '\'';
      for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
      text += '\'';
    }
    if (text.size() > longest) return text.substr(0, longest) + " ...";
  }
  return text;
}

/// The command of the first location that records it.
std::string command_of(const ReadTrace& trace, const Definitions& definitions) {
  for (std::size_t l = 0; l < definitions.locations.size(); ++l)
    if (const auto words = trace.replay(LocationId{l}).command(); !words.empty())
      return command_text(words, definitions);
  return "";
}

/// Times of the first and of the last event; the first is the later one if there are no events.
std::pair<Time, Time> time_span(const std::vector<LocationSummary>& locations) {
  Time first = ~Time{0}, last = 0;
  for (const LocationSummary& l : locations)
    if (l.events != 0) first = std::min(first, l.first_time), last = std::max(last, l.last_time);
  return {first, last};
}

}  // namespace

AnalysisResult::AnalysisResult() = default;
AnalysisResult::AnalysisResult(const AnalysisResult&) = default;
AnalysisResult::AnalysisResult(AnalysisResult&&) noexcept = default;
AnalysisResult& AnalysisResult::operator=(const AnalysisResult&) = default;
AnalysisResult& AnalysisResult::operator=(AnalysisResult&&) noexcept = default;
AnalysisResult::~AnalysisResult() = default;

std::uint64_t AnalysisResult::events() const {
  std::uint64_t n = 0;
  for (std::uint64_t count : events_by_type) n += count;
  return n;
}

Ticks AnalysisResult::duration() const {
  const auto [first, last] = time_span(locations);
  // Damaged time stamps may be farther apart than a duration can be.
  return first > last ? 0 : static_cast<Ticks>(std::min<Time>(last - first, std::numeric_limits<Ticks>::max()));
}

namespace {

/// One for each thread; by default as many as there are cores, but no more than are worth to be started.
std::size_t most_workers(const pass::TraceInput& input, const AnalysisOptions& options) {
  constexpr std::uint64_t worth_a_worker = 100'000;  // events
  if (options.threads != 0) return options.threads;
  return std::min<std::uint64_t>(std::max(std::thread::hardware_concurrency(), 1u),
                                 input.announced_events() / worth_a_worker + 1);
}

/// True if several workers can share the trace, and if that is worth it: one-sided communication of all meets at one of
/// them, so that a few are no faster than threads that decode for one. (Measured with nothing else in the trace.)
bool divides(const pass::TraceInput& input, const AnalysisOptions& options, const std::vector<PatternHandle>& patterns,
             const analysis::InternalOptions& internal) {
  constexpr std::size_t few = 4;
  if (internal.one_worker || internal.waits != nullptr || !analysis::Engine::runs_in_threads(patterns)) return false;
  const bool may_meet = input.definitions().rma_wins.empty() || most_workers(input, options) > few;
  return may_meet || internal.delay != 0;
}

void stop_if_asked(const AnalysisOptions& options) {
  if (options.stop.stop_requested()) throw Stopped();
}

/// Tells the progress, and ends the pass if that is asked for; null if nobody does either.
std::function<void(std::uint64_t, std::uint64_t)> progress_of(const AnalysisOptions& options) {
  if (!options.stop.stop_possible()) return options.progress;
  return [&options](std::uint64_t done, std::uint64_t announced) {
    stop_if_asked(options);
    if (options.progress) options.progress(done, announced);
  };
}

AnalysisResult one_pass(const std::filesystem::path& path, const AnalysisOptions& options,
                        std::vector<PatternHandle> patterns, analysis::InternalOptions internal,
                        link::CancelledSends& cancelled) {
  pass::TraceInput input(path);
  if (internal.causes_in_memory == 0)
    internal.causes_in_memory = causes::Engine::default_memory(input.definitions().locations.size());
  AnalysisResult result;
  if (internal.waits != nullptr) internal.waits->begin();
  result.path = input.path();
  result.metrics = MetricTree::base();

  for (const PatternHandle& p : patterns) {
    PatternRun& run = result.patterns.emplace_back(PatternRun{p.id(), {}});
    for (std::size_t i = 0; i < p.parameters.specs().size(); ++i)
      run.parameters.emplace_back(p.parameters.specs()[i].name, p.parameters.value_text(i));
  }
  result.focus = options.focus;
  std::unique_ptr<analysis::PhaseBook> phases;
  if (!options.keep.phase.empty()) phases = analysis::make_phase_book(input, options.keep.phase, options.focus);
  pass::EventIndex index(input.definitions().locations.size());
  const pass::PassOptions pass_options{options.threads,
                                       options.chunk_events,
                                       false,
                                       progress_of(options),
                                       options.focus.from,
                                       options.focus.to,
                                       options.counters,
                                       options.keep.contexts ? &index : nullptr};
  const unsigned threads = pass::Pass::threads(input.definitions(), pass_options);
  const bool divided = divides(input, options, patterns, internal);
  const link::Homes homes(input.definitions(), divided ? most_workers(input, options) : 1);
  std::deque<CallTree> own_trees(homes.workers() > 1 ? homes.workers() : 0);  // see SharedCallTree
  std::deque<analysis::FocusFilter> filters;
  std::vector<analysis::PartView> views;
  const std::size_t parts = homes.workers() > 1                         ? homes.workers()
                            : analysis::Engine::runs_in_parts(patterns) ? internal.parts
                                                                        : 1;
  for (std::size_t i = 0; i < std::max<std::size_t>(parts, 1); ++i) {
    const CallTree& tree = own_trees.empty() ? result.call_tree : own_trees[std::min(i, own_trees.size() - 1)];
    views.push_back({tree, filters.emplace_back(options.focus, input.definitions(), tree)});
  }
  analysis::FocusFilter& focus = filters.front();
  analysis::Engine engine(std::move(patterns), options.rma_model, input.definitions(), views, homes, result.metrics,
                          {options.keep.details, options.keep.series, options.keep.contexts, std::move(phases),
                           internal.causes_in_memory, threads, internal.waits});
  std::optional<link::MergeFeed> feed;
  std::optional<merge::EventStore> store;
  std::optional<merge::Merge> merge;
  if (engine.wants_events()) {
    feed.emplace();
    store.emplace(views.front().call_tree, input.definitions().locations.size(), false);
    merge.emplace(input.definitions(), *feed, *store, &engine.consumer(), true);
    if (engine.needs_queue()) merge->keep_queue();
    engine.connect(*store, *merge);
  }
  std::optional<pass::Workers> workers;
  std::vector<std::unique_ptr<link::Linker>> linkers;
  std::vector<std::unique_ptr<pass::Pass>> passes;
  if (homes.workers() > 1) {
    std::vector<pass::WorkerSide> sides;
    for (std::size_t w = 0; w < homes.workers(); ++w) sides.push_back({&engine.listener(w), &own_trees[w]});
    workers.emplace(input, homes, result.call_tree, sides, cancelled, pass_options, internal.delay);
  } else {
    linkers.push_back(std::make_unique<link::Linker>(input.definitions(), result.call_tree, result.diagnostics,
                                                     &engine.listener(), feed ? &*feed : nullptr, cancelled));
    passes.push_back(std::make_unique<pass::Pass>(input, *linkers.front(), merge ? &*merge : nullptr, pass_options));
  }
  engine.init();
  if (workers) {
    workers->run();
    engine.join_parts();
    workers->finish();
    workers->collect(result.diagnostics);
  } else {
    passes.front()->run();
    engine.join_parts();
  }
  const ReadTrace trace{homes, workers ? std::span(workers->passes()) : std::span(std::as_const(passes)),
                        workers ? std::span(workers->linkers()) : std::span(std::as_const(linkers))};
  const link::Linker& linker = trace.linker();
  add_profiles(trace, input.definitions(), engine.profile_metrics());
  add_counters(trace, input.definitions(), engine.profile_metrics());
  result.counters = engine.profile_metrics().finish_counters(result.diagnostics);
  stop_if_asked(options);
  engine.wrapup();
  stop_if_asked(options);

  result.definitions = input.definitions();
  engine.check_shares();
  result.severities = engine.take_severities();
  result.waits = engine.waits(result.severities);
  result.series = engine.series(result.severities);
  result.communication = engine.communication();
  result.phases = engine.phases();
  result.critical_path = engine.take_critical_path();
  result.command = command_of(trace, input.definitions());
  result.open_calls = open_calls(trace, input.definitions(), focus);
  result.messages = linker.messages_matched();
  result.collectives = linker.collectives().complete_operations();
  for (std::size_t l = 0; l < result.definitions.locations.size(); ++l) {
    const replay::LocationReplay& replay = trace.replay(LocationId{l});
    for (std::size_t t = 0; t < event_type_count; ++t)
      result.events_by_type[t] += replay.count(static_cast<EventType>(t));
    LocationSummary& seen = result.locations.emplace_back();
    seen = {replay.event_count(), replay.first_time(), replay.last_time(), {}, 0};
    if (!replay.ended_in_region() || replay.last_callpath() == 0) continue;
    seen.last_callpath = trace.call_path(LocationId{l}, replay.last_callpath());
    seen.last_enter = replay.last_enter();
  }
  if (const auto [first, last] = time_span(result.locations); first <= last) {
    analysis::expect_overlap(options.focus, first, last, result.definitions.clock);
    result.queues = engine.message_queues(linker, first, last, result.severities);
  }
  analysis::take_back_idle_time(result);
  analysis::mark_shares_elsewhere(result.metrics, result.severities);
  if (merge) result.diagnostics.merge(merge->diagnostics());
  pass::Pass::collect(input, trace.passes, result.diagnostics);
  for (const MetricIndex m : too_large(result.metrics, result.severities))
    result.diagnostics.add(DiagnosticId::sum_too_large, {{}, ~Time{0}, result.metrics[m].id});
  if (internal.waits == nullptr) analysis::number_depth_first(result);  // waits were told by the other numbers
  cancelled = linker.cancelled();
  if (options.keep.contexts && !cancelled.read_again())
    analysis::add_contexts(result, input, index, *engine.messages());
  return result;
}

}  // namespace

AnalysisResult analyze(const std::filesystem::path& path, const AnalysisOptions& options) {
  return analysis::analyze(path, options, {});
}

AnalysisResult analysis::analyze(const std::filesystem::path& path, const AnalysisOptions& options,
                                 InternalOptions internal) {
  std::vector<PatternHandle> given;
  if (options.built_in) given = built_in_patterns();
  given.insert(given.end(), options.patterns.begin(), options.patterns.end());
  std::vector<const PatternHandle*> all;
  for (const PatternHandle& p : given) {
    if (p.pattern->info().metrics.empty()) throw UsageError("a pattern needs at least one metric, but it has none");
    all.push_back(&p);
  }
  std::vector<PatternHandle> patterns;
  for (const std::size_t i : analysis::run_order(all)) patterns.push_back(given[i]);

  link::CancelledSends cancelled;
  std::error_code error;  // a pattern may change the current folder
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  const auto read = [&](const std::filesystem::path& from) {
    try {
      return one_pass(from, options, patterns, internal, cancelled);
    } catch (const pass::NoThreads&) {
      internal.one_worker = true;
      return one_pass(absolute, options, patterns, internal, cancelled);
    }
  };
  AnalysisResult result = read(path);
  if (cancelled.read_again()) {
    std::string shown = std::move(result.path);
    result = read(absolute);
    result.path = std::move(shown);
  }
  result.undetermined = analysis::undetermined(result, patterns);
  return result;
}

}  // namespace waitstate

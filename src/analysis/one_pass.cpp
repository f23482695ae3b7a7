#include "analysis/one_pass.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/conclusions/bounds.hpp"
#include "analysis/conclusions/canonical_numbers.hpp"
#include "analysis/conclusions/contexts.hpp"
#include "analysis/conclusions/evidence.hpp"
#include "analysis/conclusions/open_waits.hpp"
#include "analysis/conclusions/shares.hpp"
#include "util/in_threads.hpp"
#include "waitstate/error.hpp"

namespace waitstate::analysis {

namespace {

// Adds the profiles of single locations, without the time that their threads spent in teams.
void add_profiles(const pass::Pass& pass, ProfileMetrics& metrics) {
  for (const LocationId l : pass.own()) {
    const auto profiles = pass.replay(l).profiles();
    for (std::uint32_t n = 1; n < profiles.size(); ++n)
      if (const CallPathId path = pass.linker().call_path(l, n); path.valid()) metrics.profile(l, path, profiles[n]);
  }
}

void add_counters(pass::Pass& pass, ProfileMetrics& metrics) {
  for (const LocationId l : pass.own()) {
    for (const replay::PathCounter& c : pass.take_counters(l))
      if (const CallPathId path = pass.linker().call_path(l, c.callpath); path.valid()) metrics.counter(path, c);
    for (const auto& [member, moves] : pass.take_counter_moves(l)) metrics.counter_moves(member, moves);
  }
}

// The calls that are open at the end. A process whose first thread has left all its regions has ended, whatever regions
// its other threads were in. Calls that all processes are in at the regular end of a run say nothing about a hang.
std::vector<OpenCall> open_calls(const ReadTrace& trace, const link::Linker& linker, const Definitions& definitions,
                                 FocusFilter& focus) {
  const auto read = [&](LocationId l) -> const pass::ReadLocation& { return trace.locations[l.index()]; };
  const auto read_whole = [&](LocationId l) { return read(l).events >= definitions[l].announced_events; };
  const auto ended = [&](LocationId l) {
    const ProcessId p = definitions[l].process;
    if (!p.valid()) return false;
    for (const LocationId first : definitions[p].locations)
      if (definitions[first].type == LocationType::cpu_thread && read(first).events != 0)
        return !read(first).ended_in_region;
    return false;
  };
  const auto is_regular_end = [&](const Call& call) {
    const RegionClass c = definitions[call.region].region_class;
    return call.function == MpiFunction::finalize || c == RegionClass::shmem_init_exit;
  };
  const HeldLocks held{linker.held_locks(), linker.held_thread_locks()};
  std::vector<OpenCall> open;
  bool regular = true;
  for (const link::Linker::OpenCall& entry : linker.open_calls()) {
    const Call& call = entry.call;
    if (!read_whole(call.location) || ended(call.location)) continue;
    regular = regular && is_regular_end(call);
    if (focus.has_location(call.location) && focus.has(call.exit) &&
        (!call.callpath.valid() || focus.has_callpath(call.callpath)))
      open.push_back({call.location, call.callpath, call.region, call.enter, waits_of(entry, held, definitions), {}});
  }
  if (regular) return {};
  std::sort(open.begin(), open.end(), [](const OpenCall& a, const OpenCall& b) { return a.location < b.location; });
  std::set<ProcessId> all_ended;
  for (std::size_t p = 0; p < definitions.processes.size(); ++p)
    if (const auto& locations = definitions.processes[p].locations; !locations.empty() && ended(locations.front()))
      all_ended.insert(ProcessId{p});
  find_missing_members(open, definitions, all_ended);
  find_unreceived(open, linker.leftovers(), definitions);
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
  for (const pass::ReadLocation& l : trace.locations)
    if (!l.command.empty()) return command_text(l.command, definitions);
  return "";
}

/// Reports the progress, and ends the pass on request; null if nobody asks for either.
std::function<void(std::uint64_t, std::uint64_t)> progress_of(const AnalysisOptions& options) {
  if (!options.stop.stop_possible()) return options.progress;
  return [&options](std::uint64_t done, std::uint64_t announced) {
    if (options.stop.stop_requested()) throw Stopped();
    if (options.progress) options.progress(done, announced);
  };
}

InternalOptions with_memory(InternalOptions internal, const Definitions& definitions) {
  if (internal.causes_in_memory == 0)
    internal.causes_in_memory = causes::Engine::default_memory(definitions.locations.size());
  return internal;
}

}  // namespace

std::pair<Time, Time> time_span(const std::vector<LocationSummary>& locations) {
  Time first = ~Time{0}, last = 0;
  for (const LocationSummary& l : locations)
    if (l.events != 0) first = std::min(first, l.first_time), last = std::max(last, l.last_time);
  return {first, last};
}

void ReadTrace::add(const pass::Pass& pass) {
  for (const LocationId l : pass.own()) {
    locations[l.index()] = pass.read(l);
    for (std::size_t t = 0; t < event_type_count; ++t)
      events_by_type[t] += pass.replay(l).count(static_cast<EventType>(t));
  }
  pass.collect(damage);
}

OnePass::OnePass(pass::TraceInput input, const AnalysisOptions& options, std::vector<PatternHandle> patterns,
                 const InternalOptions& internal, const link::CancelledSends& cancelled, std::size_t workers)
    : options_(options),
      internal_(internal),
      stop_(options.stop, [this] { show_progress(); }),
      input_(std::move(input)),
      index_(definitions().locations.size()),
      homes_(definitions(), workers),
      own_(link::OwnWorkers::of(internal.peers, homes_.workers())),
      pass_options_{options.threads,
                    options.chunk_events,
                    false,
                    progress_of(options),
                    options.focus.from,
                    options.focus.to,
                    options.counters,
                    options.keep.contexts ? &index_ : nullptr},
      read_(definitions().locations.size()) {
  if (internal_.waits != nullptr) internal_.waits->begin();
  result_.path = input_.path();
  result_.metrics = MetricTree::base();
  for (const PatternHandle& p : patterns) {
    PatternRun& run = result_.patterns.emplace_back(PatternRun{p.id(), {}});
    for (std::size_t i = 0; i < p.parameters.specs().size(); ++i)
      run.parameters.emplace_back(p.parameters.specs()[i].name, p.parameters.value_text(i));
  }
  result_.focus = options.focus;
  if (!options.keep.phase.empty()) phases_ = make_phase_book(input_, options.keep.phase, options.focus);
  make_parts(std::move(patterns));
  make_workers(cancelled);
}

// When all has been read.
void OnePass::show_progress() const {
  if (!options_.progress) return;
  const auto& by_type = read_.events_by_type;
  options_.progress(std::accumulate(by_type.begin(), by_type.end(), std::uint64_t{0}), input_.announced_events());
}

void OnePass::make_parts(std::vector<PatternHandle> patterns) {
  if (homes_.workers() > 1) own_trees_.resize(own_.last - own_.first);
  const std::size_t parts = homes_.workers() > 1              ? own_trees_.size()
                            : Engine::runs_in_parts(patterns) ? std::max<std::size_t>(internal_.parts, 1)
                                                              : 1;
  std::vector<PartView> views;
  for (std::size_t i = 0; i < parts; ++i) {
    const CallTree& tree = own_trees_.empty() ? result_.call_tree : own_trees_[i];
    views.push_back({tree, filters_.emplace_back(options_.focus, definitions(), tree)});
  }
  engine_.emplace(std::move(patterns), options_.rma_model, definitions(), views, homes_, result_.metrics,
                  Collected{options_.keep.details, options_.keep.series, options_.keep.contexts, std::move(phases_),
                            own_, with_memory(internal_, definitions()).causes_in_memory, threads(),
                            internal_.delay != 0, internal_.waits, &stop_});
  if (!engine_->wants_events()) return;
  feed_.emplace();
  store_.emplace(views.front().call_tree, definitions().locations.size(), false);
  merge_.emplace(definitions(), *feed_, *store_, &engine_->consumer(), true);
  if (engine_->needs_queue()) merge_->keep_queue();
  engine_->connect(*store_, *merge_);
}

void OnePass::make_workers(const link::CancelledSends& cancelled) {
  if (homes_.workers() > 1) {
    std::vector<pass::WorkerSide> sides;
    for (std::size_t own = 0; own < own_trees_.size(); ++own)
      sides.push_back({&engine_->listener(own), &own_trees_[own]});
    workers_.emplace(input_, homes_, result_.call_tree, sides, cancelled, pass_options_, internal_.peers,
                     internal_.delay);
  } else {
    linkers_.push_back(std::make_unique<link::Linker>(definitions(), result_.call_tree, result_.diagnostics,
                                                      &engine_->listener(), feed_ ? &*feed_ : nullptr, cancelled));
    passes_.push_back(
        std::make_unique<pass::Pass>(input_, *linkers_.front(), merge_ ? &*merge_ : nullptr, pass_options_));
  }
}

void OnePass::run() {
  engine_->init();
  if (workers_)
    workers_->run();
  else
    passes_.front()->run();
  engine_->join_parts();
  for (const std::unique_ptr<pass::Pass>& pass : workers_ ? workers_->passes() : passes_) {
    read_.add(*pass);
    add_profiles(*pass, engine_->profile_metrics());
    add_counters(*pass, engine_->profile_metrics());
    pass->forget();
  }
}

std::vector<LocationId> OnePass::locations_of(link::OwnWorkers workers) const {
  std::vector<LocationId> all;
  for (link::WorkerId w = workers.first; w < workers.last; ++w) {
    const std::vector<LocationId> some = homes_.locations(w);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

void OnePass::give() {
  if (own_.first == own_.last) return;
  peers::ArchiveWriter archive = internal_.peers->writer_to(0);
  workers_->give(archive);
  engine_->give(archive);
  for (const LocationId l : locations_of(own_)) archive(read_.locations[l.index()]);
  archive(read_.events_by_type, read_.damage);
  archive.flush();
  look_for_peer();
}

// --- the second look: each peer at its own locations -----------------------------------------------------------------

void OnePass::look_for_peer() {
  for (;;) {
    std::vector<pass::Look> looks;
    internal_.peers->reader_from(0)(looks);
    if (looks.empty()) return;
    pass::look_again(input_, index_, looks);
    peers::ArchiveWriter answer = internal_.peers->writer_to(0);
    answer(looks);
    answer.flush();
  }
}

void OnePass::look_again(std::vector<pass::Look>& looks) {
  if (internal_.peers == nullptr) return pass::look_again(input_, index_, looks);
  std::vector<std::vector<pass::Look>> of_peers(static_cast<std::size_t>(internal_.peers->size()));
  for (pass::Look& look : looks) {
    int peer = 0;
    while (!workers_of(peer).has(homes_.of(look.location))) ++peer;
    of_peers[static_cast<std::size_t>(peer)].push_back(std::move(look));
  }
  looks.clear();
  for (int peer = 1; peer < internal_.peers->size(); ++peer) {
    std::vector<pass::Look>& theirs = of_peers[static_cast<std::size_t>(peer)];
    if (theirs.empty()) continue;
    peers::ArchiveWriter question = internal_.peers->writer_to(peer);
    question(theirs);
    question.flush();
  }
  pass::look_again(input_, index_, of_peers[0]);
  for (int peer = 0; peer < internal_.peers->size(); ++peer) {
    std::vector<pass::Look>& theirs = of_peers[static_cast<std::size_t>(peer)];
    if (peer != 0 && !theirs.empty()) internal_.peers->reader_from(peer)(theirs);
    std::move(theirs.begin(), theirs.end(), std::back_inserter(looks));
  }
}

void OnePass::end_looking() {
  for (int peer = 1; internal_.peers != nullptr && peer < internal_.peers->size(); ++peer) {
    if (workers_of(peer).first == workers_of(peer).last) continue;
    std::vector<pass::Look> none;
    peers::ArchiveWriter end = internal_.peers->writer_to(peer);
    end(none);
    end.flush();
  }
}

// --- all that has been found, at peer 0 ------------------------------------------------------------------------------

void OnePass::take_from(int peer) {
  const link::OwnWorkers theirs = workers_of(peer);
  if (theirs.first == theirs.last) return;
  peers::ArchiveReader archive = internal_.peers->reader_from(peer);
  workers_->take(archive);
  engine_->take(archive, theirs);
  ReadTrace read(0);
  for (const LocationId l : locations_of(theirs)) archive(read_.locations[l.index()]);
  archive(read.events_by_type, read.damage);
  for (std::size_t t = 0; t < event_type_count; ++t) read_.events_by_type[t] += read.events_by_type[t];
  read_.damage.join(read.damage);
}

void OnePass::add_read_trace(AnalysisResult& result) {
  result.command = command_of(read_, definitions());
  result.open_calls = open_calls(read_, linker(), definitions(), filters_.front());
  result.messages = linker().messages_matched();
  result.collectives = linker().collectives().complete_operations();
  result.events_by_type = read_.events_by_type;
  for (const pass::ReadLocation& l : read_.locations)
    result.locations.push_back({l.events, l.first_time, l.last_time, l.last_callpath, l.last_enter});
}

// Threads divide them: each is made of a book of its own.
void OnePass::conclude_books() {
  const std::array<std::function<void()>, 4> conclusions = {
      [this] { result_.communication = engine_->communication(); },
      [this] { result_.waits = engine_->waits(result_.severities); },
      [this] { result_.series = engine_->series(result_.severities); },
      [this] { result_.phases = engine_->phases(); },
  };
  util::in_threads(threads(), conclusions.size(), [&](std::size_t i, std::size_t) { conclusions[i](); });
}

// Peers answer one question at a time. A context may take some megabytes while it is made.
std::size_t OnePass::threads_to_look() const {
  constexpr unsigned most = 8;
  return internal_.peers == nullptr && input_.has_independent_readers() ? std::min(threads(), most) : 1;
}

AnalysisResult OnePass::finish(link::CancelledSends& cancelled) {
  if (workers_) {
    for (int peer = 1; internal_.peers != nullptr && peer < internal_.peers->size(); ++peer) take_from(peer);
    engine_->join();
    workers_->finish();
    workers_->collect(result_.diagnostics);
  } else {
    engine_->join();
  }
  AnalysisResult& result = result_;
  result.counters = engine_->profile_metrics().finish_counters(result.diagnostics);
  stop_();
  try {
    engine_->wrapup();
  } catch (...) {
    stop_.rethrow();  // a pattern that asked for causes did not fail
    throw;
  }
  stop_();

  result.definitions = definitions();
  engine_->check_shares();
  result.severities = engine_->take_severities();
  stop_();
  conclude_books();
  stop_();
  result.critical_path = engine_->take_critical_path();
  add_read_trace(result);
  if (const auto [first, last] = time_span(result.locations); first <= last) {
    expect_overlap(options_.focus, first, last, result.definitions.clock);
    result.queues = engine_->message_queues(linker(), first, last, result.severities);
  }
  take_back_idle_time(result);
  mark_shares_elsewhere(result.metrics, result.severities);
  if (merge_) result.diagnostics.merge(merge_->diagnostics());
  read_.damage.finish(definitions().clock, input_.diagnostics(), result.diagnostics);
  for (const MetricIndex m : too_large(result.metrics, result.severities))
    result.diagnostics.add(DiagnosticId::sum_too_large, {{}, ~Time{0}, result.metrics[m].id});
  number_depth_first(result);
  cancelled = linker().cancelled();
  stop_();
  if (options_.keep.contexts && !cancelled.read_again())
    add_contexts(
        result, *engine_->messages(), [this](std::vector<pass::Look>& looks) { look_again(looks); }, threads_to_look());
  end_looking();
  return std::move(result_);
}

}  // namespace waitstate::analysis

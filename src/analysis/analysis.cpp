// analyze(): passes over a trace with patterns, one as a rule; with cancelled sends, all of it runs a second time: see
// cancelled_sends.hpp. Peer 0 says how each pass goes, and the others do their part of it.
#include <algorithm>
#include <limits>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "analysis/conclusions/evidence.hpp"
#include "analysis/dispatch/pattern_set.hpp"
#include "analysis/internal_options.hpp"
#include "analysis/one_pass.hpp"
#include "peers/peers.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"

namespace waitstate {

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
  const auto [first, last] = analysis::time_span(locations);
  // Damaged time stamps may be farther apart than a duration can be.
  return first > last ? 0 : static_cast<Ticks>(std::min<Time>(last - first, std::numeric_limits<Ticks>::max()));
}

namespace {

using Patterns = std::vector<PatternHandle>;

/// The next pass, as peer 0 tells the others.
struct NextPass {
  std::uint64_t workers = 0;         ///< 0: there is none, and no further one
  link::CancelledSends cancelled{};  ///< cancelled sends that are known

  template <class Archive>
  void travel(Archive& archive) {
    archive(workers, cancelled);
  }
};

/// One for each thread; by default as many as there are cores, but no more than are worth to be started. With peers,
/// so many for each.
std::size_t most_workers(const pass::TraceInput& input, const AnalysisOptions& options, const peers::Peers* peers) {
  constexpr std::uint64_t worth_a_worker = 100'000;  // events
  const std::size_t size = peers == nullptr ? 1 : static_cast<std::size_t>(peers->size());
  if (options.threads != 0) return options.threads * size;
  const std::size_t sharing = peers == nullptr ? 1 : static_cast<std::size_t>(peers->on_this_machine());
  const std::size_t cores = std::max<std::size_t>(std::thread::hardware_concurrency() / sharing, 1) * size;
  return std::min<std::uint64_t>(cores, std::max<std::uint64_t>(input.announced_events() / worth_a_worker + 1, size));
}

/// True if several workers can share the trace.
bool divides(const Patterns& patterns, const analysis::InternalOptions& internal) {
  if (internal.one_worker || !analysis::Engine::runs_in_threads(patterns)) return false;
  return internal.waits == nullptr || internal.peers == nullptr;  // waits are told in one process
}

/// Throws UsageError if a plug-in of the user's cannot be run by several peers. A built-in pattern that needs all of
/// the trace in one place has it: then peer 0 does all.
void expect_shared(const Patterns& patterns) {
  for (const PatternHandle& p : patterns) {
    if (p.is_built_in()) continue;
    if (!analysis::Engine::runs_in_threads({p}))
      throw UsageError(
          "pattern '" + p.id() +
          "' needs the whole trace in one process, so several processes cannot share the analysis: declare "
          "in_parts if it can run in parts (patterns/README.md), or run one process");
    if (!p.travels)
      throw UsageError(
          "pattern '" + p.id() +
          "' overrides merge() but not state() and restore(), so its parts cannot be in several processes: "
          "override them (patterns/README.md), or run one process");
  }
}

class Passes {
 public:
  Passes(const std::filesystem::path& path, const AnalysisOptions& options, Patterns patterns,
         const analysis::InternalOptions& internal)
      : path_(path), options_(options), patterns_(std::move(patterns)), internal_(internal) {
    std::error_code error;  // a pattern may change the current folder
    absolute_ = std::filesystem::absolute(path, error);
  }

  /// At peer 0, or without peers.
  AnalysisResult lead() {
    if (internal_.peers != nullptr) expect_shared(patterns_);
    AnalysisResult result = read(path_);
    if (cancelled_.read_again()) {
      std::string shown = std::move(result.path);
      result = read(absolute_);
      result.path = std::move(shown);
    }
    end();
    result.undetermined = analysis::undetermined(result, patterns_);
    return result;
  }

  /// At another peer: does its part as long as there is one.
  void help() {
    for (;;) {
      NextPass next;
      peers::ArchiveReader archive = internal_.peers->reader_from(0);
      archive(next);
      if (next.workers == 0) return;
      pass::TraceInput input;
      archive(input);
      if (const auto own = link::OwnWorkers::of(internal_.peers, next.workers); own.first == own.last) continue;
      analysis::OnePass pass(std::move(input), options_, patterns_, internal_, next.cancelled, next.workers);
      pass.run();
      pass.give();
    }
  }

 private:
  AnalysisResult read(const std::filesystem::path& from) {
    try {
      return read_once(from);
    } catch (const pass::NoThreads&) {
      if (internal_.peers != nullptr)
        throw UsageError("the system cannot start as many threads as there are workers: choose fewer with --threads");
      internal_.one_worker = true;
      return read_once(absolute_);
    }
  }

  AnalysisResult read_once(const std::filesystem::path& from) {
    pass::TraceInput input(from);
    std::size_t workers = divides(patterns_, internal_) ? most_workers(input, options_, internal_.peers) : 1;
    for (std::size_t wanted = 0; wanted != workers;)  // all peers deal to the same number
      workers = link::Homes(input.definitions(), wanted = workers).workers();
    start(workers, input);
    analysis::OnePass pass(std::move(input), options_, patterns_, internal_, cancelled_, workers);
    pass.run();
    return pass.finish(cancelled_);
  }

  /// Tells the other peers that a pass begins, and what has been read so far, unless this one does all alone.
  void start(std::size_t workers, pass::TraceInput& input) {
    if (all_ == nullptr) return;
    if (workers == 1) return end();
    NextPass next{workers, cancelled_};
    all_->tell_all([&](peers::ArchiveWriter& archive) { archive(next, input); });
  }

  /// Tells them that there is no further pass.
  void end() {
    if (all_ == nullptr) return;
    NextPass none;
    all_->tell_all([&](peers::ArchiveWriter& archive) { archive(none); });
    internal_.peers = all_ = nullptr;
  }

  const std::filesystem::path path_;
  std::filesystem::path absolute_;
  const AnalysisOptions& options_;
  const Patterns patterns_;
  analysis::InternalOptions internal_;
  peers::Peers* all_ = internal_.peers;  ///< null if nobody waits to be told of a pass
  link::CancelledSends cancelled_;
};

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

  Passes passes(path, options, std::move(patterns), internal);
  if (internal.peers == nullptr || internal.peers->rank() == 0) return passes.lead();
  passes.help();
  return {};
}

}  // namespace waitstate

// One pass over a trace with patterns: input, patterns, links, (merge,) pass, and the statistics of all locations and
// patterns put together. What several peers do together is one pass of each.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/engine.hpp"
#include "analysis/focus.hpp"
#include "analysis/internal_options.hpp"
#include "link/cancelled_sends.hpp"
#include "link/exchange/homes.hpp"
#include "link/exchange/remote.hpp"
#include "merge/event_store.hpp"
#include "merge/merge.hpp"
#include "pass/event_index.hpp"
#include "pass/pass.hpp"
#include "pass/read_location.hpp"
#include "pass/second_look.hpp"
#include "pass/trace_input.hpp"
#include "pass/workers/workers.hpp"
#include "util/stop_check.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// The trace as it has been read, by one worker or several, beside what linking and patterns have of it.
struct ReadTrace {
  std::vector<pass::ReadLocation> locations;  ///< by location
  std::array<std::uint64_t, event_type_count> events_by_type{};
  pass::Damage damage;

  explicit ReadTrace(std::size_t count) : locations(count) {}
  void add(const pass::Pass& pass);
};

/// Times of the first and of the last event; the first is the later one if there are no events.
std::pair<Time, Time> time_span(const std::vector<LocationSummary>& locations);

class OnePass {
 public:
  /// `workers`: how many share the trace, at most; those of all peers.
  OnePass(pass::TraceInput input, const AnalysisOptions& options, std::vector<PatternHandle> patterns,
          const InternalOptions& internal, const link::CancelledSends& cancelled, std::size_t workers);

  /// Reads this peer's part of the trace.
  void run();
  /// After run(), at another peer than 0: gives peer 0 what has been found, and looks again where that asks for it.
  void give();
  /// After run(), at peer 0: takes what all others have found, and says what it all means.
  AnalysisResult finish(link::CancelledSends& cancelled);

 private:
  void make_parts(std::vector<PatternHandle> patterns);
  void make_workers(const link::CancelledSends& cancelled);
  std::vector<LocationId> locations_of(link::OwnWorkers workers) const;
  void take_from(int peer);
  link::OwnWorkers workers_of(int peer) const { return link::OwnWorkers::of(internal_.peers, peer, homes_.workers()); }
  void look_again(std::vector<pass::Look>& looks);
  void look_for_peer();
  void end_looking();
  void conclude_books();
  void show_progress() const;
  void add_read_trace(AnalysisResult& result);
  unsigned threads() const { return pass::Pass::threads(definitions(), pass_options_); }
  std::size_t threads_to_look() const;
  const Definitions& definitions() const { return input_.definitions(); }
  const link::Linker& linker() const { return *(workers_ ? workers_->linkers().front() : linkers_.front()); }

  const AnalysisOptions& options_;
  const InternalOptions internal_;
  const util::StopCheck stop_;
  pass::TraceInput input_;
  AnalysisResult result_;
  std::unique_ptr<PhaseBook> phases_;
  pass::EventIndex index_;
  const link::Homes homes_;
  const link::OwnWorkers own_;  ///< workers of this peer
  const pass::PassOptions pass_options_;
  std::deque<CallTree> own_trees_;  ///< by worker of this peer, if there are several workers: see SharedCallTree
  std::deque<FocusFilter> filters_;
  std::optional<Engine> engine_;
  std::optional<link::MergeFeed> feed_;
  std::optional<merge::EventStore> store_;
  std::optional<merge::Merge> merge_;
  std::optional<pass::Workers> workers_;  ///< if there are several; else the one's linker and pass:
  std::vector<std::unique_ptr<link::Linker>> linkers_;
  std::vector<std::unique_ptr<pass::Pass>> passes_;
  ReadTrace read_;
};

}  // namespace waitstate::analysis

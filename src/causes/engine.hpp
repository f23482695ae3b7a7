// The engine of causes: takes what analysis is told while a trace is read, and answers patterns when all is known.
//
// Points, and what locations did between them, are noted by Recorder and WorkLog, if a pattern asks for waits; the
// events of the one stream are replayed by IdealReplay, if one asks for ideal waits. Memory: 72 bytes a point, and the
// time per call path between calls of MPI; beyond a limit of each kind (default_memory()) these go into scratch files.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "causes/history.hpp"
#include "causes/ideal/replay.hpp"
#include "causes/path/path_walk.hpp"
#include "causes/recorder/recorder.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::causes {

class Engine final : public Causes {
 public:
  /// The number of bytes of each kind of record that stay in memory: some pages of each location, as these are in use
  /// at about the same time.
  static std::size_t default_memory(std::size_t locations);

  /// `threads`: of the analysis. `metrics`, `severities`: looked at when the trace has been read.
  Engine(const Definitions& definitions, const CallTree& call_tree, const MetricTree& metrics,
         const Severities& severities, const WantedCauses& wanted, std::size_t bytes_in_memory, unsigned threads);

  /// The events that it has to be told.
  static Interests interests(const WantedCauses& wanted);
  /// Before the first event of the one stream, if ideal waits are wanted.
  void connect(const merge::EventStore& events);

  /// A compound event, or a wait for a message that a pattern has published.
  template <class E>
  void note(const E& e) {
    if constexpr (requires(Recorder & r) { r.note(e); })
      if (recorder_) recorder_->note(e);
    if constexpr (requires(IdealReplay & r) { r.note(e); })
      if (replay_) replay_->note(e);
  }
  /// The next event of the one stream.
  void event(const Event& e) {
    if (replay_) replay_->event(e);
  }
  bool replays() const { return replay_.has_value(); }
  // Called by the linking thread.
  void work(const link::LocationWork& work) { recorded_.work.take(work); }
  void incomplete_part(const link::IncompletePart& part) {
    if (recorder_) recorder_->incomplete.add(part);
  }

  /// When the trace has been read.
  void finish();

  const WantedCauses& wanted() const override { return recorded_.wanted; }
  // After finish().
  std::optional<std::string> left_out() const override { return left_out_; }
  bool has_inner_barriers() const override { return recorded_.teams.has_inner_barriers; }
  std::optional<PathBreak> path_break() const override { return path_.broken_off; }
  CallPathId unfollowed_on_path() const override { return path_.unfollowed; }
  CallPathId unfollowed(DelayType type) const override { return recorded_.unfollowed.longest(type); }
  void each_path_cost(const std::function<void(const PathCost&)>& visit) const override;
  void each_delay(std::size_t parts, const std::function<void(const DelayCost&)>& visit) const override;
  void each_ideal_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const override;
  IdealLosses ideal_losses() const override { return replay_ ? replay_->losses() : IdealLosses{}; }

  /// The critical path as segments; none if waits are not wanted, or nothing can be told.
  std::optional<CriticalPath> critical_path() const;
  /// One chain a wait, without steps where the wait is not known; nothing where critical_path() is none.
  std::vector<WaitChain> chains(const std::vector<Wait>& waits) const;

 private:
  bool tells_waits() const { return recorder_.has_value() && !left_out_; }

  const MetricTree& metrics_;
  const Severities& severities_;
  const unsigned threads_;
  Recorded recorded_;
  const History history_{recorded_};
  std::optional<Recorder> recorder_;
  std::optional<IdealReplay> replay_;
  std::optional<std::string> left_out_;
  FoundPath path_;
};

}  // namespace waitstate::causes

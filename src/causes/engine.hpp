// The engine of causes: has the notes that each worker takes while a trace is read, makes one of them, and answers
// patterns when all is known.
//
// Memory: 72 bytes a point, and the time per call path between MPI calls; 48 bytes a step; beyond a limit of each kind
// (default_memory()), of all workers together, these go into scratch files.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "causes/history.hpp"
#include "causes/ideal/replay.hpp"
#include "causes/notes.hpp"
#include "causes/path/path_walk.hpp"
#include "peers/archive.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::causes {

class Engine final : public Causes {
 public:
  /// The number of bytes of each kind of record that stay in memory: some pages of each location, as these are in use
  /// at about the same time.
  static std::size_t default_memory(std::size_t locations);

  struct Resources {
    std::size_t bytes_in_memory = 0;  ///< bytes that each kind of record may take
    unsigned threads = 1;             ///< number of threads of the analysis
    bool always_divides = false;      ///< the ideal machine runs in parts, whatever is worth it
    const util::StopCheck* stop = &util::StopCheck::never();
  };

  /// `call_trees`: the view of each worker of this peer, which are `own`. `metrics`, `severities`: looked at when the
  /// trace has been read.
  Engine(const Definitions& definitions, const std::vector<const CallTree*>& call_trees, const link::Homes& homes,
         link::OwnWorkers own, const MetricTree& metrics, const Severities& severities, const WantedCauses& wanted,
         const Resources& resources);

  /// The notes of this peer's n-th worker; after join() all are those of worker 0.
  Notes& notes(std::size_t n) { return *notes_[n]; }
  /// When the workers of this peer have read their locations: their notes go to peer 0, which takes those of all
  /// others, in the order of peers.
  void give(peers::ArchiveWriter& archive);
  void take(peers::ArchiveReader& archive, link::OwnWorkers of_peer);
  /// When all workers have read their locations: makes one of their notes.
  void join();
  /// When the trace has been read, after join().
  void finish();

  const WantedCauses& wanted() const override { return recorded().wanted; }
  // After finish().
  std::optional<std::string> left_out() const override { return left_out_; }
  bool has_inner_barriers() const override { return recorded().teams.has_inner_barriers; }
  std::optional<PathBreak> path_break() const override { return path_.broken_off; }
  CallPathId unfollowed_on_path() const override { return path_.unfollowed; }
  CallPathId unfollowed(DelayType type) const override { return recorded().unfollowed.longest(type); }
  void each_path_cost(const std::function<void(const PathCost&)>& visit) const override;
  void each_delay(std::size_t parts, const std::function<void(const DelayCost&)>& visit) const override;
  void each_ideal_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const override;
  IdealLosses ideal_losses() const override { return replay_ ? replay_->losses() : IdealLosses{}; }

  /// The critical path as segments; none if waits are not wanted, or nothing can be told.
  std::optional<CriticalPath> critical_path() const;
  /// One chain a wait, without steps where the wait is not known; nothing where critical_path() is none.
  std::vector<WaitChain> chains(const std::vector<Wait>& waits) const;

 private:
  bool tells_waits() const { return notes_.front()->recorder.has_value() && !left_out_; }
  const Recorded& recorded() const { return notes_.front()->recorded; }

  const link::Homes& homes_;
  const MetricTree& metrics_;
  const Severities& severities_;
  const unsigned threads_;
  const bool always_divides_;
  const link::OwnWorkers own_;
  std::vector<std::unique_ptr<Notes>> notes_;  ///< by worker of this peer; at peer 0 then those that were taken
  const History history_;
  std::optional<std::string> left_out_;
  FoundPath path_;
  std::optional<IdealReplay> replay_;
};

}  // namespace waitstate::causes

// The message queue while events are placed: the sends that have not been received yet (EARL), by target.
//
// Sends come in the order of their positions, and most are received in it. So each target has runs of sends, ascending:
// a send is put at the end of the last run, and found by bisection when it is received. Neighbours that have become
// small are joined. If very many sends are in flight, all runs of a target but the first go into a scratch file; a run
// comes back when a send in it is received, and is read in place when the queue is asked for. If the file cannot be
// made or is full, runs stay in memory.
//
// Cost: constant for a send; two bisections and a move within a run for a receive; a query reads the sends to the
// target, or all sends, and without a target sorts them. Memory: some 16 bytes for each send in flight, four times that
// if most are received out of order; 64 bytes for each spilled run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "util/front_queue.hpp"
#include "util/spill/scratch_file.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate::merge {

class MessageQueue {
 public:
  static constexpr std::size_t most_in_memory = std::size_t{1} << 20;  // 16 MB

  /// `most` is the number of sends that may be in memory before some are spilled.
  explicit MessageQueue(std::size_t locations, std::size_t most = most_in_memory)
      : targets_(locations + 1), most_in_memory_(most), next_at_(most) {}

  /// Adds a send at a later position than all before it. Sends without a target count as those of a target of their
  /// own.
  void sent(Position send, LocationId source, LocationId target);
  /// Removes a send to that target; it must be in the queue.
  void received(Position send, LocationId target);

  /// Positions of the sends in the queue, ascending; only those of `source` and to `target` where these are given.
  std::vector<Position> sends(std::optional<LocationId> source, std::optional<LocationId> target) const;

  /// Number of sends that are in the file.
  std::size_t spilled() const { return static_cast<std::size_t>(file_.size() / sizeof(Send)); }
  /// Number of pieces in which the sends to that target are kept.
  std::size_t runs(LocationId target) const { return targets_[index_of(target)].runs.size(); }

 private:
  static constexpr std::size_t most_in_run = 256, fewest_in_file = 16;

  struct Send {
    Position position;
    LocationId source;
    bool operator==(const Send& o) const { return position == o.position; }
    bool operator<(const Send& o) const { return position < o.position; }
  };
  struct Run {
    util::FrontQueue<Send> sends;  ///< empty while they are in the file
    Position last = 0;             ///< position of its last send
    std::uint64_t place = 0;       ///< place of its sends in the file
    std::size_t in_file = 0;       ///< number of its sends in the file; 0: they are in memory
  };
  struct Target {
    std::vector<Run> runs;  ///< none of them empty, unless it is the only one
    std::size_t sends = 0;
    std::size_t in_use = 0;  ///< index into in_use_, if there are sends
  };

  std::size_t index_of(LocationId target) const { return target.valid() ? target.index() : targets_.size() - 1; }
  void bring_back(Run& run);
  void tidy_up(std::vector<Run>& runs, std::size_t at);
  void spill();
  void collect(const Target& target, std::optional<LocationId> source, std::vector<Position>& result) const;

  std::vector<Target> targets_;      ///< by location; the last one has the sends whose target is not known
  std::vector<std::size_t> in_use_;  ///< targets with sends
  util::ScratchFile file_;
  const std::size_t most_in_memory_;
  std::size_t in_memory_ = 0;            ///< sends
  std::size_t next_at_;                  ///< sends in memory; more than the limit if not all could be spilled
  mutable std::vector<Send> scratch_{};  ///< the sends of one run
};

}  // namespace waitstate::merge

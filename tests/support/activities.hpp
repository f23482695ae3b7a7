// The work of each location from one enter, exit, release of a lock, fork, join, or record of a task to the next, with
// the whole trace at hand.
//
// From the fork of a team to its join, a thread's time belongs to the parallel region or to what it calls; the work of
// a forked thread after the enter of its last barrier there, or after the last task since, is left out. The work of a
// task lies below the call path that created it; if instances of that region are nested, below the outermost one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "waitstate/trace/event_trace.hpp"

namespace waitstate::support {

/// Ticks by call path; zero of those that are not in it.
using CallPathTimes = std::map<CallPathId, Ticks>;
inline Ticks time_in(const CallPathTimes& times, CallPathId c) {
  const auto found = times.find(c);
  return found == times.end() ? 0 : found->second;
}

class Activities {
 public:
  /// Fork time of the team; none for a team within a team, whose threads count as outside of teams.
  using ForkTime = std::optional<Time>;

  explicit Activities(const EventTrace& trace);

  /// Times per call path from one enter or exit record to another; no_position: from the start, to the end.
  CallPathTimes between(LocationId location, Position from, Position to) const;
  /// From the ends of parallel regions to the joins of their teams.
  CallPathTimes to_join(LocationId location) const;
  bool has(LocationId location) const { return !pieces_[location.index()].empty(); }

 private:
  struct Piece {
    Position pos;
    Time begin, end;
    CallPathId callpath;
    bool to_join = false;
  };
  /// An explicit task, with the regions open in it.
  struct Task {
    CallPathId created_in{};
    std::vector<CallPathId> stack{};
  };
  /// Process, communicator of the team, number.
  using TaskName = std::array<std::uint64_t, 3>;
  struct Thread {
    std::optional<TaskName> executes{};
    std::vector<CallPathId> stack{};  ///< call stack outside of tasks
    std::optional<Time> forked_at{};  ///< it is about to enter a parallel region
    bool begins_inner_part = false;   ///< begins a part in a team within a team
    int inner_forks = 0;              ///< number of nested teams that are not joined
    bool has_forked = false;          ///< the team that it is in
    std::size_t fork_piece = 0;
    std::optional<CallPathId> region{};
    std::size_t region_depth = 0;
    std::optional<std::size_t> last_barrier{};  ///< last barrier of the parallel region: the piece that begins there
  };

  void read(const Event& e, const std::map<Position, ForkTime>& forks, bool is_barrier);
  void read_task(const Event& e, const EventTrace& trace);
  CallPathId top(const Thread& thread) const;
  void begin(const Event& e, CallPathId callpath);
  void enter_region(const Event& e);
  void leave_region(const Event& e);

  std::vector<std::vector<Piece>> pieces_;
  std::vector<Thread> threads_;
  std::map<TaskName, Task> tasks_;
};

}  // namespace waitstate::support

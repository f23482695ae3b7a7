// Thread teams in the replay of one location: forks and joins of the master, parts of threads in a team, and the time
// between a fork or join and its parallel region. What other threads of the team are matched with goes out as
// TeamRecords.
//
// A parallel region's time runs from fork to join. On the master both are at hand: what it spends around the region is
// kept in the region's profile apart from its own time. A worker knows neither its fork nor its caller: what it does in
// the team is a segment, with call paths below a root of their own, whose profiles go with the chunk. It says when it
// entered and left the region, and linking charges the rest.
//
// Where there are no teams, this costs an event nothing but a test of CallStack::in_threads().
#pragma once

#include <cstdint>

#include "replay/counters/counter_replay.hpp"
#include "replay/open_calls.hpp"

namespace waitstate::replay {

class TeamReplay {
 public:
  TeamReplay(CallStack& stack, OpenCalls& calls, CounterReplay& counters);

  /// A recorded fork, and the join of the last one that is open.
  void fork(std::uint32_t requested_threads);
  void join();
  /// This thread begins and ends a part in the team.
  void begin_part(CommId team);
  void end_part();
  /// This thread begins to do what is called from elsewhere, outside of every region.
  void begin_segment();
  void end_segment();
  /// No event follows: every region is left.
  void finish();

  /// A region is entered; the stack does not have it yet.
  void enter_region(std::uint64_t frame, std::uint32_t callpath);
  /// A region was left, what concerns the segment first.
  void leave_region_in_segment();
  void leave_region_in_fork();

  /// From the first to the last fork (by whatever means it is known) that is in no other, this thread is inside of
  /// parallel regions.
  void begin_inside();
  void end_inside() { calls_.begin_outside_parallel_regions(); }

  TeamRecord& add_record(TeamRecord::Kind kind);

 private:
  void charge_gap(const Fork& f, Ticks Profile::*share);
  void record_time_outside();
  bool is_parallel(std::uint64_t frame) const;
  Time now() const { return stack_.profiles.now(); }

  CallStack& stack_;
  OpenCalls& calls_;
  CounterReplay& counters_;
  bool has_forked_ = false;     ///< outside of teams
  std::uint32_t segments_ = 0;  ///< begun so far
};

}  // namespace waitstate::replay

// The parts that threads take in teams, processed: which team each of them is in, and what is to be told of a team when
// the last member has left it, or its master has.
//
// A thread is in the teams that it has begun a part in and not ended it, the innermost one last; the teams of its own
// forks end with their joins at the latest. When all members of a communicator have left a team, or are known to take
// no part in it, its last barriers and the unused threads are delivered, and it is forgotten. How long a worker was in
// a parallel region before it began and after it was done is charged when the master has left the team: only then is
// the join known.
//
// Cost: constant per part. Memory: parts that are open.
#pragma once

#include <vector>

#include "link/listener.hpp"
#include "link/threads/team_barriers.hpp"
#include "link/threads/team_table.hpp"
#include "link/threads/unused_threads.hpp"
#include "util/paged_table.hpp"

namespace waitstate::link {

class TeamParts {
 public:
  /// A team that a thread is in.
  struct TeamMembership {
    TeamRef team;
    std::uint64_t barriers = 0;  ///< number of barriers that it has come to
  };

  TeamParts(TeamTable& table, TeamBarriers& barriers, UnusedThreadFinder& unused, Listener* listener)
      : table_(table), barriers_(barriers), unused_(unused), listener_(listener), threads_(table.threads()) {}

  /// The location begins its part; `forked`: as the team's master, of whom the fork was recorded.
  void begin(LocationId l, const TeamRef& ref, Time begin, bool forked);
  /// It ends its innermost part.
  void end(LocationId l);
  /// It joins the team of its latest fork.
  void join(LocationId l);
  /// It ends all its parts: those were in a segment that ends.
  void end_segment(LocationId l);
  /// It takes part in no further team.
  void end_location(LocationId l);
  /// The innermost one; null if there is none.
  TeamMembership* innermost(LocationId l) {
    std::vector<TeamMembership>& open = threads_[l.index()].open;
    return open.empty() ? nullptr : &open.back();
  }

  /// A member has left the team, or will not take part in it.
  void pass(const TeamRef& ref);
  /// The master has left the team; without a join nothing is known of the time after a worker's exit.
  void leave(Team& team, bool joined, Time join);
  /// A worker has left the parallel region of the team.
  void add_region(Team& team, const WorkerRegion& region);
  /// Charges what waits for the join.
  void charge_regions(Team& team);

 private:
  struct Thread {
    std::vector<TeamMembership> open;
    std::vector<std::size_t> open_at_fork;  ///< size of `open`, per team that it has forked and not joined
  };

  void end_down_to(Thread& thread, std::size_t size);
  void charge(const Team& team, const WorkerRegion& region);

  TeamTable& table_;
  TeamBarriers& barriers_;
  UnusedThreadFinder& unused_;
  Listener* listener_;
  util::PagedTable<Thread> threads_;  ///< by location
};

}  // namespace waitstate::link

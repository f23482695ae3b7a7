// The barriers of teams: the n-th barrier of each thread in a team is the same one. It is delivered when all threads
// that take part have come.
//
// How many these are is known of a team of a communicator: as many as were asked for at the fork, at most its members.
// Where more come, in a damaged trace, the first ones by time count, whoever has been read first: such a barrier waits
// until all members have been processed beyond it (settle()). Of a team with an OMPT parallel id the number is known
// when it is over.
//
// Cost: constant per arrival. Memory: barriers that not all threads have come to; each keeps the calls alive.
#pragma once

#include <span>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/threads/team_table.hpp"

namespace waitstate::link {

class TeamBarriers {
 public:
  TeamBarriers(const Definitions& definitions, TeamTable& table, Calls& calls, Listener* listener)
      : definitions_(definitions), table_(table), calls_(calls), listener_(listener) {}

  /// A thread has come to the `number`-th barrier of that team.
  void arrive(const TeamRef& ref, std::uint64_t number, std::uint32_t call, std::vector<TimeSpan> tasks);
  /// The location has been processed further: barriers of its teams with more members than take part.
  void settle(LocationId l) {
    for (CommId comm : table_.thread(l).comms)
      if (!table_.comm(comm).full.empty()) settle(table_.comm(comm));
  }
  /// All members have left the team: the barriers that are left are those that only some can have come to.
  void end(Team& team, const CommTeams& comm);
  /// Like end(), for a team with an OMPT parallel id that so many threads took part in.
  void close(Team& team, std::size_t expected);

 private:
  void settle(CommTeams& comm);
  void forget_delivered(Team& team);
  void sort_arrivals(TeamBarrierState& barrier) const;
  void deliver(TeamBarrierState& barrier, std::size_t expected);
  void drop(TeamBarrierState& barrier);

  const Definitions& definitions_;
  TeamTable& table_;
  Calls& calls_;
  Listener* listener_;
  std::vector<const Call*> views_;                     ///< scratch of deliver()
  std::vector<std::span<const TimeSpan>> task_views_;  ///< scratch of deliver()
};

}  // namespace waitstate::link

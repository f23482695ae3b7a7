// Which threads of a process have no part in an outermost parallel region: all that are neither in its team nor in one
// nested in it. So those who take part are noted with the outermost team, and when all of them have left it and its
// master has joined it, unused_threads() is delivered.
//
// That a team is nested in another one may be known only after threads have begun to take part in it: the inner team
// keeps them until nest() tells. Where all threads of the process are in the team nothing is noted.
//
// Cost: per part in such a team a search among those who take part. Memory: who takes part, until the team is over.
#pragma once

#include "link/listener.hpp"
#include "link/threads/team_table.hpp"

namespace waitstate::link {

class UnusedThreadFinder {
 public:
  /// Without a listener nothing is noted.
  UnusedThreadFinder(const Definitions& definitions, TeamTable& table, Listener* listener)
      : definitions_(definitions), table_(table), listener_(listener) {}

  /// The master has been scanned. Members noted before are of no use if the team leaves no thread unused.
  void forked(Team& team, CommTeams& comm) {
    if (team.outermost && !leaves_some(team, comm)) team.members.clear();
  }
  /// That team was forked in a part of another one, or of one nested in that.
  void nest(const TeamRef& inner, const TeamRef& in);
  /// The location begins its part in that team; if that has an OMPT parallel id, the part is counted as open.
  void begin_part(const TeamRef& ref, Team& team, LocationId l, Time begin);
  /// Delivers, once it is known both who took part in a team of a communicator and when it was joined.
  void deliver_complete(Team& team);
  /// Like deliver_complete(), for a team with an OMPT parallel id, which nobody can take part in any more.
  void close(const Team& team, ProcessId process);

 private:
  bool leaves_some(const Team& team, const CommTeams& comm) const {
    return team.outermost && listener_ != nullptr && comm.expected(team) < comm.threads;
  }
  void take_part(Team& outer, const TeamRef& ref, const TeamPart& part);

  const Definitions& definitions_;
  TeamTable& table_;
  Listener* listener_;
};

}  // namespace waitstate::link

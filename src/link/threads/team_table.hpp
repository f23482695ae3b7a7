// The table of teams: of each communicator its teams by number, and those of a process by OMPT parallel id; who
// takes part, who forked it from where, when. Also how far each thread has been scanned and processed, which is what
// others have to know before they may say that nothing more of a team comes.
//
// The parts that scan and process (see threads.hpp) share this table, and change it; it decides nothing. Cost: an index
// or a look-up in a map. Memory: teams that not all members have passed, or that are not closed.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "link/threads/attachments.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/hash.hpp"
#include "util/paged_table.hpp"
#include "waitstate/pattern/team.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

/// A barrier as one thread called it.
struct BarrierArrival {
  std::uint32_t call;
  std::vector<TimeSpan> tasks;  ///< when the thread executed tasks in it
};
struct TeamBarrierState {
  CommId comm{};
  std::vector<BarrierArrival> calls;
  bool delivered = false;
};
/// A parallel region of a worker.
struct WorkerRegion {
  LocationId location;
  CallPathId callpath;
  Time enter = 0, exit = 0;
};
/// A thread's part in a team that is known by its OMPT parallel id, or in one that is nested in it.
struct TeamPart {
  LocationId location;
  Time begin = 0;
  bool nested = false;
};

struct Team {
  bool scanned = false;       ///< the master has
  bool caller_known = false;  ///< `caller` is
  bool forked = false;        ///< the time of the fork is known
  bool joined = false;        ///< `join` is known
  bool over = false;          ///< the master has left it, with a join or without
  LocationId master;
  std::uint32_t requested = 0;  ///< threads, 0 if not known
  std::uint32_t left = 0;       ///< members that may still take part, or are at it
  std::uint32_t took_part = 0;
  Time fork = 0, join = 0;  ///< fork: if it was not recorded, when the master began
  CallPathId caller;
  CallPathId region;  ///< the master's parallel region, if it is an outermost one
  bool outermost = false;
  /// Threads that take part in an outermost team which not all threads of the process take part in, or in teams nested
  /// in it.
  std::vector<LocationId> members;
  std::uint32_t nested = 0;           ///< teams of communicators nested in it that not all members have passed
  TeamRef outer;                      ///< the outermost team that a nested one is in
  std::vector<SegmentRef> segments;   ///< segments that wait for `caller`
  std::vector<WorkerRegion> regions;  ///< regions that wait for `join`
  std::vector<TeamPart> parts;        ///< only with an OMPT parallel id
  std::uint32_t open = 0;             ///< only with an OMPT parallel id: parts that have begun and not ended
  std::deque<TeamBarrierState> barriers;
  std::uint64_t first_barrier = 0;  ///< number of the first of them
};

/// The teams of a communicator.
struct CommTeams {
  std::deque<Team> teams;
  std::uint64_t first = 0;            ///< number of the first of them
  std::vector<SegmentRef> undecided;  ///< segments of which it is not known which team they belong to
  std::vector<std::uint64_t> full;    ///< teams with barriers for TeamBarriers::settle()
  std::vector<LocationId> members;
  std::uint32_t size = 0;   ///< number of members
  std::size_t threads = 0;  ///< number of threads of their process
  std::uint32_t ended = 0;  ///< number of members that have been processed to their end
  LocationId master;        ///< the member that forked last; before that, the one that is expected to
  bool forked = false;      ///< `master` has
  bool prepared = false;

  /// How many threads take part, as far as is known.
  std::size_t expected(const Team& team) const { return team.requested == 0 ? size : std::min(size, team.requested); }
};

class TeamTable {
 public:
  /// The role of a location in teams of a communicator. It does not change in a trace that is sound; what does not fit
  /// its first part belongs to no team.
  enum class Role : std::uint8_t { none, master, segments, worker };
  struct Member {
    std::uint64_t next = 0;  ///< number of the team that it takes part in next
    Role role{};
  };
  struct Thread {
    std::vector<CommId> comms;  ///< communicators that it is a member of
    Time scanned = 0, processed = 0;
    bool scanned_to_end = false, ended = false;  ///< ended: processed to its end
  };

  explicit TeamTable(const Definitions& definitions)
      : definitions_(definitions), threads_(definitions.locations.size()), comms_(definitions.comms.size()) {}

  /// Null if the location cannot take part in teams of it: a communicator that is not defined, or of others.
  CommTeams* prepare(CommId comm, LocationId member);
  /// One that has been prepared.
  CommTeams& comm(CommId comm) { return comms_[comm.index()]; }
  /// Null if it is not known, or has been forgotten.
  Team* find(const TeamRef& team);
  Team& find_or_add(const CommTeam& team);
  Team& find_or_add(const ParallelId& team) { return by_parallel_id_[team]; }
  /// Forgets the first teams that all members have passed, and nobody can have anything to do with any more.
  void forget_passed(CommTeams& comm);
  Member& member(CommId comm, LocationId l) { return members_.find_or_insert({comm.value, l.value}); }
  Thread& thread(LocationId l) { return threads_[l.index()]; }
  const Thread& thread(LocationId l) const { return threads_[l.index()]; }
  std::size_t threads() const { return threads_.size(); }
  /// Teams that are not over, or that somebody may still take part in.
  std::map<ParallelId, Team>& by_parallel_id() { return by_parallel_id_; }

 private:
  struct MemberKey {
    std::uint32_t comm = 0, location = 0;
    bool operator==(const MemberKey&) const = default;
    std::uint64_t hash() const { return util::mixed(util::joined(comm, location)); }
  };

  const Definitions& definitions_;
  util::PagedTable<Thread> threads_;  ///< by location
  std::vector<CommTeams> comms_;
  std::map<ParallelId, Team> by_parallel_id_;
  util::FlatMap<MemberKey, Member> members_;
};

}  // namespace waitstate::link

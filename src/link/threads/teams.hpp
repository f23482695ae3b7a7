// Thread teams: which fork a worker's part in a team belongs to, and so where it is called from; how long each thread
// was in a parallel region before it began and after it was done; and the barriers of a team.
//
// The n-th part that a thread takes in teams of a communicator belongs to the communicator's n-th team, unless the
// master asked for fewer threads than there are members: then teams that were joined before the part began are passed
// over.
//
// A worker's records cannot be used before the fork is known: only then do they have call paths. So a chunk is dealt
// with in two steps. Scanned (teams.cpp), at once: forks, joins and the segments it has; processed
// (teams_consumed.cpp), once all its segments have been given their forks: everything else. A master that is itself a
// worker of another team (nested teams) shows its forks before it knows its own call path, and both are resolved as
// soon as the outermost fork has been scanned. Where tasks or damage make chunks wait for each other in a circle,
// they are scanned further (see pass.hpp). Where a fork is missing the segment is left without a caller: when the
// next fork turns out to be later than the segment's begin, at the end of the location that has forked for this
// communicator before (of all members, if none has), or by give_up() when nothing else is left to be read. What is
// found depends on none of this, nor on which threads have been read first where more come to a barrier than were asked
// for.
//
// Of recorders that write no team records a team is known by a number (OMPT). Nobody says how many threads take part:
// such a team is over when its master has left it and all threads of the process have been read as far. It is forked
// where its master enters the parallel region, and joined where that is left; a part that begins after that belongs to
// no team.
//
// Cost: constant per record. Memory: teams that not all members have passed, and per team the barriers that not all
// threads have come to.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <vector>

#include "link/call_paths.hpp"
#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/threads/locks.hpp"
#include "link/threads/tasks.hpp"
#include "replay/chunk.hpp"
#include "util/flat_map.hpp"
#include "util/front_queue.hpp"
#include "waitstate/definitions.hpp"

namespace waitstate::link {

class Teams {
 public:
  /// With `links`, grafts of all segments are kept for the merge until take_graft().
  Teams(const Definitions& definitions, CallPaths& paths, Calls& calls, Diagnostics& diagnostics, Listener* listener,
        bool links);

  /// First step; the chunk's call paths have been added.
  void scan(const replay::Chunk& chunk);
  /// True if all segments that the location has scanned are resolved: its chunk may be processed.
  bool resolved(LocationId l) const { return locations_[l.index()].unresolved == 0 && tasks_.resolved(l); }
  /// Leaves the first of the location's unresolved segments without a caller; if it has none, the first record of a
  /// task in its process does not wait for what may be before it.
  void give_up(LocationId l);
  /// Whose fork that segment waits for, as far as can be told.
  LocationId awaited(LocationId l);
  /// Second step, after everything else in the chunk: its segments are forgotten then.
  void process(const replay::Chunk& chunk);
  /// Everything has been processed.
  void finish() {
    tasks_.finish();
    locks_.finish();
  }

  /// For CallPaths::at(); `segment` 0 is none. Of chunks that are being processed.
  std::uint32_t graft(LocationId l, std::uint32_t segment) const {
    if (segment == 0) return CallPaths::no_graft;
    if ((segment & replay::TaskRecord::task_segment) != 0) return tasks_.graft(l, segment);
    const LocationState& location = locations_[l.index()];
    return location.segments[segment - location.first_segment].graft;
  }
  /// Graft of the location's next segment in the order of its events.
  std::uint32_t take_graft(LocationId l);
  std::uint32_t take_task_graft(LocationId l) { return tasks_.take_graft(l); }

 private:
  static constexpr std::uint32_t none = CallState::none;

  /// A team of a communicator, or (`numbered`) one of a process that is known by its number; `comm` none: it is not
  /// known which.
  struct TeamRef {
    CommId comm;
    std::uint64_t number = 0;
    ProcessId numbered{};
    bool known() const { return comm.valid() || numbered.valid(); }
  };
  struct SegmentRef {
    LocationId location;
    std::uint32_t number = 0;
  };
  /// A parallel region of a worker whose join is not known yet.
  struct Parallel {
    LocationId location;
    CallPathId callpath;
    Time enter = 0, exit = 0;
  };
  struct Arrival {
    std::uint32_t call;
    std::vector<TimeSpan> tasks;  ///< when the thread executed tasks in it
  };
  struct Barrier {
    std::vector<Arrival> calls;
    bool delivered = false;
  };
  /// A location's part in a team that is known by its number, or in one that is nested in it.
  struct Part {
    LocationId location;
    Time begin = 0;
    bool nested = false;
  };
  struct Team {
    bool scanned = false;   ///< the master has
    bool resolved = false;  ///< `caller` is known
    bool forked = false;    ///< the time of the fork is known
    bool joined = false;    ///< `join` is known
    bool over = false;      ///< the master has left it, with a join or without
    LocationId master;
    std::uint32_t requested = 0;  ///< threads, 0 if not known
    std::uint32_t left = 0;       ///< members that may still take part, or are at it
    std::uint32_t took_part = 0;
    Time fork = 0, join = 0;  ///< fork: if it was not recorded, when the master began
    CallPathId caller;
    CallPathId region;  ///< of the master's parallel region, if it is an outermost one
    bool outermost = false;
    /// Of an outermost one in which not all threads of the process take part: who takes part, also in teams nested in
    /// it.
    std::vector<LocationId> members;
    std::uint32_t nested = 0;          ///< teams nested in it that not all members have passed; not if it is numbered
    TeamRef outer;                     ///< of a nested one: the outermost one
    std::vector<SegmentRef> segments;  ///< that wait for `caller`
    std::vector<Parallel> parallels;
    std::vector<Part> parts;  ///< only if it is numbered
    std::uint32_t open = 0;   ///< only if it is numbered: parts that have begun and not ended
    std::deque<Barrier> barriers;
    std::uint64_t first_barrier = 0;  ///< number of the first of them
  };
  struct CommState {
    std::deque<Team> teams;
    std::uint64_t first = 0;            ///< number of the first of them
    std::vector<SegmentRef> undecided;  ///< segments of which it is not known which team they belong to
    std::vector<std::uint64_t> full;    ///< teams with barriers for settle_full()
    std::vector<LocationId> members;
    std::uint32_t size = 0;   ///< of them
    std::size_t threads = 0;  ///< of their process
    std::uint32_t gone = 0;   ///< those that have been processed to their end
    LocationId master;        ///< who forked last; before that, who should
    bool forked = false;      ///< `master` has
    bool prepared = false;
  };
  /// A fork in a segment that is not resolved yet.
  struct InnerFork {
    TeamRef team;
    std::uint32_t callpath = 0;
  };
  struct Segment {
    TeamRef team;
    Time begin = 0;
    bool resolved = false;
    std::uint32_t graft = CallPaths::no_graft;
    std::vector<InnerFork> forks;
  };
  /// A fork in a task that is not ordered yet.
  struct TaskFork {
    LocationId location;
    std::uint32_t segment = 0;
    std::uint32_t in = 0;  ///< number of the segment of a team in which the task is executed, 0 if in none
    InnerFork fork;
  };
  struct OpenTeam {
    TeamRef team;
    std::uint64_t barriers = 0;  ///< that the thread has come to
  };
  struct LocationState {
    // Scanned.
    util::FrontQueue<Segment> segments;
    std::uint32_t first_segment = 1, unresolved = 0;
    std::uint32_t in_segment = 0;  ///< number of the one that is open, 0 if none is
    std::vector<TeamRef> forked;   ///< and not joined
    TeamRef outermost;             ///< the latest outermost one of those known by numbers that it has forked
    std::vector<CommId> mastered;  ///< communicators of teams that it has forked
    Time scanned = 0;
    bool ended = false;
    util::FrontQueue<TeamRef> begun;  ///< teams of the begin records that are not processed, but for segments
    // Consumed.
    std::vector<CommId> comms;  ///< that it is a member of
    std::vector<OpenTeam> open;
    std::vector<std::size_t> open_at_fork;  ///< size of `open`, per team that it has forked and not joined
    Interval last_call;                     ///< the latest sync call
    std::uint32_t processed_segment = 0;    ///< number of the latest one
    bool gone = false;
    Time processed_until = 0;
    util::FrontQueue<std::uint32_t> grafts;  ///< for the merge
  };
  /// What a location does in teams of a communicator. It does not change in a trace that is sound; what does not fit
  /// its first part belongs to no team.
  enum class Role : std::uint8_t { none, master, segments, worker };
  struct Member {
    std::uint64_t next = 0;  ///< number of the team that it takes part in next
    Role role{};
  };
  struct MemberKey {
    std::uint32_t comm = 0, location = 0;
    bool operator==(const MemberKey&) const = default;
    std::uint64_t hash() const {
      const std::uint64_t h = (std::uint64_t{comm} << 32 | location) * 0xc2b2ae3d27d4eb4fu;
      return (h ^ h >> 29) * 0x9e3779b97f4a7c15u;
    }
  };

  LocationState& state(LocationId l) { return locations_[l.index()]; }
  Segment& segment(const SegmentRef& s) {
    LocationState& location = state(s.location);
    return location.segments[s.number - location.first_segment];
  }
  CommState* prepare(CommId comm, LocationId member);
  static std::size_t takes_part(const Team& team, const CommState& comm);
  bool leaves_threads_out(const Team& team, const CommState& comm) const;
  void tell_left_out(Team& team);
  void nest(const TeamRef& inner, const TeamRef& in);
  void take_part(Team& outer, const TeamRef& ref, const Part& part);
  void join_numbered(LocationId l, const replay::TeamRecord& r);
  void close_numbered(ProcessId process);
  void close_numbered(Team& team, ProcessId process);
  bool decide_numbered(const SegmentRef& s);
  void retry_numbered(ProcessId process);
  Team* find(const TeamRef& team);
  Team& find_or_add(const TeamRef& team);
  Member& member(CommId comm, LocationId l) { return members_.find_or_insert({comm.value, l.value}); }
  std::uint64_t& next_of(CommId comm, LocationId l) { return member(comm, l).next; }

  void scan_begin(LocationId l, const replay::TeamRecord& r);
  void scan_fork(LocationId l, const replay::TeamRecord& r, CommState& comm);
  void scan_numbered(LocationId l, const replay::TeamRecord& r);
  void scan_master(LocationId l, const replay::TeamRecord& r, const TeamRef& ref);
  void leave_fork(LocationId l, bool joined, Time join, std::uint32_t callpath = 0);
  void order_tasks(LocationId l);
  LocationId may_still_fork(const CommState& comm, LocationId worker);
  bool decide(const SegmentRef& s);
  void retry(CommState& comm);
  void resolve(const SegmentRef& s, CallPathId caller);
  void resolve(Team& team, CallPathId caller);
  void book(const Team& team, const Parallel& parallel);

  void end_open_teams(LocationState& location, std::size_t down_to);
  void pass(const TeamRef& team);
  void forget_passed(CommState& comm);
  void come_to_barrier(LocationState& location, std::uint32_t call, std::vector<TimeSpan> tasks);
  bool find_graft(LocationId l, std::uint32_t segment, std::uint32_t& graft);
  std::vector<TimeSpan> task_times(std::uint32_t call) const;
  void forget_delivered(Team& team);
  void settle_full(CommState& comm);
  void sort_arrivals(Barrier& barrier) const;
  void deliver(Barrier& barrier, std::size_t expected);
  void add_counters(LocationId l, std::span<const replay::PathCounter> counters);
  void end_segment(LocationId l, const replay::TeamRecord& r, std::span<const replay::PathProfile> profiles);
  void end_location(LocationId l);
  std::uint32_t sync_call(LocationId l, const replay::Chunk& chunk, std::uint32_t index);

  const Definitions& definitions_;
  CallPaths& paths_;
  Calls& calls_;
  Listener* listener_;
  const bool keep_links_;
  Locks locks_;
  Tasks tasks_;
  std::vector<LocationState> locations_;
  std::vector<CommState> comms_;
  /// By process and number: teams that are not over, or that somebody may still take part in.
  std::map<std::pair<ProcessId, std::uint64_t>, Team> numbered_;
  std::vector<TaskFork> task_forks_;
  util::FlatMap<MemberKey, Member> members_;
  std::vector<std::uint32_t> call_ids_;                ///< scratch of process()
  std::vector<replay::TaskTime> task_times_;           ///< of the chunk that is being processed, by call and time
  std::vector<const Call*> views_;                     ///< scratch of deliver()
  std::vector<std::span<const TimeSpan>> task_views_;  ///< scratch of deliver()
};

}  // namespace waitstate::link

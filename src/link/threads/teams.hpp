// Teams, scanned: forks and joins of the masters, and which team the segment of a worker belongs to.
//
// The n-th part that a thread takes in teams of a communicator belongs to the communicator's n-th team, unless the
// master asked for fewer threads than there are members: then teams that were joined before the part began are passed
// over. Where forks or parts of threads are not in the trace the times decide, so that it does not matter how far who
// has been read.
//
// A segment is attached as soon as the fork of its team is known, and where that is called from; what waits in
// between is in Attachments. Where a fork is missing the segment is left without a caller: when the next fork turns out
// to be later than the segment's begin, at the end of the location that has forked for this communicator before (of all
// members, if none has), or by give_up() when nothing else is left to be read. What is found depends on none of this.
//
// Cost: constant per record, and per scan a look at the segments that are not decided. Memory: these.
#pragma once

#include <vector>

#include "link/threads/attachments.hpp"
#include "link/threads/parallel_ids.hpp"
#include "link/threads/team_parts.hpp"
#include "link/threads/team_table.hpp"
#include "link/threads/unused_threads.hpp"
#include "util/paged_table.hpp"

namespace waitstate::link {

class Teams {
 public:
  Teams(TeamTable& table, Attachments& attachments, ParallelIds& parallel_ids, TeamParts& parts,
        UnusedThreadFinder& unused)
      : table_(table),
        attachments_(attachments),
        parallel_ids_(parallel_ids),
        parts_(parts),
        unused_(unused),
        threads_(table.threads()) {}

  void scan(const replay::Chunk& chunk);
  /// Tells teams where they are called from, of forks whose segments are attached, and attaches the segments of these
  /// teams. False if there was none to be told.
  bool tell_forks();
  /// Leaves a segment that is not attached without a caller.
  void give_up(const SegmentRef& s);
  /// The location whose fork a segment waits for, as far as is known.
  LocationId awaited(const SegmentRef& s);
  /// The team of the location's next begin record that is processed, but for segments.
  TeamRef take_begun(LocationId l) {
    util::FrontQueue<TeamRef>& begun = threads_[l.index()].begun;
    const TeamRef ref = begun.front();
    begun.pop_front();
    return ref;
  }

 private:
  struct Thread {
    std::uint32_t in_segment = 0;     ///< number of the one that is open, 0 if none is
    std::vector<TeamRef> forked;      ///< forked and not joined
    TeamRef outermost;                ///< the latest outermost one with an OMPT parallel id that it has forked
    std::vector<CommId> mastered;     ///< communicators of teams that it has forked
    util::FrontQueue<TeamRef> begun;  ///< for take_begun()
  };

  void begin(LocationId l, const replay::TeamRecord& r);
  void begin_by_id(LocationId l, const replay::TeamRecord& r);
  bool fits(LocationId l, const replay::TeamRecord& r);
  SegmentRef begin_segment(LocationId l, const TeamRef& team, Time t);
  void fork(LocationId l, const replay::TeamRecord& r);
  void add_fork(LocationId l, const replay::TeamRecord& r, const TeamRef& ref, Team& team);
  void leave_fork(LocationId l, bool joined, Time join, std::uint32_t callpath = 0);
  void attach(const SegmentRef& s, CallPathId caller);
  bool decide(const SegmentRef& s);
  void retry(CommTeams& comm);
  LocationId may_still_fork(const CommTeams& comm, LocationId worker) const;

  TeamTable& table_;
  Attachments& attachments_;
  ParallelIds& parallel_ids_;
  TeamParts& parts_;
  UnusedThreadFinder& unused_;
  util::PagedTable<Thread> threads_;  ///< by location
};

}  // namespace waitstate::link

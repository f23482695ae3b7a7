// Teams that are known by a number, the OMPT parallel id, as recorders have them that write no team records.
//
// Nobody says how many threads take part: such a team is over when its master has left it and all threads of the
// process have been read as far. It is forked where its master enters the parallel region, and joined where that is
// left; a part that begins after that belongs to no team. So a segment is attached when both are known: who called the
// team, and that the team was not joined before the segment began.
//
// Of locations without a process nobody knows which of them belong together: their parts belong to no team.
//
// Cost: constant per record, and a look at the open teams and threads of the process per chunk. Memory: teams that are
// not over.
#pragma once

#include "link/threads/attachments.hpp"
#include "link/threads/team_barriers.hpp"
#include "link/threads/team_parts.hpp"
#include "link/threads/team_table.hpp"
#include "link/threads/unused_threads.hpp"

namespace waitstate::link {

class ParallelIds {
 public:
  ParallelIds(const Definitions& definitions, TeamTable& table, Attachments& attachments, TeamParts& parts,
              TeamBarriers& barriers, UnusedThreadFinder& unused)
      : definitions_(definitions),
        table_(table),
        attachments_(attachments),
        parts_(parts),
        barriers_(barriers),
        unused_(unused) {}

  /// The team of the location's process with that id; none if the location has no process.
  TeamRef team(LocationId l, std::uint64_t id) const {
    const ProcessId process = definitions_[l].process;
    return process.valid() ? TeamRef{ParallelId{process, id}} : TeamRef{};
  }
  /// Scanned: the location has left the parallel region, of which it is the master.
  void join(LocationId l, std::uint64_t id, Time t);
  /// Attaches the segments of the location's process of which that can be told by now. True if there were any: then
  /// forks in them may be known, and so more segments.
  bool attach(LocationId l);
  /// The location that the segment waits for, as far as is known.
  LocationId awaited(const SegmentRef& s);
  /// The location has been processed further: teams of its process that nobody takes part in any more, or can, as all
  /// threads have been processed beyond their ends.
  void close(LocationId l);

 private:
  bool attach(const SegmentRef& s);
  void close(Team& team, ProcessId process);

  const Definitions& definitions_;
  TeamTable& table_;
  Attachments& attachments_;
  TeamParts& parts_;
  TeamBarriers& barriers_;
  UnusedThreadFinder& unused_;
};

}  // namespace waitstate::link

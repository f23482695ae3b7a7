// Where segments are attached to the call tree, and which forks wait for that.
//
// What a thread executes of a team or a task without a break is a segment. It has call paths of its own, which begin
// where other threads say: a team's where the team was forked, a task's where the task was created or interrupted. A
// fork may lie in a segment itself, a task may be created in one. So teams wait for segments, segments for teams, tasks
// for segments and forks for tasks, and the records come in any order.
//
// All of this waiting is noted here: for each segment (location, number) where it is attached, and which forks wait for
// that. attach() and fork_in() only note, and call nobody back: whoever wants to go on takes the forks whose segments
// are attached by take_forks(). Threads::resolve() is the loop that does so until nothing changes.
//
// Invariant: a fork is handed out once, and not before its segment is attached; of those handed out together the one
// that was noted first comes first, because call paths get their numbers in this order.
//
// Cost: constant per segment, and a look at the forks of a location that wait per segment attached: most wait for none.
// Memory: segments that have not been processed, forks that wait.
#pragma once

#include <compare>
#include <unordered_map>
#include <variant>
#include <vector>

#include "link/call_paths.hpp"
#include "replay/chunk/records.hpp"
#include "util/front_queue.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::link {

/// The n-th team of a communicator.
struct CommTeam {
  CommId comm;
  std::uint64_t number = 0;
};
/// A team of a process that is known by its OMPT parallel id.
struct ParallelId {
  ProcessId process;
  std::uint64_t number = 0;
  auto operator<=>(const ParallelId&) const = default;
};
/// One of the two; monostate if nobody knows which team it is.
using TeamRef = std::variant<std::monostate, CommTeam, ParallelId>;

/// A segment of a team, or of a task (TaskRecord::task_segment); number 0 stands for what is in no segment.
struct SegmentRef {
  LocationId location;
  std::uint32_t number = 0;
  bool of_task() const { return (number & replay::TaskRecord::task_segment) != 0; }
  bool operator==(const SegmentRef&) const = default;
};

/// A segment of a team.
struct Segment {
  TeamRef team;
  Time begin = 0;
  bool attached = false;
  std::uint32_t attachment = CallPaths::not_attached;
};

/// Where a team was forked.
struct Fork {
  TeamRef team;
  SegmentRef segment;          ///< segment that `callpath` lies in
  std::uint32_t callpath = 0;  ///< number of the location's own tree
  std::uint32_t in_team = 0;   ///< number of the segment of a team in which it was forked, in a task of that or not
  std::uint64_t sequence = 0;  ///< fork_in() counts
};

class Attachments {
 public:
  /// With `links`, attachments of all segments that are processed are kept for the merge, until they are taken.
  Attachments(CallPaths& paths, std::size_t locations, bool links = false)
      : paths_(paths), keep_links_(links), locations_(locations) {}

  // --- scanned ---

  /// The location's next segment of a team; its caller is not known yet.
  SegmentRef begin(LocationId l, const TeamRef& team, Time t);
  /// The segment begins at that call path (none: it is not known), `open` of whose regions its task has open.
  void attach(const SegmentRef& s, CallPathId where, std::uint32_t open = 0);
  void fork_in(const Fork& fork);
  /// Forks whose segments are attached, each once.
  std::vector<Fork> take_forks();

  /// A segment of a team that has not been forgotten.
  Segment& operator[](const SegmentRef& s) {
    Location& location = locations_[s.location.index()];
    return location.segments[s.number - location.first];
  }
  const Segment& operator[](const SegmentRef& s) const {
    const Location& location = locations_[s.location.index()];
    return location.segments[s.number - location.first];
  }
  /// Null for number 0, and if it has been forgotten.
  const Segment* find(const SegmentRef& s) const {
    const Location& location = locations_[s.location.index()];
    return s.number < location.first ? nullptr : &location.segments[s.number - location.first];
  }
  bool attached(const SegmentRef& s) const {
    if (s.number == 0) return true;
    return s.of_task() ? locations_[s.location.index()].tasks.contains(s.number) : (*this)[s].attached;
  }
  /// True if all segments of teams that the location has are attached.
  bool all_attached(LocationId l) const { return locations_[l.index()].unattached == 0; }
  /// The location's first segment of a team that is not; number 0 if all are.
  SegmentRef first_unattached(LocationId l) const;

  // --- known ---

  /// For CallPaths::at(): where the segment is attached.
  std::uint32_t of(LocationId l, std::uint32_t segment) const {
    if (segment == 0) return CallPaths::not_attached;
    const SegmentRef s{l, segment};
    if (!s.of_task()) return (*this)[s].attachment;
    const auto& tasks = locations_[l.index()].tasks;
    const auto it = tasks.find(segment);
    return it == tasks.end() ? CallPaths::not_attached : it->second;
  }
  /// Call path of the whole trace.
  CallPathId call_path(const SegmentRef& s, std::uint32_t callpath) {
    return paths_.at(s.location, of(s.location, s.number), callpath);
  }

  // --- processed ---

  /// The location's next segment of a team is being processed; it is current() from now on.
  const Segment& process_next(LocationId l);
  SegmentRef current(LocationId l) const { return {l, locations_[l.index()].processed}; }
  /// A segment of a task that is being processed begins.
  void process_task(const SegmentRef& s);
  /// Segments of teams before the current one, which may go on.
  void forget_processed(LocationId l);
  void forget_task(const SegmentRef& s) { locations_[s.location.index()].tasks.erase(s.number); }

  /// For the merge: of the location's next segment of a team, or of a task, in the order of its events.
  std::uint32_t take(LocationId l) { return take(locations_[l.index()].begun); }
  std::uint32_t take_task(LocationId l) { return take(locations_[l.index()].begun_tasks); }

 private:
  struct Location {
    util::FrontQueue<Segment> segments;  ///< segments of teams
    std::uint32_t first = 1, unattached = 0;
    std::uint32_t processed = 0;                             ///< number of the latest one
    std::unordered_map<std::uint32_t, std::uint32_t> tasks;  ///< attachments of their segments
    std::vector<Fork> forks;                                 ///< forks that wait for one of its segments
    util::FrontQueue<std::uint32_t> begun, begun_tasks;      ///< for the merge
  };

  static std::uint32_t take(util::FrontQueue<std::uint32_t>& queue) {
    const std::uint32_t attachment = queue.front();
    queue.pop_front();
    return attachment;
  }

  CallPaths& paths_;
  const bool keep_links_;
  util::PagedTable<Location> locations_;
  std::vector<Fork> ready_;  ///< for take_forks()
  std::uint64_t forks_ = 0;
};

}  // namespace waitstate::link

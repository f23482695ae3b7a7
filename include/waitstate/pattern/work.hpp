// What each location did, as time per call path from one call of MPI or SHMEM, lock, or barrier of a thread team, to
// the next one.
//
// For patterns that ask why somebody came late (PatternInfo::needs_work). It is noted where a location is replayed, so
// that no order among locations is needed; what happens inside of calls and between them is added up at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// Times per call path; zero of those that were not touched.
class PathTimes {
 public:
  explicit PathTimes(std::size_t callpaths) : times_(callpaths), is_touched_(callpaths) {}
  void add(CallPathId path, Ticks ticks) {
    if (!is_touched_[path.index()]) is_touched_[path.index()] = 1, touched_.push_back(path);
    times_[path.index()] += ticks;
  }
  void set(CallPathId path, Ticks ticks) { times_[path.index()] = ticks; }
  Ticks operator[](CallPathId path) const { return times_[path.index()]; }
  const std::vector<CallPathId>& touched() const { return touched_; }
  void clear() {
    for (const CallPathId p : touched_) times_[p.index()] = 0, is_touched_[p.index()] = 0;
    touched_.clear();
  }

 private:
  std::vector<Ticks> times_;
  std::vector<std::uint8_t> is_touched_;
  std::vector<CallPathId> touched_;
};

/// An event of a location that decides whose time its time is.
struct WorkMark {
  enum class Kind : std::uint16_t {
    fork,        ///< of a team, in which the location will be the first thread
    part,        ///< a thread of a team begins its part, also the one that has forked
    inner_part,  ///< the same in a team that it has forked within another one
    region,      ///< after either: it enters the parallel region
    join,
    others,      ///< tasks without teams: what is told of the location ends here
    tasks,       ///< the first explicit task that it creates
    kernel,      ///< a stream begins a kernel, …
    kernel_end,  ///< … and ends it
    launch,      ///< a host thread enters a call that launches a kernel
    nested,      ///< the first region that it enters in a call of MPI or SHMEM
    // What the trace lacks of a call; not in the order of the others. Behind each comes the end of the call.
    without_member,   ///< it is in an operation that lacks a member
    without_partner,  ///< it sends or receives a message whose other half is missing
    without_start,    ///< it completes what has no record of its start
    without_part,     ///< it is of an epoch, or takes a lock, of which a part is missing
    end_of_call,
    never_completed,  ///< not of a call: a request that was started then, and has no completion in the trace
  };
  static constexpr bool lacks(Kind kind) { return kind >= Kind::without_member && kind < Kind::end_of_call; }
  LocationId location;
  Kind kind{};
  std::uint16_t number = 0;  ///< among the calls of its location: Call::number; 0 of what the trace lacks
  Time time = 0;
  CallPathId callpath;  ///< of a region, or call, which was entered at `time`; of end_of_call, left
  CommId team{};        ///< of a part
};

/// Of all locations, when the trace has been read.
///
/// A *cut* of a location is where it enters a call of MPI or SHMEM, a barrier of a team, a taskwait or a function of
/// locks, enters or leaves a kernel, launches one, where it releases a lock, creates a task, goes on with a task or
/// leaves it, forks or joins a team, enters its parallel region, or enters or leaves a region in a call of MPI or
/// SHMEM. Time outside of every region is nobody's. What threads do in a team within a team is theirs as outside of
/// one. From the parallel region of a team to the join its time is the region's, whatever its first thread is in, but
/// for tasks; on other threads what follows the enter of the last barrier, and the tasks there, is left out, unless
/// Pattern::work_to_end_of_team() asks for it. The time from fork to region is left out too.
class Work {
 public:
  virtual ~Work() = default;
  /// It has entered something.
  virtual bool used(LocationId location) const = 0;
  /// Of its last enter or exit.
  virtual Time last_time(LocationId location) const = 0;
  /// Adds what the location did from the first cut that is not before `from`, to that of `to`; none: its begin, its
  /// end. Costs little where those asked for before were near.
  virtual void add(LocationId location, std::optional<Time> from, std::optional<Time> to, PathTimes& times) const = 0;
  /// All that add() has of whole locations, in the order of reading, a call path of a location many times.
  virtual void each(const std::function<void(LocationId, CallPathId, Ticks)>& visit) const = 0;
  /// The last cut that is not after t, none if there is none.
  virtual std::optional<Time> last_cut(LocationId location, Time t) const = 0;
  /// Marks of a location in their order; those of different locations in the order of reading.
  virtual void each_mark(const std::function<void(const WorkMark&)>& visit) const = 0;
  /// Bytes of each kind of what is kept of points and times that should stay in memory: AnalysisOptions::spill_beyond.
  virtual std::size_t spill_beyond() const = 0;
  /// As many threads as the analysis has: AnalysisOptions::threads.
  virtual unsigned threads() const = 0;
  /// Until end_sharing() so many threads may ask at once, each for other locations, as a SharedReader
  /// (waitstate/pattern/spilled_vector.hpp).
  virtual void share(unsigned readers) const = 0;
  virtual void end_sharing() const = 0;
};

}  // namespace waitstate

// The compound events of thread teams, as patterns' callbacks receive them.
//
// A team is started by a fork and ended by a join: it has the master that forked it and the workers, and one
// communicator stands for all teams of the same threads. The n-th part that a thread takes in teams of a communicator
// belongs to the communicator's n-th team. In call paths, the work of a worker lies below the call path at which the
// master forked.
//
// All views are valid during the callback only. Times are timer ticks.
#pragma once

#include <cstdint>
#include <span>

#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate {

/// An interval of time.
struct TimeSpan {
  Time begin = 0, end = 0;
};

/// A barrier that all threads of a team have passed, the n-th of each in the team. Delivered in the order of the
/// barriers of a team; barriers that a thread never reached are not delivered.
struct TeamBarrier {
  RegionClass region_class{};            ///< omp_ebarrier or omp_ibarrier
  std::span<const Call* const> members;  ///< the barrier as each thread called it, by location
  /// The times in which each member executed explicit tasks inside the barrier, in order; empty if none of them did.
  std::span<const std::span<const TimeSpan>> tasks{};
  CommId team{};  ///< communicator of the team; none if only the number of the team is known (OMPT)

  /// The times in which the `member`-th thread executed tasks, in order.
  std::span<const TimeSpan> tasks_of(std::size_t member) const {
    return member < tasks.size() ? tasks[member] : std::span<const TimeSpan>{};
  }
  /// The time that the member spent in tasks during [from, to), in ticks.
  Ticks in_tasks(std::size_t member, Time from, Time to) const {
    Ticks sum = 0;
    for (const TimeSpan& t : tasks_of(member)) {
      const Time a = t.begin > from ? t.begin : from, b = t.end < to ? t.end : to;
      if (b > a) sum = add_ticks(sum, b - a);
    }
    return sum;
  }

  static auto fields(auto& e, auto&& f) {
    return f(Field{"region_class", e.region_class}, Field{"members", e.members}, Field{"tasks", e.tasks},
             Field{"team", e.team});
  }
  SourceLocation where() const { return {members.front()->location, members.front()->enter}; }
  std::size_t operation_size() const { return members.size(); }
};

/// A barrier or taskwait in which a thread was idle - it executed no task - while no task of its team was ready, and
/// some task was still to end or to be created while it was in the call.
struct TaskIdle {
  struct IdleStretch {
    Time begin = 0, end = 0;
    bool created = false;  ///< true if the lack of tasks ended because one was created; false if the last running task
                           ///< ended
    LocationId culprit;    ///< the thread that created that task, or ended it
    CallPathId culprit_callpath;  ///< call path of the culprit then
    Time culprit_time = 0;        ///< time of creation or end: after `end` if the thread continued with another task
                                  ///< before; 0 if nobody is known
    Time idle_since = 0;          ///< time at which the thread entered the call or left the last task there: at most
                                  ///< begin

    static auto fields(auto& e, auto&& f) {
      return f(Field{"begin", e.begin}, Field{"end", e.end}, Field{"created", e.created}, Field{"culprit", e.culprit},
               Field{"culprit_callpath", e.culprit_callpath}, Field{"culprit_time", e.culprit_time},
               Field{"idle_since", e.idle_since});
    }
  };
  const Call& call;
  std::span<const IdleStretch> parts;  ///< in order of time

  static auto fields(auto& e, auto&& f) { return f(Field{"call", e.call}, Field{"parts", e.parts}); }
  SourceLocation where() const { return {call.location, call.exit}; }
};

/// An interval of time in which threads of a process had no part in what its first thread did. Outside of parallel
/// regions - before its first fork, from a join to the next fork, after the last join - these are all other threads; in
/// an outermost parallel region they are those that are neither in its team nor in one nested in it. Processes without
/// forks have no such intervals.
struct UnusedThreads {
  LocationId master;
  Time begin = 0, end = 0;
  CallPathId callpath;    ///< the call path in which the master spent the longest uninterrupted time; for a parallel
                          ///< region, that region
  bool parallel = false;  ///< the interval reaches from fork to join of a parallel region in which some thread had no
                          ///< part
  std::span<const LocationId> team{};  ///< for a parallel region: the threads that took part, also in nested teams; in
                                       ///< no particular order

  static auto fields(auto& e, auto&& f) {
    return f(Field{"master", e.master}, Field{"begin", e.begin}, Field{"end", e.end}, Field{"callpath", e.callpath},
             Field{"parallel", e.parallel}, Field{"team", e.team});
  }
  SourceLocation where() const { return {master, begin}; }
  /// Small for any number of threads: the threads of one process are always listed individually.
  std::size_t operation_size() const { return 1; }
};

/// A lock that a thread acquired, and its previous owner. Owners are in the order of the recorded acquisition counter;
/// an acquisition by the thread that owned the lock last is left out.
struct LockAcquired {
  const Call& call;       ///< the call in which the lock was acquired
  Time acquire_time = 0;  ///< time at which it was acquired
  const Call& released;   ///< the call in which the previous owner released it last; its location is that owner
  Time release_time = 0;  ///< time at which it was released

  static auto fields(auto& e, auto&& f) {
    return f(Field{"call", e.call}, Field{"acquire_time", e.acquire_time}, Field{"released", e.released},
             Field{"release_time", e.release_time});
  }
  SourceLocation where() const { return {call.location, call.exit}; }
};

}  // namespace waitstate

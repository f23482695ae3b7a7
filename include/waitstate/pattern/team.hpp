// The compound events of thread teams: what a pattern's callbacks receive.
//
// A team is what a fork starts and a join ends: the master that forked it and the workers, one communicator for all
// teams of the same threads. The n-th part that a thread takes in teams of a communicator belongs to the communicator's
// n-th team. What a worker does there is called from where the master has forked: call paths say so.
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
/// barriers of a team; barriers that a thread never came to are not delivered.
struct TeamBarrier {
  RegionClass region_class{};            ///< omp_ebarrier or omp_ibarrier
  std::span<const Call* const> members;  ///< the barrier as each thread called it, by location
  /// When each of them executed explicit tasks inside the barrier, in order; empty if none of them did.
  std::span<const std::span<const TimeSpan>> tasks{};
  CommId team{};  ///< communicator of the team; none if it is known by a number only (OMPT)

  /// When the `member`-th thread executed tasks, in order.
  std::span<const TimeSpan> tasks_of(std::size_t member) const {
    return member < tasks.size() ? tasks[member] : std::span<const TimeSpan>{};
  }
  /// How long it did in [from, to).
  Ticks in_tasks(std::size_t member, Time from, Time to) const {
    Ticks sum = 0;
    for (const TimeSpan& t : tasks_of(member)) {
      const Time a = t.begin > from ? t.begin : from, b = t.end < to ? t.end : to;
      if (b > a) sum += static_cast<Ticks>(b - a);
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
  struct Part {
    Time begin = 0, end = 0;
    bool created = false;  ///< the lack of tasks ended with a creation; else with the end of the last running task
    LocationId culprit;    ///< who created that task, or ended it
    CallPathId culprit_callpath;  ///< where
    Time culprit_time = 0;        ///< when: after `end` if the thread went on with a task before; 0: nobody is known
    Time idle_since = 0;          ///< when the thread entered the call or left the last task there: not after begin

    static auto fields(auto& e, auto&& f) {
      return f(Field{"begin", e.begin}, Field{"end", e.end}, Field{"created", e.created}, Field{"culprit", e.culprit},
               Field{"culprit_callpath", e.culprit_callpath}, Field{"culprit_time", e.culprit_time},
               Field{"idle_since", e.idle_since});
    }
  };
  const Call& call;
  std::span<const Part> parts;  ///< in order

  static auto fields(auto& e, auto&& f) { return f(Field{"call", e.call}, Field{"parts", e.parts}); }
  SourceLocation where() const { return {call.location, call.exit}; }
};

/// An interval of time in which threads of a process had no part in what its first thread did. Outside of parallel
/// regions - before its first fork, from a join to the next fork, after the last join - all others have none; in an
/// outermost parallel region those have none that are neither in its team nor in one nested in it. Processes without
/// forks have no such intervals.
struct UnusedThreads {
  LocationId master;
  Time begin = 0, end = 0;
  CallPathId callpath;    ///< where the master was longest without a break; in a parallel region: that region
  bool parallel = false;  ///< from fork to join of a parallel region that somebody has no part in
  std::span<const LocationId> team{};  ///< parallel: who took part, also in nested teams; in no particular order

  static auto fields(auto& e, auto&& f) {
    return f(Field{"master", e.master}, Field{"begin", e.begin}, Field{"end", e.end}, Field{"callpath", e.callpath},
             Field{"parallel", e.parallel}, Field{"team", e.team});
  }
  SourceLocation where() const { return {master, begin}; }
  /// Few, whatever their number: threads of one process are always told apart.
  std::size_t operation_size() const { return 1; }
};

/// A lock that a thread acquired, with who had it before. Owners are in the order of the recorded acquisition counter;
/// a thread that acquires what it had last itself is left out.
struct LockAcquired {
  const Call& call;       ///< in which the lock was acquired
  Time acquire_time = 0;  ///< when it was
  const Call& released;   ///< in which the previous owner released it last: its location is that owner
  Time release_time = 0;  ///< when it did

  static auto fields(auto& e, auto&& f) {
    return f(Field{"call", e.call}, Field{"acquire_time", e.acquire_time}, Field{"released", e.released},
             Field{"release_time", e.release_time});
  }
  SourceLocation where() const { return {call.location, call.exit}; }
};

}  // namespace waitstate

// Causes that the engine finds for patterns that ask for them: which activities decided how long the program ran, which
// delays made other processes wait and what that cost, and who would wait on a machine without transfer times.
//
// A pattern says so in Pattern::wanted_causes(). While the trace is read, the engine then notes where locations met and
// how they spent the time in between; in its wrapup the pattern asks Context::causes(). The critical path and the
// replay are computed once for all patterns, and each_delay() judges all waits each time. Definitions:
// patterns/README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// The causes that a pattern asks for. The engine looks for all that any pattern of the run asks for.
struct WantedCauses {
  bool waits = false;        ///< the critical path, chains of waits, and the costs of delays
  bool all_waits = false;    ///< beside those that Scalasca follows: non-blocking, v, w and neighbourhood collectives,
                             ///< prefix reductions, late roots and members, collectives on inter-communicators, the
                             ///< creation of communicators, probes and polls, one-sided communication, SHMEM, locks,
                             ///< tasks, kernels
  bool plain = false;        ///< plain rules in place of those that only Scalasca has
  bool ideal_waits = false;  ///< the waits on an ideal machine: 48 bytes are kept for each end of a message and
                             ///< each part in an operation

  WantedCauses& operator|=(const WantedCauses& o) {
    waits |= o.waits, all_waits |= o.all_waits, plain |= o.plain, ideal_waits |= o.ideal_waits;
    return *this;
  }
};

/// The waits that a delay costs, by kind.
enum class DelayType : std::uint8_t {
  late_sender,
  late_receiver,
  barrier,
  n_to_n,
  one_to_n,
  n_to_one,
  team_barrier,
  idle,  ///< idle time of worker threads outside of parallel regions
  rma,
  shmem,
  lock,
  task,
  device,
  scan,
  creation,  ///< the creation of communicators
};
inline constexpr std::size_t delay_type_count = 15;

/// A value in ticks, at least 1, of a location in a call path.
struct PathCost {
  enum class Kind : std::uint8_t {
    on_path,          ///< time on the critical path
    activity,         ///< time in activities that lie on the path somewhere, at most as long as there
    beside,           ///< time in activities beyond the time that the path has of them
    imbalance,        ///< time lost because activities of the path are not balanced, charged where the path passes
    inter_partition,  ///< the part of it that is lost because some locations lack an activity at all
    intra_partition,  ///< the rest of it
    above_mean,       ///< time on the path beyond the mean of all locations
  };
  Kind kind{};
  CallPathId callpath;
  LocationId location;
  Ticks ticks = 0;
};

/// A cost of delays, or a part of waits, in ticks, at least 1.
struct DelayCost {
  enum class Kind : std::uint8_t {
    short_term,   ///< cost of a delay that others waited for
    long_term,    ///< cost of a delay whose waits were handed on to others
    indirect,     ///< the part of a message's wait for a process that waited itself
    direct,       ///< the rest of it
    propagating,  ///< the part of it that was handed on
    terminal,     ///< the rest of it
  };
  Kind kind{};
  DelayType type{};
  CallPathId callpath;  ///< where the delay, or the wait, was
  LocationId location;
  Ticks ticks = 0;
};

/// Where the critical path is not followed further back, since the trace lacks what a call on it depended on.
struct PathBreak {
  RegionId region;  ///< the region of the call; may be none
  LocationId location;
  std::string lacks;  ///< in words, as "the other half of a message"
};

/// Parts that the replay on an ideal machine lacked, and went on without.
struct IdealLosses {
  std::int64_t outside_of_calls = 0;    ///< waits of records outside of every call, which no call path has
  std::int64_t parts = 0;               ///< parts of collective operations whose others are not in the trace
  std::int64_t in_circles = 0;          ///< steps that need each other, so that none of them can be the first
  std::int64_t without_request = 0;     ///< non-blocking operations without a start
  std::int64_t without_neighbours = 0;  ///< parts of operations among neighbours that are not known
  bool has_windows = false;             ///< the program has windows of MPI; if not, all that follows is 0
  std::int64_t without_function = 0;    ///< records of epochs that do not tell what opens or ends there
  std::int64_t epochs = 0;              ///< epochs and locks whose others are not in the trace
  std::int64_t forgotten = 0;           ///< waits for a lock that was released too long before
};

class Causes {
 public:
  virtual ~Causes() = default;

  /// The wishes of all patterns of the run.
  virtual const WantedCauses& wanted() const = 0;

  // With WantedCauses::waits:
  /// The reason why the critical path and delays cannot be known, in words; then the visits below have nothing to tell.
  /// None if they can.
  virtual std::optional<std::string> left_out() const = 0;
  /// There are thread teams within teams: waits at their barriers count as work.
  virtual bool has_inner_barriers() const = 0;
  /// None if the path is whole. If it is not, each_path_cost() has only costs of the kind on_path.
  virtual std::optional<PathBreak> path_break() const = 0;
  /// Without WantedCauses::all_waits: the call path in which the longest of the waits lies that the critical path
  /// passes without following them; none if there is no such wait.
  virtual CallPathId unfollowed_on_path() const = 0;
  /// Without WantedCauses::all_waits: the call path of the longest of the waits of that type that are not followed;
  /// none if there are none.
  virtual CallPathId unfollowed(DelayType type) const = 0;
  virtual void each_path_cost(const std::function<void(const PathCost&)>& visit) const = 0;
  /// Judges all waits of the trace, in so many parts of the locations at once, each on a thread of its own; 0: as many
  /// as the analysis has threads, if that is worth it. The result does not depend on it. In no particular order.
  virtual void each_delay(std::size_t parts, const std::function<void(const DelayCost&)>& visit) const = 0;

  // With WantedCauses::ideal_waits:
  virtual void each_ideal_wait(const std::function<void(CallPathId, LocationId, Ticks)>& visit) const = 0;
  virtual IdealLosses ideal_losses() const = 0;
};

}  // namespace waitstate

// Why a process came late, as the pattern critical_path finds it: chains of waits from a severe wait back to the
// activity that began it, and the critical path as a list of segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate {

// X(name): the kinds of Crossing, with who waits for whom.
// clang-format off
#define WAITSTATE_CROSSINGS(X)                                                                          \
  X(none)             /* no wait: begin or end of a path, or of its known part */                       \
  X(late_sender)      /* a receive for its send */                                                      \
  X(late_receiver)    /* a send for its receive */                                                      \
  X(barrier)          /* members for the last one */                                                    \
  X(n_to_n)           /* members of an operation in which all receive from all, for the last one */     \
  X(one_to_n)         /* a member for the root */                                                       \
  X(n_to_one)         /* the root for the last member */                                                \
  X(finalize)         /* MPI_Finalize, for the last process that enters it */                           \
  X(fork)             /* a thread of a team for its first one */                                        \
  X(team_barrier)     /* threads of a team for the last one */                                          \
  /* with the parameter all_waits of critical_path only: */                                             \
  X(window)           /* members of a window, at a fence, or where it is created or freed, for the last one */ \
  X(epoch)            /* MPI_Win_start (or complete, or an operation) for a post, MPI_Win_wait for a complete */ \
  X(passive_target)   /* a one-sided call for a lock of another process, or for its target to call MPI */ \
  X(shmem_collective) /* members of an operation of SHMEM for the last one, or for the root */          \
  X(shmem_pair)       /* a SHMEM call for the lock of another process, or for a value that it writes */ \
  X(lock)             /* a thread for another one to release a lock */                                  \
  X(task)             /* a thread for the creation or the end of a task */                                \
  X(device)           /* a host thread for a kernel */                                                  \
  X(launch)           /* a kernel for the call that launches it; only on a critical path */             \
  X(scan)             /* a member of a prefix reduction for one of lower rank */                         \
  X(late_root)        /* a member of an operation for its root, which receives */                        \
  X(late_members)     /* the root of an operation for a member, which receives */                        \
  X(creation)         /* a member for the last one, where a communicator is created */
// clang-format on

/// The way from a location that waited to the one that it waited for.
enum class Crossing : std::uint8_t {
#define X(name) name,
  WAITSTATE_CROSSINGS(X)
#undef X
};
namespace detail {
template <>
struct EnumNames<Crossing> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {
#define X(name) #name,
      WAITSTATE_CROSSINGS(X)
#undef X
  };
};
}  // namespace detail

/// A wait of a chain.
struct ChainStep {
  LocationId location;  ///< the location that waited
  CallPathId callpath;  ///< its waiting call
  Time enter = 0;       ///< when it entered that call, in ticks
  Ticks ticks = 0;      ///< how long it waited
  Crossing crossing = Crossing::none;
  LocationId culprit;  ///< the location that it waited for; none if the trace has nobody
  double share = 1;    ///< the share of the first wait that this wait is the reason for, 0 to 1
  friend bool operator==(const ChainStep&, const ChainStep&) = default;
};

/// Work that caused a part of a wait: what a location on the way did longer than the one that waited for it.
struct ChainCause {
  LocationId location;
  CallPathId callpath;
  Ticks ticks = 0;   ///< how much longer it was there
  double share = 0;  ///< the share of the first wait that this is the reason for, 0 to 1
  friend bool operator==(const ChainCause&, const ChainCause&) = default;
};

/// A wait, what its culprit waited for itself, and so on to somebody who was late for another reason than a wait. Each
/// step follows the largest reason; `causes` lists all that matter.
struct WaitChain {
  /// Why the chain ends where it ends.
  enum class End : std::uint8_t {
    work,            ///< the last culprit was busy in `root`
    unexplained,     ///< it was in a call that waits for others, and has no wait known to the patterns
    missing_record,  ///< it was in a call of which the trace lacks a message's other half
    missing_member,  ///< it was in an operation, or a barrier of threads, of which the trace lacks a member
    no_culprit,      ///< nobody is known whom the last step waited for
    nothing,         ///< it was late, but did nothing longer than the one who waited for it
    circle,          ///< locations wait for each other in a circle: their clocks disagree
    left_out,        ///< there are more than max_steps
    missing_start,   ///< it was in a call that completes what the trace has no start of
    missing_part,    ///< it was in a call of an epoch, or for a lock, of which the trace lacks a part
    no_record,       ///< it was in a call of which the trace has no record
    not_followed,    ///< it was in a call whose waits are followed only with the parameter all_waits of critical_path
  };
  std::vector<ChainStep> steps{};  ///< the wait itself first
  End end = End::work;
  CallPathId root;  ///< where the last culprit was late; none if the end says that it is not known
  Ticks root_ticks =
      0;  ///< how much longer it was there than the location that waited for it, since the two had met before
  double root_share = 0;    ///< the share of the first wait that this is the reason for, 0 to 1
  double waited_share = 0;  ///< the share whose reason are waits of the last culprit itself, which are not followed
  /// All work that is the reason for at least least_share of the first wait, whether the chain leads there or passes
  /// it; the largest share first, then by location and call path.
  std::vector<ChainCause> causes{};
  static constexpr std::size_t max_steps = 32;
  static constexpr double least_share = 0.1;
  friend bool operator==(const WaitChain&, const WaitChain&) = default;
};
namespace detail {
template <>
struct EnumNames<WaitChain::End> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"work",          "unexplained",  "missing_record", "missing_member",
                                               "no_culprit",    "nothing",      "circle",         "left_out",
                                               "missing_start", "missing_part", "no_record",      "not_followed"};
};
}  // namespace detail

/// A stretch of the critical path on one location. Times are in ticks.
struct CriticalSegment {
  LocationId location;
  Time from = 0, to = 0;     ///< from the end of its wait to the enter of the call that lets the next location go on
  Ticks ticks = 0;           ///< the part of that time that counts as critical_path
  CallPathId callpath;       ///< the call path where most of it was spent
  Ticks callpath_ticks = 0;  ///< the time in that call path
  Crossing crossing = Crossing::none;  ///< the way on which the path came here; none for the first segment
  CallPathId waited_in;                ///< the call at whose end it came; none for the first segment
  friend bool operator==(const CriticalSegment&, const CriticalSegment&) = default;
};

struct CriticalPath {
  std::vector<CriticalSegment> segments{};  ///< in the order of time; the longest max_segments, if there are more
  std::uint64_t left_out = 0;               ///< the number of segments that are left out
  Ticks ticks = 0, ticks_left_out = 0;      ///< time in all segments, and in segments that are left out
  static constexpr std::size_t max_segments = 10'000;
  friend bool operator==(const CriticalPath&, const CriticalPath&) = default;
};

}  // namespace waitstate

// Why somebody came late, as the pattern critical_path finds it: chains of waits from one that was severe back to the
// activity that began it, and the critical path as a list of segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "waitstate/pattern/message.hpp"
#include "waitstate/trace/otf2_enums.hpp"

namespace waitstate {

/// By what one location got on with what another one did.
enum class Crossing : std::uint8_t {
  none,           ///< begin or end of a path, or of what is known of it
  late_sender,    ///< a receive for its send
  late_receiver,  ///< a send for its receive
  barrier,        ///< members for the last one
  n_to_n,         ///< the same of operations in which all receive from all
  one_to_n,       ///< a member for the root
  n_to_one,       ///< the root for the last member
  finalize,       ///< MPI_Finalize, for the last process that enters it
  fork,           ///< a thread of a team for its first one
  team_barrier,   ///< threads of a team for the last one
  // With the parameter all_waits of critical_path:
  window,          ///< members of a window, at a fence, where it is created or freed, for the last one
  epoch,           ///< one-sided: MPI_Win_start (or complete, or an operation) for a post, MPI_Win_wait for a complete
  passive_target,  ///< one-sided: a call for a lock that another one has, or for its target to call MPI
  shmem_collective,  ///< of SHMEM: members for the last one, or for the root
  shmem_pair,        ///< of SHMEM: one for another one's lock, or for what it writes
  lock,              ///< a thread for another one to release a lock
  task,              ///< a thread for a task to be created, or to end
  device,            ///< a host thread for a kernel
  launch,            ///< a kernel for the call that launches it; only on a critical path
  scan,              ///< a member of a prefix reduction for one of lower rank
};
namespace detail {
template <>
struct EnumNames<Crossing> {
  static constexpr unsigned first = 0;
  static constexpr std::string_view names[] = {"none",           "late_sender",      "late_receiver", "barrier",
                                               "n_to_n",         "one_to_n",         "n_to_one",      "finalize",
                                               "fork",           "team_barrier",     "window",        "epoch",
                                               "passive_target", "shmem_collective", "shmem_pair",    "lock",
                                               "task",           "device",           "launch",        "scan"};
};
}  // namespace detail

/// A wait of a chain.
struct ChainStep {
  LocationId location;  ///< that waited
  CallPathId callpath;  ///< of the waiting call
  Time enter = 0;       ///< of that call, in ticks
  Ticks ticks = 0;      ///< that it waited
  Crossing crossing = Crossing::none;
  LocationId culprit;  ///< whom it waited for; none if the trace has nobody
  double share = 1;    ///< of the first wait that this one is the reason of, 0 to 1
  friend bool operator==(const ChainStep&, const ChainStep&) = default;
};

/// A wait, what its culprit waited for itself, and so on to somebody who was late for another reason than a wait.
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
  CallPathId root;          ///< where the last culprit was late; none where the end says that it is not known
  Ticks root_ticks = 0;     ///< that it was there longer than who waited for it, since the two had met before
  double root_share = 0;    ///< of the first wait that this is the reason of, 0 to 1
  double waited_share = 0;  ///< the same of the waits that the last culprit had itself, and that are not followed
  static constexpr std::size_t max_steps = 32;
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

/// What one location did without a break on the critical path. Times are in ticks.
struct CriticalSegment {
  LocationId location;
  Time from = 0, to = 0;     ///< from the end of its wait to the enter of the call with which the next one gets on
  Ticks ticks = 0;           ///< of that, what counts as critical_path
  CallPathId callpath;       ///< where most of it was
  Ticks callpath_ticks = 0;  ///< that much
  Crossing crossing = Crossing::none;  ///< by which the path came here; none of the first
  CallPathId waited_in;                ///< the call at whose end it came; none of the first
  friend bool operator==(const CriticalSegment&, const CriticalSegment&) = default;
};

struct CriticalPath {
  std::vector<CriticalSegment> segments{};  ///< in the order of time; the longest max_segments, if there are more
  std::uint64_t left_out = 0;               ///< how many more there are
  Ticks ticks = 0, ticks_left_out = 0;      ///< of all segments, of those that are left out
  static constexpr std::size_t max_segments = 10'000;
  friend bool operator==(const CriticalPath&, const CriticalPath&) = default;
};

/// Finds the chains of waits, while the pattern that publishes it is in its wrapup: the engine asks it for those of the
/// most severe instances.
class ChainFinder {
 public:
  virtual ~ChainFinder() = default;
  /// One a wait, without steps where the wait is not known.
  virtual std::vector<WaitChain> chains(const std::vector<Wait>& waits) const = 0;
};

/// Published in wrapup: becomes AnalysisResult::critical_path and SevereInstance::chain.
struct PathFound {
  const CriticalPath& path;
  const ChainFinder& chains;
};

}  // namespace waitstate

// Calls of a worker's processes that need several targets, whose homes are several workers. The first worker says which
// release such a call waited for, as it knows all of them; then the home of each target is asked when that was outside
// of MPI, from the release on; with the last answer the call is delivered here, in the order of exits among these.
//
// Until then the homes of the targets must not forget their MPI calls: the worker's promise says what it may still ask.
//
// Memory: these calls, and the times that have been told. Cost: a question and an answer for each target.
#pragma once

#include <deque>
#include <set>
#include <span>
#include <vector>

#include "link/calls.hpp"
#include "link/listener.hpp"
#include "link/rma/joined_gaps.hpp"
#include "util/pool.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class AskingCalls {
 public:
  AskingCalls(const Definitions& definitions, Calls& calls, Listener& listener)
      : definitions_(definitions), calls_(calls), listener_(listener) {}

  /// A call that needs the progress of these targets, at least one; returns its number.
  std::uint32_t add(CallRef call, RmaWinId win, std::span<const ProcessId> targets);
  /// The release that it waited for, `released`: none if there is none. Its targets are to be asked then.
  void found(std::uint32_t asking, CallRef released, Time release_time, bool all_known);
  const std::vector<ProcessId>& targets(std::uint32_t asking) const { return asking_[asking].targets; }
  /// The time in which it needed its targets.
  Time from(std::uint32_t asking) const;
  Time exit(std::uint32_t asking) const { return calls_[asking_[asking].call].call.exit; }
  /// A target was outside of MPI until it entered `next`.
  void gap(std::uint32_t asking, Time begin, Time end, const Call& next);
  /// All such times of one of its targets have been told.
  void answered(std::uint32_t asking);

  /// No call that still asks was entered before, or left; ~0 if there is none.
  Time least_enter() const { return enters_.empty() ? ~Time{0} : *enters_.begin(); }
  Time least_exit() const { return exits_.empty() ? ~Time{0} : *exits_.begin(); }

 private:
  void deliver(std::uint32_t asking);

  struct Asking {
    CallRef call = CallState::none, released = CallState::none;  ///< held
    Time release_time = 0;
    RmaWinId win;
    bool all_known = true;
    std::vector<ProcessId> targets;
    std::size_t answers_left = 0;
    std::deque<Call> next;  ///< calls that `gaps` refers to
    std::vector<ProgressGap> gaps;
  };

  const Definitions& definitions_;
  Calls& calls_;
  Listener& listener_;
  util::Pool<Asking> asking_;
  std::deque<std::uint32_t> in_order_;  ///< calls whose release has been found
  std::multiset<Time> enters_, exits_;
  JoinedGaps joined_;
};

}  // namespace waitstate::link

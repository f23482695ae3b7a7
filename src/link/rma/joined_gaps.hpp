// The times in which targets of a call were outside of MPI, joined: of several targets the one whose time begins first
// counts.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "waitstate/pattern/rma.hpp"

namespace waitstate::link {

/// As RmaProgressGap, of one target.
struct ProgressGap {
  Time begin = 0, end = 0;
  const Call* next = nullptr;
};

class JoinedGaps {
 public:
  /// Joins the gaps of a call that needed its targets from `from` until `exit`: ascending, without overlaps. Sorts
  /// `gaps`, whose calls the result refers to; it is valid until the next one.
  std::span<const RmaProgressGap> join(std::vector<ProgressGap>& gaps, Time from, Time exit);

 private:
  std::vector<RmaProgressGap> joined_;
  std::deque<Call> left_later_;  ///< calls that joined_ refers to and that ended after the call did
};

}  // namespace waitstate::link

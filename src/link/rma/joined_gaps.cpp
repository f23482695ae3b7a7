#include "link/rma/joined_gaps.hpp"

#include <algorithm>

namespace waitstate::link {

std::span<const RmaProgressGap> JoinedGaps::join(std::vector<ProgressGap>& gaps, Time from, Time exit) {
  std::sort(gaps.begin(), gaps.end(), [](const ProgressGap& a, const ProgressGap& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    return a.end != b.end ? a.end < b.end : a.next->location < b.next->location;
  });
  joined_.clear();
  left_later_.clear();
  Time covered = from;
  for (const ProgressGap& g : gaps) {
    if (g.end <= covered) continue;
    const Call* next = g.next;
    if (next->exit > exit) {  // whether that is known depends on how far the target has been read
      next = &left_later_.emplace_back(*next);
      left_later_.back().exit = ~Time{0};
    }
    joined_.push_back({std::max(covered, g.begin), g.end, *next});
    covered = g.end;
  }
  return joined_;
}

}  // namespace waitstate::link

// Who synchronises with whom in an all-to-all operation (N x N): all members with all others if they were in it at the
// same time; otherwise receiving members with the last sending one. Source: Scalasca 2.6.
#pragma once

#include "latest.hpp"

namespace waitstate::patterns {

class Nxn {
 public:
  explicit Nxn(const Collective& c)
      : c_(c),
        moved_(payload_moved(c)),
        all_(all_overlap(c)),
        latest_(c, [&](const CollectiveMember& m) { return all_ || sends(m); }) {}

  /// False if no data moved: then nothing is computed.
  bool payload_moved() const { return moved_; }
  /// True if all members were in the operation at the same time: the first end lies behind the last begin.
  bool all_overlap() const { return all_; }
  /// The member that i waits for, Latest::nobody if it waits for none.
  std::uint32_t awaited_by(std::uint32_t i) const {
    if (!all_ && !receives(c_.members[i])) return Latest::nobody;
    if (c_.neighbourhood) return latest_neighbour(i);
    return latest_.seen_by(i);
  }

 private:
  static bool payload_moved(const Collective& c) {
    for (const CollectiveMember& m : c.members)
      if (sends(m) || receives(m)) return true;
    return false;
  }
  static bool all_overlap(const Collective& c) {
    if (c.inter() || c.neighbourhood) return false;
    Time first_end = ~Time{0}, last_begin = 0;
    for (const CollectiveMember& m : c.members) {
      if (m.end < first_end) first_end = m.end;
      if (m.begin > last_begin) last_begin = m.begin;
    }
    return first_end > last_begin;
  }
  std::uint32_t latest_neighbour(std::uint32_t i) const {
    std::uint32_t latest = Latest::nobody;
    for (std::uint32_t e = c_.neighbour_begin[i]; e < c_.neighbour_begin[i + 1]; ++e) {
      const std::uint32_t n = c_.neighbours[e];
      if (sends(c_.members[n]) && (latest == Latest::nobody || c_.members[n].begin > c_.members[latest].begin))
        latest = n;
    }
    return latest;
  }

  const Collective& c_;
  const bool moved_, all_;
  const Latest latest_;
};

}  // namespace waitstate::patterns

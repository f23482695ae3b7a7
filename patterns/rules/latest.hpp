// Finds the member that came last to a collective operation, and how long a member waited for another one: the basis of
// most collective wait states.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "waitstate/pattern/collective.hpp"

namespace waitstate::patterns {

/// The member that began last among the chosen ones, as each member sees it: for an inter-communicator, in the other
/// group.
class Latest {
 public:
  static constexpr std::uint32_t nobody = 0xffffffffu;

  /// `chosen(member)` says whether a member counts. Of several that began at the same time, the one of lowest rank is
  /// taken.
  template <class Chosen>
  Latest(const Collective& c, Chosen&& chosen) : group_a_(c.group_a) {
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      std::uint32_t& latest = by_group_[i < group_a_ ? 1 : 0];
      if (chosen(c.members[i]) && (latest == nobody || c.members[i].begin > c.members[latest].begin)) latest = i;
    }
  }
  /// Index of the last member that `member` sees, nobody if there is none.
  std::uint32_t seen_by(std::uint32_t member) const { return by_group_[group_a_ != 0 && member >= group_a_ ? 1 : 0]; }

 private:
  std::uint32_t group_a_;
  std::array<std::uint32_t, 2> by_group_{nobody, nobody};  ///< the last member of group B (or of the only group), and
                                                           ///< of group A
};

inline bool sends(const CollectiveMember& m) { return m.bytes_sent > 0; }
inline bool receives(const CollectiveMember& m) { return m.bytes_received > 0; }

/// The wait of member i, from its begin on, for member `culprit` to begin: min(B_culprit, C_i) - B_i.
inline Ticks wait_ticks(const Collective& c, std::uint32_t i, std::uint32_t culprit) {
  const CollectiveMember& m = c.members[i];
  const Time until = c.members[culprit].begin < m.end ? c.members[culprit].begin : m.end;
  return until > m.begin ? static_cast<Ticks>(until - m.begin) : 0;
}

/// C - max(since, min(latest, C)): the time in an operation after it could have been complete; 0 if negative.
inline Ticks completion_ticks(Time end, Time since, Time latest) {
  const Time arrived = latest < end ? latest : end;
  const Time from = since > arrived ? since : arrived;
  return end > from ? static_cast<Ticks>(end - from) : 0;
}

/// True if all members were in the operation at the same time: the first end lies behind the last begin.
inline bool all_overlap(const Collective& c) {
  Time first_end = ~Time{0}, last_begin = 0;
  for (const CollectiveMember& m : c.members) {
    first_end = std::min(first_end, m.end);
    last_begin = std::max(last_begin, m.begin);
  }
  return first_end > last_begin;
}

/// The member whose call was entered last; of several, the one of lowest rank.
inline std::uint32_t last_to_enter(const Collective& c) {
  std::uint32_t last = 0;
  for (std::uint32_t i = 1; i < c.members.size(); ++i)
    if (c.members[i].call->enter > c.members[last].call->enter) last = i;
  return last;
}

}  // namespace waitstate::patterns

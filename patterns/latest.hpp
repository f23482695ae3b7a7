// Finds the member that began last in a collective operation, the basis of most collective wait states.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "waitstate/pattern/collective.hpp"
#include "waitstate/pattern/pattern.hpp"

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

/// A wait at the end of a call that nobody in particular caused.
inline Wait wait_at_end(const Call& call, Time end, Ticks ticks) {
  return {call.location, call.callpath, call.enter, call.exit, end - static_cast<Time>(ticks), ticks, {}, {}};
}

/// Adds to the pattern's first metric the time of each member after the first one has left, or after the last one that
/// it sees has arrived: for an inter-communicator the last one of the other group, or itself.
inline void add_completions(const Collective& c, Context& context) {
  const Latest latest(c, [](const CollectiveMember&) { return true; });
  Time first_end = ~Time{0};
  for (const CollectiveMember& m : c.members) first_end = std::min(first_end, m.end);
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& m = c.members[i];
    const Time last_begin = std::max(m.begin, c.members[latest.seen_by(i)].begin);
    if (const Ticks t = completion_ticks(m.end, first_end, last_begin); t > 0)
      context.add_wait(wait_at_end(*m.call, m.end, t));
  }
}

}  // namespace waitstate::patterns

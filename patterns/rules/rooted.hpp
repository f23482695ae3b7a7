// Who waits for whom in operations with a root, against the direction of the data: senders for a root that is late, and
// the root for a receiver that is late.
#pragma once

#include <cstdint>

#include "latest.hpp"

namespace waitstate::patterns {

/// visit(member, ticks) of the senders of an operation in which the root receives, if they began before the root and
/// left after it had begun: a sender that left earlier did not wait, as its data was buffered.
template <class Visit>
void each_wait_for_root(const Collective& c, Visit&& visit) {
  if (c.kind != CollectiveKind::all_to_one || c.root == Collective::no_root) return;
  const Time begin = c.members[c.root].begin;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& m = c.members[i];
    if (i != c.root && sends(m) && c.reaches(i, c.root) && m.begin < begin && m.end > begin)
      visit(i, static_cast<Ticks>(begin - m.begin));
  }
}

/// The last receiver of an operation in which the root sends that began while the root was in it; Latest::nobody if
/// there is none. The root waits for it from its own begin on.
inline std::uint32_t awaited_by_root(const Collective& c) {
  std::uint32_t last = Latest::nobody;
  if (c.kind != CollectiveKind::one_to_all || c.root == Collective::no_root) return last;
  const CollectiveMember& root = c.members[c.root];
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& m = c.members[i];
    if (i != c.root && receives(m) && c.reaches(c.root, i) && m.begin > root.begin && m.begin < root.end &&
        (last == Latest::nobody || m.begin > c.members[last].begin))
      last = i;
  }
  return last;
}

}  // namespace waitstate::patterns

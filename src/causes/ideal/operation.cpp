#include "causes/ideal/operation.hpp"

namespace waitstate::causes {

void IdealOperation::tell_neighbours(std::span<const IdealMember> all) {
  needing_begin.assign(all.size() + 2, 0);
  for (const IdealMember& m : all)
    for (const std::uint32_t n : m.neighbours) ++needing_begin[n + 2];
  for (std::size_t i = 2; i < needing_begin.size(); ++i) needing_begin[i] += needing_begin[i - 1];
  needing.resize(needing_begin.back());
  for (std::uint32_t i = 0; i < all.size(); ++i)
    for (const std::uint32_t n : all[i].neighbours) needing[needing_begin[n + 1]++] = i;
  needing_begin.pop_back();
}

bool IdealOperation::needs(std::uint32_t i, std::uint32_t j) const {
  const IdealMemberState &to = members[i], &from = members[j];
  const std::uint32_t group_a = needs_of.group_a;
  if (i == j || from.begin > to.end || (group_a != 0 && (i < group_a) == (j < group_a))) return false;
  switch (needs_of.kind) {
    case CollectiveKind::all_to_all:
      return from.sends && to.receives;
    case CollectiveKind::one_to_all:
      return j == needs_of.root && to.receives;
    case CollectiveKind::all_to_one:
      return i == needs_of.root && from.sends;
    case CollectiveKind::scan:
      return j < i && from.sends;
    case CollectiveKind::init:
    case CollectiveKind::finalize:
    case CollectiveKind::barrier:
    case CollectiveKind::other:
      break;
  }
  return true;
}

}  // namespace waitstate::causes

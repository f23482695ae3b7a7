#include "causes/ideal/meetings.hpp"

#include <algorithm>

namespace waitstate::causes {

namespace {

/// All need all, and all of them began before the first one ended.
bool is_of_everybody(const IdealNeeds& needs, std::span<const IdealMember> members) {
  if (needs.group_a != 0 || needs.neighbourhood || needs.nobody) return false;
  Time first_end = ~Time{0}, last_begin = 0;
  bool all_move = true;
  for (const IdealMember& m : members) {
    first_end = std::min(first_end, m.end), last_begin = std::max(last_begin, m.begin);
    all_move = all_move && m.sends && m.receives;
  }
  const bool all_kind = needs.kind == CollectiveKind::init || needs.kind == CollectiveKind::finalize ||
                        needs.kind == CollectiveKind::barrier || (needs.kind == CollectiveKind::all_to_all && all_move);
  return all_kind && first_end >= last_begin;
}

}  // namespace

std::uint32_t IdealMeetings::begin(const IdealNeeds& needs, std::span<const IdealMember> members) {
  const std::uint32_t number = take_unused(operations_, free_);
  IdealOperation& o = operations_[number];
  o.needs_of = needs;
  o.everybody = is_of_everybody(needs, members);
  o.to_arrive = static_cast<std::uint32_t>(members.size());
  expected_ += members.size();
  for (std::vector<std::uint32_t>& of_part : members_of_) of_part.clear();
  for (std::uint32_t i = 0; i < members.size(); ++i) members_of_[post_.part_of(members[i].location)].push_back(i);
  if (o.everybody) {
    for (std::uint32_t part = 0; part < members_of_.size(); ++part)
      if (!members_of_[part].empty()) o.parts.push_back(part);
    return number;
  }
  for (const IdealMember& m : members) o.members.push_back({m.begin, m.end, m.sends, m.receives});
  for (std::uint32_t part = 0; part < members_of_.size(); ++part)
    for (std::uint32_t place = 0; place < members_of_[part].size(); ++place) {
      IdealMemberState& m = o.members[members_of_[part][place]];
      m.part = part, m.place = place;
    }
  if (needs.neighbourhood && !needs.nobody) o.tell_neighbours(members);
  for (std::uint32_t i = 0; i < o.members.size(); ++i)
    o.for_each_needing(i, [&](IdealMemberState& needing) { ++needing.missing; });
  needs_nobody_.clear();
  for (const IdealMemberState& m : o.members) needs_nobody_.push_back(m.missing == 0);
  return number;
}

void IdealMeetings::end(std::uint32_t number) {
  operations_[number] = {};
  free_.push_back(number);
}

}  // namespace waitstate::causes

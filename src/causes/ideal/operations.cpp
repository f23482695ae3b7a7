#include "causes/ideal/operations.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::causes {

std::uint32_t IdealOperations::recorded(const PartKey& key, CallPathId callpath) {
  std::uint32_t p = announced(key, callpath);
  if (p == nothing)
    p = add(key, callpath, take_unused(parts_, free_parts_));
  else
    --announced_ahead_;
  parts_[p].recorded = true;
  return p;
}

std::uint32_t IdealOperations::begun_or_ended(const PartKey& key) {
  const auto [found, is_first] = halves_.try_emplace(key, nothing);
  if (!is_first) {
    const std::uint32_t p = found->second;
    halves_.erase(found);
    return p;
  }
  const std::uint32_t p = recorded(key, CallPathId::none());
  parts_[p].issue_pending = true;
  return found->second = p;
}

void IdealOperations::announce(const IdealNeeds& needs, std::span<const IdealMember> members) {
  const std::uint32_t number = take_unused(operations_, free_operations_);
  IdealOperation& o = operations_[number];
  o.needs_of = needs;
  Time first_end = ~Time{0}, last_begin = 0;
  bool all_move = needs.kind == CollectiveKind::all_to_all;
  for (const IdealMember& m : members) {
    o.members.push_back({m.begin, m.end, m.sends, m.receives});
    first_end = std::min(first_end, m.end), last_begin = std::max(last_begin, m.begin);
    all_move = all_move && m.sends && m.receives;
  }
  const bool all_kind = needs.kind == CollectiveKind::init || needs.kind == CollectiveKind::finalize ||
                        needs.kind == CollectiveKind::barrier || all_move;
  o.everybody = needs.group_a == 0 && !needs.neighbourhood && !needs.nobody && all_kind && first_end >= last_begin;
  if (needs.neighbourhood && !needs.nobody) o.tell_neighbours(members);
  if (!o.everybody)
    for (std::uint32_t i = 0; i < o.members.size(); ++i)
      o.for_each_needing(i, [&](IdealMemberState& needing) { ++needing.missing; });
  for (std::uint32_t i = 0; i < o.members.size(); ++i) {
    const PartKey key = needs.is_numbered
                            ? PartKey::numbered(members[i].location, needs.on_what, needs.number, needs.nonblocking)
                            : PartKey{members[i].location, needs.on_what, 0, members[i].end};
    std::uint32_t p = known(key, members[i].callpath);
    if (p == nothing) {
      p = add(key, members[i].callpath, take_unused(parts_, free_parts_));
      ++announced_ahead_;
    }
    o.members[i].part = p;
    parts_[p].operation = number, parts_[p].member = i;
  }
  for (std::uint32_t i = 0; i < o.members.size(); ++i) {
    const MemberPart& p = parts_[o.members[i].part];
    if (p.arrived) arrive(p);
    if (p.arrived) clocks_.wake(p.location);
    if (given_up_parts_.erase(p.given_up) != 0) leave(o.members[i].part);
  }
}

void IdealOperations::issues(LocationId l, std::uint32_t number) {
  MemberPart& p = parts_[number];
  p.issue_pending = false;
  if (p.unused) return free(number);
  if (p.arrived) return;  // its end was given up
  p.arrived = true, p.arrival = clocks_.now(l);
  if (p.operation != nothing) arrive(p);
  if (p.location.valid() && p.location != l) clocks_.wake(p.location);
}

bool IdealOperations::finishes(LocationId l, const IdealStep& step) {
  const MemberPart& p = parts_[step.number];
  if (p.operation == nothing || !p.arrived) return false;
  const IdealOperation& o = operations_[p.operation];
  const IdealMemberState& m = o.members[p.member];
  if (o.everybody ? o.arrived < o.members.size() : m.missing > 0) return false;
  clocks_.wait(l, o.everybody ? o.last : m.ready, step.callpath);
  if (o.needs_of.neighbourhood && o.needs_of.nobody) clocks_.lose(l);  // its needs are not known
  leave(step.number);
  return true;
}

bool IdealOperations::takes_part(LocationId l, const IdealStep& step) {
  MemberPart& p = parts_[step.number];
  if (!p.arrived) {
    p.arrived = true, p.arrival = clocks_.now(l);
    if (p.operation != nothing) arrive(p);
  }
  return finishes(l, step);
}

void IdealOperations::give_up(const IdealStep& step) {
  MemberPart& p = parts_[step.number];
  if (!p.arrived) {  // a non-blocking one that another thread began, and did not come to
    p.arrived = true, p.arrival = clocks_.now(p.location);
    if (p.operation != nothing) arrive(p);
  }
  if (p.operation == nothing)
    give_up_part(step.number);
  else
    leave(step.number);
}

std::uint32_t IdealOperations::take(const PartKey& key, CallPathId callpath, bool is_recorded) {
  const auto found = unmatched_.find(key);
  if (found == unmatched_.end() || parts_[found->second.first].recorded != is_recorded) return nothing;
  std::uint32_t looked_at = 0;  // a few are enough, and damaged traces may have many
  for (std::uint32_t before = nothing, p = found->second.first; p != nothing && looked_at < 16; ++looked_at) {
    if (parts_[p].callpath == callpath) return take_out(found, before, p);
    before = std::exchange(p, parts_[p].next);
  }
  return take_out(found, nothing, found->second.first);
}

std::uint32_t IdealOperations::take_out(UnmatchedParts::iterator found, std::uint32_t before, std::uint32_t p) {
  Unmatched& parts = found->second;
  (before == nothing ? parts.first : parts_[before].next) = parts_[p].next;
  if (parts.last == p) parts.last = before;
  if (parts.first == nothing) unmatched_.erase(found);
  return p;
}

std::uint32_t IdealOperations::add(const PartKey& key, CallPathId callpath, std::uint32_t p) {
  MemberPart& part = parts_[p];
  part.callpath = callpath;
  part.location = key.location, part.on_what = key.on_what, part.number = key.number, part.end = key.end;
  Unmatched& unmatched = unmatched_[key];
  (unmatched.first == nothing ? unmatched.first : parts_[unmatched.last].next) = p;
  unmatched.last = p, part.next = nothing;
  return p;
}

void IdealOperations::free(std::uint32_t p) {
  if (parts_[p].issue_pending)
    parts_[p].unused = true;
  else
    free_parts_.push_back(p);
}

void IdealOperations::arrive(const MemberPart& p) {
  IdealOperation& o = operations_[p.operation];
  ++o.arrived;
  o.last.advance(p.arrival);
  if (o.everybody) {
    if (o.arrived == o.members.size())
      for (const IdealMemberState& m : o.members) clocks_.wake(parts_[m.part].location);
    return;
  }
  o.for_each_needing(p.member, [&](IdealMemberState& needing) {
    needing.ready.advance(p.arrival);
    if (--needing.missing == 0) clocks_.wake(parts_[needing.part].location);
  });
}

void IdealOperations::leave(std::uint32_t number) {
  const std::uint32_t operation = parts_[number].operation;
  IdealOperation& o = operations_[operation];
  if (++o.left < o.members.size()) return;
  for (const IdealMemberState& m : o.members) free(m.part);
  o.members.clear();
  free_operations_.push_back(operation);
}

// Its operation may still be told: the last `most_kept` wait for that.
void IdealOperations::give_up_part(std::uint32_t number) {
  parts_[number].given_up = given_up_parts_.empty() ? 1 : given_up_parts_.rbegin()->first + 1;
  given_up_parts_.emplace(parts_[number].given_up, number);
  if (given_up_parts_.size() <= most_kept) return;
  const MemberPart& oldest = parts_[given_up_parts_.begin()->second];
  given_up_parts_.erase(given_up_parts_.begin());
  const auto found = unmatched_.find({oldest.location, oldest.on_what, oldest.number, oldest.end});
  free(take_out(found, nothing, found->second.first));
}
}  // namespace waitstate::causes

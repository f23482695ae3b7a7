#include "causes/ideal/memberships.hpp"

#include <utility>

namespace waitstate::causes {

// ---- records ----

std::uint32_t IdealMemberships::recorded(const Key& key, CallPathId callpath) {
  std::uint32_t m = take_half(key, callpath, false);
  if (m == nothing) m = add(key, callpath);
  memberships_[m].recorded = true;
  return m;
}

std::uint32_t IdealMemberships::begun_or_ended(const Key& key) {
  const auto [found, is_first] = halves_.try_emplace(key, nothing);
  if (!is_first) {
    const std::uint32_t m = found->second;
    halves_.erase(found);
    return m;
  }
  const std::uint32_t m = recorded(key, CallPathId::none());
  memberships_[m].issue_pending = true;
  return found->second = m;
}

void IdealMemberships::issues(LocationId l, std::uint32_t number) {
  Membership& m = memberships_[number];
  m.issue_pending = false;
  if (m.unused) return free(number);
  if (m.arrived) return;  // its end was given up
  m.arrived = true, m.arrival = clocks_.now(l);
  const LocationId ends_at = m.location;
  if (m.group != nothing) arrive(m);
  if (ends_at.valid() && ends_at != l) clocks_.wake(ends_at);
}

// ---- operations ----

void IdealMemberships::take(const IdealInvitation& invitation) {
  std::vector<std::uint32_t>& groups_there = groups_of_[invitation.from];
  if (groups_there.size() <= invitation.operation) groups_there.resize(invitation.operation + 1, nothing);
  invited_ = groups_there[invitation.operation] = take_unused(groups_, free_groups_);
  Group& g = groups_[invited_];
  g.from = invitation.from, g.operation = invitation.operation;
  g.everybody = invitation.everybody, g.needs_are_unknown = invitation.needs_are_unknown;
  g.key = {LocationId::none(), invitation.on_what, 0, 0};
  if (invitation.is_numbered)
    g.key = Key::numbered(LocationId::none(), invitation.on_what, invitation.number, invitation.nonblocking);
  g.is_numbered = invitation.is_numbered;
  g.to_arrive = g.to_leave = invitation.members;
  g.to_be_ready = g.everybody ? 1 : 0;
  g.memberships.reserve(invitation.members);
}

void IdealMemberships::take(const IdealInvited& member) {
  Group& g = groups_[invited_];
  Key key = g.key;
  key.location = member.location;
  if (!g.is_numbered) key.end = member.end;
  std::uint32_t number = take_half(key, member.callpath, true);
  if (number == nothing) number = add(key, member.callpath);
  Membership& m = memberships_[number];
  m.group = invited_, m.member = member.member, m.is_ready = member.needs_nobody;
  if (!g.everybody && !m.is_ready) ++g.to_be_ready;
  g.memberships.push_back(number);
  if (g.memberships.size() < g.to_leave) return;
  for (std::size_t i = 0; i < groups_[invited_].memberships.size(); ++i) {
    const Membership& of = memberships_[groups_[invited_].memberships[i]];
    if (!of.arrived) continue;
    const LocationId l = of.location;
    arrive(of);
    clocks_.wake(l);
  }
}

void IdealMemberships::take(const IdealReadiness& readiness) {
  const std::uint32_t group = groups_of_[readiness.from][readiness.operation];
  Group& g = groups_[group];
  --g.to_be_ready;
  if (g.everybody) {
    g.last = readiness.at;
    for (const std::uint32_t m : g.memberships) clocks_.wake(memberships_[m].location);
  } else {
    Membership& m = memberships_[g.memberships[readiness.place]];
    m.is_ready = true, m.ready = readiness.at;
    clocks_.wake(m.location);
  }
  free_if_left(group);
}

// ---- steps ----

bool IdealMemberships::finishes(LocationId l, const IdealStep& step) {
  const Membership& m = memberships_[step.number];
  if (m.group == nothing || !m.arrived) return false;
  const Group& g = groups_[m.group];
  if (g.everybody ? g.to_be_ready > 0 : !m.is_ready) return false;
  clocks_.wait(l, g.everybody ? g.last : m.ready, step.callpath);
  if (g.needs_are_unknown) clocks_.lose(l);
  leave(step.number);
  return true;
}

bool IdealMemberships::meets(LocationId l, const IdealStep& step) {
  Membership& m = memberships_[step.number];
  if (!m.arrived) {
    m.arrived = true, m.arrival = clocks_.now(l);
    if (m.group != nothing) arrive(m);
  }
  return finishes(l, step);
}

void IdealMemberships::give_up(const IdealStep& step) {
  Membership& m = memberships_[step.number];
  if (!m.arrived) {  // another thread began it, and did not come there
    m.arrived = true, m.arrival = clocks_.now(m.location);
    if (m.group != nothing) arrive(m);
  }
  if (m.group != nothing) return leave(step.number);
  const auto found = unmatched_.find({m.location, m.on_what, m.number, m.end});
  std::uint32_t before = nothing;
  for (std::uint32_t i = found->second.first; i != step.number; i = memberships_[i].next) before = i;
  free(take_out(found, before, step.number));
}

// ---- halves ----

std::uint32_t IdealMemberships::take_half(const Key& key, CallPathId callpath, bool is_recorded) {
  const auto found = unmatched_.find(key);
  if (found == unmatched_.end() || memberships_[found->second.first].recorded != is_recorded) return nothing;
  std::uint32_t looked_at = 0;  // a few are enough, and damaged traces may have many
  for (std::uint32_t before = nothing, m = found->second.first; m != nothing && looked_at < 16; ++looked_at) {
    if (memberships_[m].callpath == callpath) return take_out(found, before, m);
    before = std::exchange(m, memberships_[m].next);
  }
  return take_out(found, nothing, found->second.first);
}

std::uint32_t IdealMemberships::take_out(UnmatchedHalves::iterator found, std::uint32_t before, std::uint32_t number) {
  Unmatched& halves = found->second;
  (before == nothing ? halves.first : memberships_[before].next) = memberships_[number].next;
  if (halves.last == number) halves.last = before;
  if (halves.first == nothing) unmatched_.erase(found);
  return number;
}

std::uint32_t IdealMemberships::add(const Key& key, CallPathId callpath) {
  const std::uint32_t number = take_unused(memberships_, free_);
  Membership& m = memberships_[number];
  m.callpath = callpath;
  m.location = key.location, m.on_what = key.on_what, m.number = key.number, m.end = key.end;
  Unmatched& unmatched = unmatched_[key];
  (unmatched.first == nothing ? unmatched.first : memberships_[unmatched.last].next) = number;
  unmatched.last = number;
  return number;
}

void IdealMemberships::free(std::uint32_t number) {
  if (memberships_[number].issue_pending)
    memberships_[number].unused = true;
  else
    free_.push_back(number);
}

// ---- who is where ----

void IdealMemberships::arrive(const Membership& m) {
  Group& g = groups_[m.group];
  --g.to_arrive;
  if (!g.everybody) return tell(g.from, IdealArrival{.operation = g.operation, .member = m.member, .at = m.arrival});
  g.last.advance(m.arrival);
  if (g.to_arrive == 0)
    tell(g.from,
         IdealArrival{
             .operation = g.operation, .count = static_cast<std::uint32_t>(g.memberships.size()), .at = g.last});
}

void IdealMemberships::leave(std::uint32_t number) {
  const std::uint32_t group = memberships_[number].group;
  --groups_[group].to_leave;
  free_if_left(group);
}

// Not before all are ready: members that were given up are told later.
void IdealMemberships::free_if_left(std::uint32_t group) {
  const Group& g = groups_[group];
  if (g.to_leave > 0 || g.to_be_ready > 0) return;
  for (const std::uint32_t m : g.memberships) free(m);
  free_groups_.push_back(group);
}

}  // namespace waitstate::causes

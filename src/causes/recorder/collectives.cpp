#include "causes/recorder/collectives.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "causes/recorder/pairs.hpp"
#include "patterns/rules/latest.hpp"
#include "patterns/rules/nxn.hpp"

namespace waitstate::causes {

namespace {

using patterns::Latest;
using patterns::Nxn;

bool everybody(const CollectiveMember&) { return true; }

/// A point for every member; each waits for that one.
std::vector<MemberWait> all_for(const Collective& c, std::uint32_t culprit) {
  std::vector<MemberWait> all;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) all.push_back({i, patterns::wait_ticks(c, i, culprit)});
  return all;
}

/// Points for those that wait for that one to send something to them, and for that one if anybody does.
std::vector<MemberWait> receivers_for(const Collective& c, std::uint32_t culprit) {
  std::vector<MemberWait> waiting;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    if (i == culprit || !patterns::receives(c.members[i])) continue;
    if (const Ticks t = patterns::wait_ticks(c, i, culprit); t > 0) waiting.push_back({i, t});
  }
  if (!waiting.empty()) waiting.push_back({culprit, 0});
  return waiting;
}

// A member waits for the last of its neighbours.
void add_neighbours(Recorded& to, const Collective& c) {
  const Nxn nxn(c);
  if (c.kind != CollectiveKind::all_to_all || !nxn.payload_moved()) return;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const std::uint32_t awaited = nxn.awaited_by(i);
    if (awaited == Latest::nobody || awaited == i) continue;
    const CollectiveMember &waiter = c.members[i], &culprit = c.members[awaited];
    if (const Ticks t = patterns::wait_ticks(c, i, awaited); t > 0)
      add_pair(to.order, PointKind::n_to_n, *waiter.call, waiter.end, t, *culprit.call, culprit.begin);
  }
}

// A member waits for the last one up to its own rank that sends.
void add_scan(Recorded& to, const Collective& c) {
  std::uint32_t last = Latest::nobody;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& waiter = c.members[i];
    if (patterns::sends(waiter) && (last == Latest::nobody || waiter.begin > c.members[last].begin)) last = i;
    if (last == Latest::nobody || last == i) continue;
    const CollectiveMember& culprit = c.members[last];
    if (const Ticks t = patterns::wait_ticks(c, i, last); t > 0)
      add_pair(to.order, PointKind::scan, *waiter.call, waiter.end, t, *culprit.call, culprit.begin);
  }
}

// All wait for the last one if all were in the operation at the same time, else those that receive for the last that
// sends.
void add_n_to_n(Recorded& to, const Collective& c) {
  if (!to.wanted.all_waits && (c.op == CollectiveOp::alltoallv || c.op == CollectiveOp::alltoallw)) return;
  const Nxn nxn(c);
  if (!nxn.payload_moved()) return;
  if (nxn.all_overlap()) {
    const std::uint32_t last = Latest(c, everybody).seen_by(0);
    return add_operation(to, PointKind::n_to_n, c, all_for(c, last), last);
  }
  const std::uint32_t last = Latest(c, patterns::sends).seen_by(0);
  if (last != Latest::nobody) add_operation(to, PointKind::n_to_n, c, receivers_for(c, last), last);
}

// Only the root waits, for the last one that sends.
void add_n_to_one(Recorded& to, const Collective& c) {
  if (c.root == Collective::no_root) return;
  const std::uint32_t last = Latest(c, patterns::sends).seen_by(0);
  if (last == Latest::nobody || last == c.root) return;
  if (const Ticks t = patterns::wait_ticks(c, c.root, last); t > 0)
    add_operation(to, PointKind::n_to_one, c, {{c.root, t}, {last, 0}}, last);
}

/// The kind of point that a wait for a non-blocking operation has; none if it has none.
std::optional<PointKind> nonblocking_kind(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::barrier:
      return PointKind::barrier;
    case CollectiveKind::all_to_all:
      return PointKind::n_to_n;
    case CollectiveKind::one_to_all:
      return PointKind::one_to_n;
    case CollectiveKind::all_to_one:
      return PointKind::n_to_one;
    case CollectiveKind::scan:
      return PointKind::scan;
    case CollectiveKind::init:
    case CollectiveKind::finalize:
    case CollectiveKind::other:
      break;
  }
  return std::nullopt;
}

}  // namespace

void add_collective(Recorded& to, const Collective& c) {
  if (c.inter() || c.members.size() < 2) return;
  if (c.neighbourhood) {
    if (to.wanted.all_waits) add_neighbours(to, c);
    return;
  }
  switch (c.kind) {
    case CollectiveKind::init: {  // nobody waits there, as in Scalasca
      std::vector<MemberWait> all;
      for (std::uint32_t i = 0; i < c.members.size(); ++i) all.push_back({i, 0});
      return add_operation(to, PointKind::init, c, std::move(all), Latest::nobody);
    }
    case CollectiveKind::finalize:
    case CollectiveKind::barrier: {
      const PointKind kind = c.kind == CollectiveKind::barrier ? PointKind::barrier : PointKind::finalize;
      const std::uint32_t last = Latest(c, everybody).seen_by(0);
      return add_operation(to, kind, c, all_for(c, last), last);
    }
    case CollectiveKind::all_to_all:
      return add_n_to_n(to, c);
    case CollectiveKind::one_to_all:
      if (c.root != Collective::no_root) add_operation(to, PointKind::one_to_n, c, receivers_for(c, c.root), c.root);
      return;
    case CollectiveKind::all_to_one:
      return add_n_to_one(to, c);
    case CollectiveKind::scan:
      if (to.wanted.all_waits) add_scan(to, c);
      return;
    case CollectiveKind::other:
      return;
  }
}

void add_nonblocking(Recorded& to, const CompletedCollectives& c) {
  const CollectiveCompletion* const longest = longest_wait(c);
  if (longest == nullptr || longest->awaited->location == c.call.location) return;
  if (const std::optional<PointKind> kind = nonblocking_kind(longest->kind))
    add_pair(to.order, *kind, c.call, c.call.exit, nonblocking_wait_ticks(c.call, *longest), *longest->awaited,
             longest->awaited->enter);
}

void add_operation(Recorded& to, PointKind kind, const Collective& c, std::vector<MemberWait> members,
                   std::uint32_t culprit) {
  if (members.empty()) return;
  const bool for_root = c.kind == CollectiveKind::one_to_all;
  Time first_end = ~Time{0}, last_begin = 0;
  std::vector<LocationId> locations;
  for (const MemberWait& w : members) {
    const CollectiveMember& m = c.members[w.member];
    if (!for_root || w.member != culprit) first_end = std::min(first_end, m.end);
    last_begin = std::max(last_begin, m.begin);
    locations.push_back(m.call->location);
  }
  if (culprit != Latest::nobody) last_begin = c.members[culprit].begin;
  const std::uint32_t group = to.groups.add(c, std::move(locations));
  // The culprit's point first, which the others name.
  const auto of_culprit =
      std::find_if(members.begin(), members.end(), [&](const MemberWait& w) { return w.member == culprit; });
  if (of_culprit != members.end()) std::iter_swap(members.begin(), of_culprit);
  const PointId last = of_culprit == members.end() ? no_point : to.points.next(c.members[culprit].call->location);
  for (const MemberWait& w : members) {
    const CollectiveMember& m = c.members[w.member];
    Point p = make_point(kind, *m.call, m.end, w.wait, patterns::completion_ticks(m.end, first_end, last_begin));
    p.group = group, p.other = c.comm.value & Point::other_bits;
    if (for_root && w.member != culprit) p.met = c.members[culprit].call->location;
    if (kind != PointKind::finalize && w.wait > 0) p.culprit = last;
    to.order.add(p);
  }
  if (kind == PointKind::finalize) to.first_to_end = last;  // nobody is charged for it
}

}  // namespace waitstate::causes

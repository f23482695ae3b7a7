#include "causes/recorder/collectives.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "causes/recorder/pairs.hpp"
#include "patterns/rules/creation.hpp"
#include "patterns/rules/latest.hpp"
#include "patterns/rules/nxn.hpp"
#include "patterns/rules/rooted.hpp"

namespace waitstate::causes {

namespace {

using patterns::Latest;
using patterns::Nxn;

bool everybody(const CollectiveMember&) { return true; }

/// Adds a point for every member; each waits for the given one.
std::vector<MemberWait> all_for(const Collective& c, std::uint32_t culprit) {
  std::vector<MemberWait> all;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) all.push_back({i, patterns::wait_ticks(c, i, culprit)});
  return all;
}

/// Adds points for members that wait until the given one sends them something, and for that one if any member does.
std::vector<MemberWait> receivers_for(const Collective& c, std::uint32_t culprit) {
  std::vector<MemberWait> waiting;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    if (i == culprit || !patterns::receives(c.members[i])) continue;
    if (const Ticks t = patterns::wait_ticks(c, i, culprit); t > 0) waiting.push_back({i, t});
  }
  if (!waiting.empty()) waiting.push_back({culprit, 0});
  return waiting;
}

/// Adds a point for a member if it waits for another one.
void add_wait_for(Recorded& to, PointKind kind, const Collective& c, std::uint32_t waits, std::uint32_t awaited) {
  if (awaited == Latest::nobody || awaited == waits) return;
  const CollectiveMember &waiter = c.members[waits], &culprit = c.members[awaited];
  if (const Ticks t = patterns::wait_ticks(c, waits, awaited); t > 0)
    add_pair(to, kind, *waiter.call, waiter.end, t, *culprit.call, culprit.begin);
}

// A member waits for the last of its neighbours, or of the other group.
void add_among_some(Recorded& to, const Collective& c) {
  const Nxn nxn(c);
  if (c.kind != CollectiveKind::all_to_all || !nxn.payload_moved()) return;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) add_wait_for(to, PointKind::n_to_n, c, i, nxn.awaited_by(i));
}

// A member waits for the last one up to its own rank that sends.
void add_scan(Recorded& to, const Collective& c) {
  std::uint32_t last = Latest::nobody;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& waiter = c.members[i];
    if (patterns::sends(waiter) && (last == Latest::nobody || waiter.begin > c.members[last].begin)) last = i;
    add_wait_for(to, PointKind::scan, c, i, last);
  }
}

// All wait for the last one if all were in the operation at the same time, else those that receive for the last that
// sends.
void add_n_to_n(Recorded& to, const Collective& c) {
  const bool has_counts = c.op == CollectiveOp::alltoallv || c.op == CollectiveOp::alltoallw;
  const Followed followed = has_counts ? Followed::with_all_waits : Followed::always;
  const Nxn nxn(c);
  if (!nxn.payload_moved()) return;
  if (nxn.all_overlap()) {
    const std::uint32_t last = Latest(c, everybody).seen_by(0);
    return add_operation(to, PointKind::n_to_n, c, all_for(c, last), last, followed);
  }
  const std::uint32_t last = Latest(c, patterns::sends).seen_by(0);
  if (last != Latest::nobody) add_operation(to, PointKind::n_to_n, c, receivers_for(c, last), last, followed);
}

// Only the root waits, for the last one that sends.
void add_n_to_one(Recorded& to, const Collective& c) {
  if (c.root == Collective::no_root) return;
  const std::uint32_t last = Latest(c, patterns::sends).seen_by(0);
  if (last == Latest::nobody || last == c.root) return;
  if (const Ticks t = patterns::wait_ticks(c, c.root, last); t > 0)
    add_operation(to, PointKind::n_to_one, c, {{c.root, t}, {last, 0}}, last);
}

// In a wait for a root or member that receives, the culprit's point lies at its begin, before its own waits there.
void add_late_receivers(Recorded& to, const Collective& c) {
  patterns::each_wait_for_root(c,
                               [&](std::uint32_t i, Ticks) { add_wait_for(to, PointKind::late_root, c, i, c.root); });
  add_wait_for(to, PointKind::late_members, c, c.root, patterns::awaited_by_root(c));
}

// Members wait for those of the other group only.
void add_between_groups(Recorded& to, const Collective& c) {
  const auto members = static_cast<std::uint32_t>(c.members.size());
  switch (c.kind) {
    case CollectiveKind::barrier: {
      const Latest latest(c, everybody);
      for (std::uint32_t i = 0; i < members; ++i) add_wait_for(to, PointKind::barrier, c, i, latest.seen_by(i));
      return;
    }
    case CollectiveKind::all_to_all:
      return add_among_some(to, c);
    case CollectiveKind::one_to_all:
      if (c.root == Collective::no_root) return;
      for (std::uint32_t i = 0; i < members; ++i)
        if (patterns::receives(c.members[i]) && c.reaches(c.root, i))
          add_wait_for(to, PointKind::one_to_n, c, i, c.root);
      return add_late_receivers(to, c);
    case CollectiveKind::all_to_one:
      if (c.root == Collective::no_root) return;
      add_wait_for(to, PointKind::n_to_one, c, c.root, Latest(c, patterns::sends).seen_by(c.root));
      return add_late_receivers(to, c);
    case CollectiveKind::init:
    case CollectiveKind::finalize:
    case CollectiveKind::scan:
    case CollectiveKind::other:
      return;
  }
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
  if (c.members.size() < 2 && c.kind != CollectiveKind::finalize) return;  // there the run ends, alone or not
  if (c.inter()) return add_between_groups(to, c);
  if (c.neighbourhood) return add_among_some(to, c);
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
      if (c.root == Collective::no_root) return;
      add_operation(to, PointKind::one_to_n, c, receivers_for(c, c.root), c.root);
      return add_late_receivers(to, c);
    case CollectiveKind::all_to_one:
      add_n_to_one(to, c);
      return add_late_receivers(to, c);
    case CollectiveKind::scan:
      return add_scan(to, c);
    case CollectiveKind::other:
      return;
  }
}

void add_nonblocking(Recorded& to, const CompletedCollectives& c) {
  const CollectiveCompletion* const longest = longest_wait(c);
  if (longest == nullptr || longest->awaited->location == c.call.location) return;
  if (const std::optional<PointKind> kind = nonblocking_kind(longest->kind))
    add_pair(to, *kind, c.call, c.call.exit, nonblocking_wait_ticks(c.call, *longest), *longest->awaited,
             longest->awaited->enter);
}

void add_creation(Recorded& to, const HandleCreation& h) {
  const OtherMember& last = patterns::last_to_create(h);
  const RegionId region = last.started->region;
  if (!region.valid() || to.definitions[region].region_class != RegionClass::mpi_mgmt_comm) return;
  for (const OtherMember& m : h.members)
    if (const Ticks t = patterns::wait_for_creation(h, m, last); t > 0)
      add_pair(to, PointKind::creation, *m.completed, m.completed->exit, t, *last.started, patterns::began(h, last));
}

void add_operation(Recorded& to, PointKind kind, const Collective& c, std::vector<MemberWait> members,
                   std::uint32_t culprit, Followed followed) {
  if (members.empty()) return;
  if (followed == Followed::with_all_waits && !to.wanted.all_waits) {
    for (const MemberWait& w : members)
      if (const CollectiveMember& m = c.members[w.member]; w.wait > 0)
        to.unfollowed.add(kind, m.call->location, m.call->callpath, std::min(c.members[culprit].begin, m.end), w.wait);
    return;
  }
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
  PointId last = no_point;
  for (const MemberWait& w : members) {
    const CollectiveMember& m = c.members[w.member];
    Point p = make_point(kind, *m.call, m.end, w.wait, patterns::completion_ticks(m.end, first_end, last_begin));
    p.group = group, p.other = c.comm.value & Point::other_bits;
    if (for_root && w.member != culprit) p.met = c.members[culprit].call->location;
    if (kind != PointKind::finalize && w.wait > 0) p.culprit = last;
    const PointId own = to.add(p);
    if (w.member == culprit) last = own;
  }
  if (kind == PointKind::finalize) to.first_to_end = last;  // nobody is charged for it
}

}  // namespace waitstate::causes

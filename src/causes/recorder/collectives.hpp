// Points of messages and of blocking collective operations of MPI: which calls have one, and what of each is waiting.
//
// Definitions: those of Scalasca 2.6, peculiarities included; each stands beside the code that follows it. Invariant:
// of an operation whoever waits knows the point of the member that it waited for, which was added with it. Cost: a few
// steps for a message, a sort of the members that have a point for an operation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "causes/causes.hpp"
#include "patterns/rules/nxn.hpp"
#include "waitstate/pattern/late_sender.hpp"

namespace waitstate::causes {

using namespace patterns;  // rules

inline void Causes::late_sender(const Message& m, const Wait& wait) {
  const Ticks after = ticks_from(m.send->exit, m.recv->exit);  // negative if the sender left later
  Point p = point(PointKind::late_sender, *m.send, m.send_time, 0, std::max<Ticks>(0, -after));
  p.met = m.receiver;
  const PointId sender = add(p);
  p = point(PointKind::late_sender, *m.recv, m.recv_time, wait.ticks, std::max<Ticks>(0, after));
  p.culprit = sender, p.met = m.sender;
  add(p);
}

// That nothing of a send counts as completion, and that a negative one takes more off, is as in Scalasca; by plain
// rules what comes after the receive was posted counts.
inline void Causes::late_receiver(const Message& m, const Call& completing, const Wait& wait) {
  const Call& request = *m.recv_post;
  const bool blocking = !completes_requests(completing.function);
  const Ticks after = ticks_from(request.exit, completing.exit);
  Point p = point(PointKind::late_receiver, request, request.enter, 0, std::max<Ticks>(0, -after));
  p.met = m.sender;
  const PointId receiver = add(p);
  p = point(PointKind::late_receiver, completing, blocking ? m.send_time : completing.exit, wait.ticks,
            plain ? std::max<Ticks>(0, after) : std::min<Ticks>(0, after));
  p.culprit = receiver, p.met = m.receiver;
  add(p);
}

inline std::uint32_t Causes::communicator(const Collective& c) {
  const auto [found, is_new] = communicator_of_.emplace(c.comm, static_cast<std::uint32_t>(communicators.size()));
  if (is_new) {
    std::vector<LocationId>& of_comm = communicators.emplace_back();
    for (const CollectiveMember& m : c.members) of_comm.push_back(m.call->location);
    std::sort(of_comm.begin(), of_comm.end());
  }
  return found->second;
}

inline void Causes::collective(const Collective& c) {
  if (c.inter() || c.members.size() < 2) return;
  if (c.neighbourhood) {
    if (all_waits) neighbours(c);
    return;
  }
  std::vector<CollectivePart> parts;
  std::uint32_t culprit = Latest::nobody;
  PointKind kind{};
  const auto everybody = [](const CollectiveMember&) { return true; };
  const auto all_for = [&](std::uint32_t last) {
    culprit = last;
    for (std::uint32_t i = 0; i < c.members.size(); ++i) parts.push_back({i, wait_ticks(c, i, last)});
  };
  switch (c.kind) {
    case CollectiveKind::init:
      kind = PointKind::init;
      for (std::uint32_t i = 0; i < c.members.size(); ++i) parts.push_back({i, 0});
      break;
    case CollectiveKind::finalize:
      kind = PointKind::finalize;
      all_for(Latest(c, everybody).seen_by(0));
      break;
    case CollectiveKind::barrier:
      kind = PointKind::barrier;
      all_for(Latest(c, everybody).seen_by(0));
      break;
    case CollectiveKind::all_to_all: {
      if (!all_waits && (c.op == CollectiveOp::alltoallv || c.op == CollectiveOp::alltoallw)) return;
      const Nxn nxn(c);
      if (!nxn.payload_moved()) return;
      kind = PointKind::n2n;
      if (nxn.all_overlap()) {
        all_for(Latest(c, everybody).seen_by(0));
        break;
      }
      culprit = Latest(c, sends).seen_by(0);
      if (culprit == Latest::nobody) return;
      for (std::uint32_t i = 0; i < c.members.size(); ++i)
        if (const Ticks t = i == culprit || !receives(c.members[i]) ? 0 : wait_ticks(c, i, culprit); t > 0)
          parts.push_back({i, t});
      if (!parts.empty()) parts.push_back({culprit, 0});
      break;
    }
    case CollectiveKind::one_to_all:
      if (c.root == Collective::no_root) return;
      kind = PointKind::one_to_n;
      culprit = c.root;
      for (std::uint32_t i = 0; i < c.members.size(); ++i)
        if (const Ticks t = i == culprit || !receives(c.members[i]) ? 0 : wait_ticks(c, i, culprit); t > 0)
          parts.push_back({i, t});
      if (!parts.empty()) parts.push_back({culprit, 0});
      break;
    case CollectiveKind::all_to_one: {
      if (c.root == Collective::no_root) return;
      kind = PointKind::n_to_one;
      culprit = Latest(c, sends).seen_by(0);
      if (culprit == Latest::nobody || culprit == c.root) return;
      const Ticks t = wait_ticks(c, c.root, culprit);
      if (t <= 0) return;
      parts = {{c.root, t}, {culprit, 0}};
      break;
    }
    case CollectiveKind::scan:
      if (all_waits) scan(c);
      return;
    case CollectiveKind::other:
      return;
  }
  add_group(kind, c, std::move(parts), culprit);
}

inline PointGroup Causes::group_of(const Collective& c, const std::vector<CollectivePart>& parts) {
  PointGroup group{.communicator = communicator(c)};
  if (parts.size() == communicators[group.communicator].size()) return group;
  std::vector<LocationId> some;
  for (const CollectivePart& p : parts) some.push_back(c.members[p.member].call->location);
  std::sort(some.begin(), some.end());
  group.first = static_cast<std::uint32_t>(members.size());
  group.count = static_cast<std::uint32_t>(some.size());
  for (const LocationId l : some) members.push_back(l);
  return group;
}

// `parts` wait for the culprit, which is one of them, unless it is nobody.
inline void Causes::add_group(PointKind kind, const Collective& c, std::vector<CollectivePart> parts,
                              std::uint32_t culprit) {
  if (parts.empty()) return;
  const bool for_root = c.kind == CollectiveKind::one_to_all;
  Time first_end = ~Time{0}, last_begin = 0;
  for (const CollectivePart& p : parts) {
    const CollectiveMember& m = c.members[p.member];
    if (!for_root || p.member != culprit) first_end = std::min(first_end, m.end);
    last_begin = std::max(last_begin, m.begin);
  }
  if (culprit != Latest::nobody) last_begin = c.members[culprit].begin;
  const auto group = static_cast<std::uint32_t>(groups.size());
  groups.push_back(group_of(c, parts));
  // The culprit's point first, which the others name.
  const auto of_culprit =
      std::find_if(parts.begin(), parts.end(), [&](const CollectivePart& p) { return p.member == culprit; });
  if (of_culprit != parts.end()) std::iter_swap(parts.begin(), of_culprit);
  const PointId last = of_culprit == parts.end() ? no_point : points.next(c.members[culprit].call->location);
  for (const CollectivePart& part : parts) {
    const CollectiveMember& m = c.members[part.member];
    Point p = point(kind, *m.call, m.end, part.wait, completion_ticks(m.end, first_end, last_begin));
    p.group = group;
    if (for_root && part.member != culprit) p.met = c.members[culprit].call->location;
    if (kind != PointKind::finalize && part.wait > 0) p.culprit = last;
    add(p);
  }
  if (kind == PointKind::finalize) first_to_end = last;  // nobody is charged for it
}

}  // namespace waitstate::causes

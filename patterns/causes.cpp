#include "causes.hpp"

#include "nxn.hpp"

namespace waitstate::patterns {
namespace {

Ticks between_times(Time from, Time to) {
  return to > from ? static_cast<Ticks>(to - from) : -static_cast<Ticks>(from - to);
}

/// Of what is done from begin to end by member i of an operation.
struct Part {
  std::uint32_t member;
  Ticks wait;
};

}  // namespace

void ActivityLog::charge(Ticks ticks) {
  if (ticks == 0) return;
  for (std::size_t i = shares_.size(); i > open_ && i + 8 > shares_.size(); --i)
    if (shares_[i - 1].callpath == current_) {
      shares_[i - 1].ticks += ticks;
      return;
    }
  shares_.push_back({current_, ticks});
}

PointId Causes::add(PointKind kind, const Call& call, Time record, Ticks wait, Ticks completion) {
  Point p;
  p.location = call.location;
  p.callpath = call.callpath;
  p.enter = call.enter;
  p.record = record;
  p.total = between_times(call.enter, call.exit);
  p.wait = wait;
  p.completion = completion;
  p.kind = kind;
  points.push_back(p);
  return static_cast<PointId>(points.size() - 1);
}

void Causes::late_sender(const Message& m, const Wait& wait) {
  const Ticks after = between_times(m.send->exit, m.recv->exit);  // negative if the sender left later
  const PointId sender = add(PointKind::late_sender, *m.send, m.send_time, 0, std::max<Ticks>(0, -after));
  const PointId receiver = add(PointKind::late_sender, *m.recv, m.recv_time, wait.ticks, std::max<Ticks>(0, after));
  points[receiver].culprit = sender;
  points[receiver].met = m.sender;
  points[sender].met = m.receiver;
}

// That nothing of a send counts as completion, and that a negative one takes more off, is as in Scalasca.
void Causes::late_receiver(const Message& m, const Wait& wait) {
  const Call &request = *m.recv_post, &own = *m.send;
  const bool blocking = wait.enter == own.enter && wait.location == own.location;
  Call completing = own;
  completing.callpath = wait.callpath, completing.enter = wait.enter, completing.exit = wait.exit;
  const Ticks after = between_times(request.exit, wait.exit);
  const PointId receiver = add(PointKind::late_receiver, request, request.enter, 0, std::max<Ticks>(0, -after));
  const PointId sender = add(PointKind::late_receiver, completing, blocking ? m.send_time : wait.exit, wait.ticks,
                             std::min<Ticks>(0, after));
  points[sender].culprit = receiver;
  points[sender].met = m.receiver;
  points[receiver].met = m.sender;
}

std::uint32_t Causes::communicator(const Collective& c) {
  const auto [found, is_new] = communicator_of_.emplace(c.comm, static_cast<std::uint32_t>(communicators.size()));
  if (is_new) {
    std::vector<LocationId>& members = communicators.emplace_back();
    for (const CollectiveMember& m : c.members) members.push_back(m.call->location);
  }
  return found->second;
}

void Causes::collective(const Collective& c) {
  if (c.inter() || c.neighbourhood || c.members.size() < 2) return;
  std::vector<Part> parts;
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
      if (c.op == CollectiveOp::alltoallv || c.op == CollectiveOp::alltoallw) return;
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
    case CollectiveKind::other:
      return;
  }
  if (parts.empty()) return;

  Time first_end = ~Time{0}, last_begin = 0;
  for (const Part& p : parts) {
    const CollectiveMember& m = c.members[p.member];
    if (kind != PointKind::one_to_n || p.member != culprit) first_end = std::min(first_end, m.end);
    last_begin = std::max(last_begin, m.begin);
  }
  if (culprit != Latest::nobody) last_begin = c.members[culprit].begin;
  const auto group = static_cast<std::uint32_t>(groups.size());
  PointGroup& g = groups.emplace_back();
  g.communicator = communicator(c);
  const auto first = static_cast<PointId>(points.size());
  PointId last = no_point;
  for (const Part& part : parts) {
    const CollectiveMember& m = c.members[part.member];
    const PointId id = add(kind, *m.call, m.end, part.wait, completion_ticks(m.end, first_end, last_begin));
    points[id].group = group;
    if (kind == PointKind::one_to_n && part.member != culprit) points[id].met = c.members[culprit].call->location;
    if (part.member == culprit) last = id;
    g.met.push_back(m.call->location);
  }
  std::sort(g.met.begin(), g.met.end());
  if (kind == PointKind::finalize)
    first_to_end = last;  // nobody is charged for it
  else
    for (PointId id = first; id < points.size(); ++id)
      if (points[id].wait > 0) points[id].culprit = last;
}

void Causes::finish() {
  for (ActivityLog& log : activities) log.finish();
  for (PointId id = 0; id < points.size(); ++id) order[points[id].location.index()].push_back(id);
  for (std::vector<PointId>& of : order) {
    std::sort(of.begin(), of.end(), [&](PointId a, PointId b) {
      const Point &x = points[a], &y = points[b];
      if (x.enter != y.enter) return x.enter < y.enter;
      return x.record != y.record ? x.record < y.record : a < b;
    });
    for (std::uint32_t i = 0; i < of.size(); ++i) points[of[i]].place = i;
  }
}

bool Causes::has_met(const Point& p, LocationId location) const {
  if (p.group == 0xffffffffu || p.met.valid()) return p.met == location;
  const std::vector<LocationId>& met = groups[p.group].met;
  return location != p.location && std::binary_search(met.begin(), met.end(), location);
}

PointId Causes::previous(const Point& p, LocationId met) const {
  const std::vector<PointId>& of = order[p.location.index()];
  for (std::uint32_t i = p.place; i > 0; --i)
    if (has_met(at(of[i - 1]), met)) return of[i - 1];
  return no_point;
}

}  // namespace waitstate::patterns

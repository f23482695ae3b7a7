// Points of waits that Scalasca knows no causes of, for the parameter all_waits of critical_path: in non-blocking and
// neighbourhood collective operations, prefix reductions, one-sided communication of MPI and SHMEM, and for locks of
// threads. Those for tasks stand in causes_threads.hpp, those for kernels in causes_devices.hpp.
//
// Who waited for whom is what the patterns of these waits find; a call has one point, for whoever came last: until then
// it waited. All follow the plain rules: what comes after both were there is completion, whoever of the two it is of.
//
// Invariant: a point of a lock that is released lies at the release, and not at the enter of its call: a critical
// section is what the others wait for.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "causes/causes.hpp"
#include "patterns/rules/last_completion.hpp"
#include "patterns/rules/late_post.hpp"
#include "patterns/rules/latest.hpp"
#include "patterns/rules/nxn.hpp"

namespace waitstate::causes {

using namespace patterns;  // rules

// One that waits for another one, by the plain rules: the records are where the one stopped waiting and the other came.
inline void Causes::pair(PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& culprit, Time came) {
  const Ticks after = ticks_from(culprit.exit, waiter.exit);  // negative if the culprit left later
  Point p = point(kind, culprit, came, 0, std::max<Ticks>(0, -after));
  p.met = waiter.location;
  const PointId awaited = add(p);
  p = point(kind, waiter, waited, wait, std::max<Ticks>(0, after));
  p.met = culprit.location;
  p.culprit = awaited;
  add(p);
}

// A member waits for the last of its neighbours.
inline void Causes::neighbours(const Collective& c) {
  const Nxn nxn(c);
  if (c.kind != CollectiveKind::all_to_all || !nxn.payload_moved()) return;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const std::uint32_t awaited = nxn.awaited_by(i);
    if (awaited == Latest::nobody || awaited == i) continue;
    const CollectiveMember &waiter = c.members[i], &culprit = c.members[awaited];
    if (const Ticks t = wait_ticks(c, i, awaited); t > 0)
      pair(PointKind::n2n, *waiter.call, waiter.end, t, *culprit.call, culprit.begin);
  }
}

// A member waits for the last one up to its own rank that sends.
inline void Causes::scan(const Collective& c) {
  std::uint32_t last = Latest::nobody;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) {
    const CollectiveMember& waiter = c.members[i];
    if (sends(waiter) && (last == Latest::nobody || waiter.begin > c.members[last].begin)) last = i;
    if (last == Latest::nobody || last == i) continue;
    const CollectiveMember& culprit = c.members[last];
    if (const Ticks t = wait_ticks(c, i, last); t > 0)
      pair(PointKind::scan, *waiter.call, waiter.end, t, *culprit.call, culprit.begin);
  }
}

inline void Causes::nonblocking(const CompletedCollectives& c) {
  const CollectiveCompletion* const longest = all_waits ? longest_wait(c) : nullptr;
  if (longest == nullptr || longest->awaited->location == c.call.location) return;
  const auto add_as = [&](PointKind kind) {
    pair(kind, c.call, c.call.exit, nonblocking_wait_ticks(c.call, *longest), *longest->awaited,
         longest->awaited->enter);
  };
  switch (longest->kind) {
    case CollectiveKind::barrier:
      return add_as(PointKind::barrier);
    case CollectiveKind::all_to_all:
      return add_as(PointKind::n2n);
    case CollectiveKind::one_to_all:
      return add_as(PointKind::one_to_n);
    case CollectiveKind::all_to_one:
      return add_as(PointKind::n_to_one);
    case CollectiveKind::scan:
      return add_as(PointKind::scan);
    case CollectiveKind::init:
    case CollectiveKind::finalize:
    case CollectiveKind::other:
      return;
  }
}

// Members wait for the last of them, at a fence only where all are in it at the same time.
inline void Causes::window(const RmaCollective& r) {
  const Collective& c = r.collective;
  if (!all_waits || c.members.size() < 2) return;
  if (r.kind == RmaCollectiveKind::other) return shmem_collective(c);
  if (r.kind == RmaCollectiveKind::fence ? !all_overlap(c) : r.paradigm != Paradigm::mpi) return;
  const std::uint32_t last = Latest(c, [](const CollectiveMember&) { return true; }).seen_by(0);
  std::vector<CollectivePart> parts;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) parts.push_back({i, wait_ticks(c, i, last)});
  add_group(PointKind::window, c, std::move(parts), last);
}

// SHMEM has no begin records of its own: what counts are the calls.
inline void Causes::shmem_collective(const Collective& c) {
  const RegionClass needed = c.kind == CollectiveKind::barrier      ? RegionClass::shmem_sync_collective
                             : c.kind == CollectiveKind::one_to_all ? RegionClass::shmem_collective
                             : c.kind == CollectiveKind::all_to_all ? RegionClass::shmem_collective
                                                                    : RegionClass::comp;
  std::vector<CollectiveMember> calls(c.members.begin(), c.members.end());
  for (CollectiveMember& m : calls) {
    if (needed == RegionClass::comp || !is_of(*m.call, needed)) return;
    m.begin = m.call->enter, m.end = m.call->exit;
  }
  Collective of_calls = c;
  of_calls.members = calls;
  const bool for_root = c.kind == CollectiveKind::one_to_all;
  const std::uint32_t culprit = for_root ? c.root : last_to_enter(c);
  if (culprit == Collective::no_root) return;
  std::vector<CollectivePart> parts;
  for (std::uint32_t i = 0; i < calls.size(); ++i)
    if (const Ticks t = wait_ticks(of_calls, i, culprit); t > 0 || !for_root) parts.push_back({i, t});
  if (for_root && !parts.empty()) parts.push_back({culprit, 0});
  add_group(PointKind::shmem_collective, of_calls, std::move(parts), culprit);
}

inline void Causes::access(const RmaAccessEpoch& e) {
  if (!all_waits) return;
  each_late_post(e, [&](const Call& waiting, const Call& post, bool) {
    pair(PointKind::epoch, waiting, waiting.exit, ticks_from(waiting.enter, post.enter), post, post.enter);
  });
}

inline void Causes::exposure(const RmaExposureEpoch& e) {
  const LastCompletion k(e);
  if (all_waits && k.last != nullptr && k.until > e.wait.enter)
    pair(PointKind::epoch, e.wait, e.wait.exit, ticks_from(e.wait.enter, k.until), *k.last, k.last->enter);
}

inline void Causes::released(PointKind kind, const Call& waiter, Time waited, Ticks wait, const Call& releasing,
                             Time release_time) {
  Call rest = releasing;
  rest.enter = release_time, rest.exit = std::max(rest.exit, release_time);
  pair(kind, waiter, waited, wait, rest, release_time);
}

// A call may wait for the release of a lock and then for several targets: it ends when the last of them has come, so
// it is one wait for that one.
inline void Causes::passive(const RmaPassiveCall& r) {
  if (!all_waits) return;
  const bool shmem = is_of(r.call, RegionClass::shmem_point2point_synchronization);
  if (!shmem && !is_of(r.call, RegionClass::mpi_rma_sync_passive) && !is_of(r.call, RegionClass::mpi_rma_communication))
    return;
  if (!shmem && !r.gaps.empty()) {
    const RmaProgressGap& last = r.gaps.back();
    Call next = last.next;
    next.exit = std::min(next.exit, r.call.exit);  // it may still be open; what comes later is completion anyway
    pair(PointKind::passive_target, r.call, last.end, ticks_from(r.call.enter, last.end), next, next.enter);
  } else if (const Ticks t = r.released == nullptr ? 0 : ticks_from(r.call.enter, r.release_time); t > 0) {
    released(shmem ? PointKind::shmem_pair : PointKind::passive_target, r.call, r.call.exit, t, *r.released,
             r.release_time);
  }
}

inline void Causes::change(const RmaWaitChange& w) {
  if (!all_waits || w.changed == nullptr || !is_of(w.call, RegionClass::shmem_point2point_synchronization)) return;
  if (const Ticks t = ticks_from(w.call.enter, w.changed->enter); t > 0)
    pair(PointKind::shmem_pair, w.call, w.call.exit, t, *w.changed, w.changed->enter);
}

// A critical section is one call from where the lock is asked for to where it is released: only as far as it is
// acquired it waits.
inline void Causes::lock(const LockAcquired& a) {
  const Ticks t = ticks_from(a.call.enter, std::min(a.release_time, a.acquire_time));
  if (!all_waits || t <= 0) return;
  Call asking = a.call;
  asking.exit = a.acquire_time;
  released(PointKind::lock, asking, a.acquire_time, t, a.released, a.release_time);
}

}  // namespace waitstate::causes

#include "causes/recorder/one_sided.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "causes/recorder/collectives.hpp"
#include "causes/recorder/pairs.hpp"
#include "patterns/rules/last_completion.hpp"
#include "patterns/rules/late_post.hpp"
#include "patterns/rules/latest.hpp"

namespace waitstate::causes {

namespace {

using patterns::Latest;

bool is_of(const Recorded& of, const Call& call, RegionClass region_class) {
  return call.region.valid() && of.definitions[call.region].region_class == region_class;
}

/// The class of the SHMEM functions that make such an operation; none if it has no points.
std::optional<RegionClass> shmem_class(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::barrier:
      return RegionClass::shmem_sync_collective;
    case CollectiveKind::one_to_all:
    case CollectiveKind::all_to_all:
      return RegionClass::shmem_collective;
    case CollectiveKind::init:
    case CollectiveKind::finalize:
    case CollectiveKind::all_to_one:
    case CollectiveKind::scan:
    case CollectiveKind::other:
      break;
  }
  return std::nullopt;
}

// SHMEM has no begin records of its own: its members are in the operation from enter to exit of their calls.
void add_shmem_collective(Recorded& to, const Collective& c) {
  const std::optional<RegionClass> needed = shmem_class(c.kind);
  std::vector<CollectiveMember> calls(c.members.begin(), c.members.end());
  for (CollectiveMember& m : calls) {
    if (!needed || !is_of(to, *m.call, *needed)) return;
    m.begin = m.call->enter, m.end = m.call->exit;
  }
  Collective of_calls = c;
  of_calls.members = calls;
  const bool for_root = c.kind == CollectiveKind::one_to_all;
  const std::uint32_t culprit = for_root ? c.root : patterns::last_to_enter(c);
  if (culprit == Collective::no_root) return;
  std::vector<MemberWait> members;
  for (std::uint32_t i = 0; i < calls.size(); ++i)
    if (const Ticks t = patterns::wait_ticks(of_calls, i, culprit); t > 0 || !for_root) members.push_back({i, t});
  if (for_root && !members.empty()) members.push_back({culprit, 0});
  add_operation(to, PointKind::shmem_collective, of_calls, std::move(members), culprit, Followed::with_all_waits);
}

}  // namespace

// Members wait for the last of them, at a fence only where all are in it at the same time.
void add_window(Recorded& to, const RmaCollective& r) {
  const Collective& c = r.collective;
  if (c.members.size() < 2) return;
  if (r.kind == RmaCollectiveKind::other) return add_shmem_collective(to, c);
  if (r.kind == RmaCollectiveKind::fence ? !patterns::all_overlap(c) : r.paradigm != Paradigm::mpi) return;
  const std::uint32_t last = Latest(c, [](const CollectiveMember&) { return true; }).seen_by(0);
  std::vector<MemberWait> members;
  for (std::uint32_t i = 0; i < c.members.size(); ++i) members.push_back({i, patterns::wait_ticks(c, i, last)});
  add_operation(to, PointKind::window, c, std::move(members), last, Followed::with_all_waits);
}

void add_access(Recorded& to, const RmaAccessEpoch& e) {
  patterns::each_late_post(e, [&](const Call& waiting, const Call& post, bool) {
    add_pair(to, PointKind::epoch, waiting, waiting.exit, ticks_from(waiting.enter, post.enter), post, post.enter);
  });
}

void add_exposure(Recorded& to, const RmaExposureEpoch& e) {
  const patterns::LastCompletion k(e);
  if (k.last != nullptr && k.until > e.wait.enter)
    add_pair(to, PointKind::epoch, e.wait, e.wait.exit, ticks_from(e.wait.enter, k.until), *k.last, k.last->enter);
}

// A call may wait for the release of a lock and then for several targets: it ends when the last of them has come, so it
// is a single wait, for that target.
void add_passive(Recorded& to, const RmaPassiveCall& r) {
  const bool shmem = is_of(to, r.call, RegionClass::shmem_point2point_synchronization);
  if (!shmem && !is_of(to, r.call, RegionClass::mpi_rma_sync_passive) &&
      !is_of(to, r.call, RegionClass::mpi_rma_communication))
    return;
  if (!shmem && !r.gaps.empty()) {
    const RmaProgressGap& last = r.gaps.back();
    Call next = last.next;
    next.exit = std::min(next.exit, r.call.exit);  // it may still be open; what comes later is completion anyway
    add_pair(to, PointKind::passive_target, r.call, last.end, ticks_from(r.call.enter, last.end), next, next.enter);
  } else if (const Ticks t = r.released == nullptr ? 0 : ticks_from(r.call.enter, r.release_time); t > 0) {
    add_release(to, shmem ? PointKind::shmem_pair : PointKind::passive_target, r.call, r.call.exit, t, *r.released,
                r.release_time);
  }
}

// If a loop polls, its point lies in the call during which the write came.
void add_change(Recorded& to, const RmaWaitChange& w) {
  if (w.changed == nullptr) return;
  const bool shmem = is_of(to, w.call, RegionClass::shmem_point2point_synchronization);
  if (!shmem && w.changed->enter > w.call.exit) return;
  if (const Ticks t = ticks_from(w.call.enter, w.changed->enter); t > 0)
    add_pair(to, shmem ? PointKind::shmem_pair : PointKind::passive_target, w.call, w.call.exit, t, *w.changed,
             w.changed->enter);
}

}  // namespace waitstate::causes

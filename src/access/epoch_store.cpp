#include "access/epoch_store.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>
#include <type_traits>

namespace waitstate::access {

std::uint64_t EpochStore::CallKey::hash() const {
  std::uint64_t h = (std::uint64_t{location.value} << 32 | callpath.value) * 0xc2b2ae3d27d4eb4fu;
  h = ((h ^ h >> 29) + enter) * 0x9e3779b97f4a7c15u;
  h = ((h ^ h >> 32) + exit) * 0xbf58476d1ce4e5b9u;
  return (h ^ h >> 29) * 0x9e3779b97f4a7c15u;
}

// Calls of no length may agree in all that the key has, but not in what was before them.
const Call& EpochStore::keep(const Call& call) {
  const auto interval = [](const Interval& s) { return std::tuple(s.callpath, s.begin, s.end); };
  const Call*& kept = calls_.find_or_insert({call.location, call.callpath, call.enter, call.exit});
  if (kept == nullptr || interval(kept->previous) != interval(call.previous) ||
      interval(kept->before) != interval(call.before)) {
    static_assert(std::is_trivially_destructible_v<Call>);
    copied_ += sizeof(Call);
    kept = std::construct_at(static_cast<Call*>(arena_.allocate(sizeof(Call), alignof(Call))), call);
  }
  return *kept;
}

template <class T, class Copy>
std::span<const T> EpochStore::keep(std::span<const T> originals, Copy&& copy) {
  static_assert(std::is_trivially_destructible_v<T>);
  if (originals.empty()) return {};
  copied_ += originals.size_bytes();
  T* const copies = static_cast<T*>(arena_.allocate(originals.size_bytes(), alignof(T)));
  for (std::size_t i = 0; i < originals.size(); ++i) std::construct_at(copies + i, copy(originals[i]));
  return {copies, originals.size()};
}

RmaAccess EpochStore::keep(RmaAccess access) {
  if (access.last != nullptr) access.last = &keep(*access.last);
  return access;
}

void EpochStore::rma_operation(const RmaOperation& o) {
  all_.emplace_back(RmaOperation{o.kind, o.win, o.origin, o.target, o.bytes_put, o.bytes_got, keep(o.call), o.start,
                                 keep(o.completed), o.completion});
}

void EpochStore::rma_collective(const RmaCollective& r) {
  const auto same = [](std::uint32_t n) { return n; };
  Collective c = r.collective;
  c.members = keep(c.members, [&](CollectiveMember m) {
    m.call = &keep(*m.call);
    return m;
  });
  c.neighbours = keep(c.neighbours, same);
  c.neighbour_begin = keep(c.neighbour_begin, same);
  const Collective& collective = keep(std::span<const Collective>(&c, 1), [](const Collective& one) { return one; })[0];
  all_.emplace_back(RmaCollective{r.kind, r.win, r.paradigm, collective,
                                  keep(r.accesses, [&](const RmaAccess& a) { return keep(a); })});
}

void EpochStore::rma_access_epoch(const RmaAccessEpoch& e) {
  const auto targets = keep(e.targets, [&](const RmaAccessTarget& t) {
    return RmaAccessTarget{t.target, keep(t.post), keep(t.access)};
  });
  const auto operations = keep(e.operations, [&](const RmaEpochOperation& o) {
    return RmaEpochOperation{keep(o.call), o.target};
  });
  all_.emplace_back(RmaAccessEpoch{e.win, keep(e.start), keep(e.complete), targets, operations});
}

void EpochStore::rma_exposure_epoch(const RmaExposureEpoch& e) {
  const auto origins = keep(e.origins, [&](const RmaExposureOrigin& o) {
    return RmaExposureOrigin{o.origin, keep(o.start), keep(o.complete), keep(o.access)};
  });
  all_.emplace_back(RmaExposureEpoch{e.win, keep(e.post), keep(e.wait), origins});
}

void EpochStore::rma_lock_epoch(const RmaLockEpoch& e) {
  all_.emplace_back(RmaLockEpoch{e.win, e.target, e.lock, e.type, keep(e.locked), keep(e.unlocked), e.release_time,
                                 keep(e.accesses, [&](const RmaAccess& a) { return keep(a); })});
}

// What linking delivers comes process by process, as far as each is read; the order here must not depend on that. What
// still is equal are operations that one location started at once, in their order of issue.
void EpochStore::finish() {
  struct Key {
    Time first, last;
    std::size_t kind;
    std::uint32_t location;
    std::size_t number;
    auto operator<=>(const Key&) const = default;
  };
  const auto location = [](const OneSided& o) {
    struct {
      LocationId operator()(const RmaCollective& r) { return r.collective.members.front().call->location; }
      LocationId operator()(const RmaAccessEpoch& e) { return e.start.location; }
      LocationId operator()(const RmaExposureEpoch& e) { return e.post.location; }
      LocationId operator()(const RmaLockEpoch& e) { return e.locked.location; }
      LocationId operator()(const RmaOperation& p) { return p.origin; }
    } of;
    return std::visit(of, o).value;
  };
  std::vector<Key> order;
  order.reserve(all_.size());
  for (const OneSided& o : all_) order.push_back({first_time(o), last_time(o), o.index(), location(o), order.size()});
  std::sort(order.begin(), order.end());
  std::vector<OneSided> sorted;  // they refer to calls and cannot be assigned
  sorted.reserve(all_.size());
  for (const Key& k : order) sorted.push_back(all_[k.number]);
  all_.swap(sorted);
  calls_ = {};
}

}  // namespace waitstate::access

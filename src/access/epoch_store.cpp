#include "access/epoch_store.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>
#include <type_traits>

#include "util/hash.hpp"

namespace waitstate::access {

std::uint64_t EpochStore::CallKey::hash() const {
  return util::mixed(util::mixed(util::joined(location.value, callpath.value), enter), exit);
}

// Calls of no length may agree in all that the key has, but not in what was before them.
const Call& EpochStore::keep(const Call& call) {
  const auto interval = [](const Interval& s) { return std::tuple(s.callpath, s.begin, s.end); };
  const Call*& kept = calls_.find_or_insert({call.location, call.callpath, call.enter, call.exit});
  if (kept == nullptr || interval(kept->previous) != interval(call.previous) ||
      interval(kept->before) != interval(call.before) || interval(kept->earlier) != interval(call.earlier)) {
    static_assert(std::is_trivially_destructible_v<Call>);
    kept = std::construct_at(static_cast<Call*>(allocate(sizeof(Call))), call);
  }
  return *kept;
}

// Events come from linking process by process, as far as each is read; the order here must not depend on that. What
// still is equal are operations that one location started at once, in their order of issue.
void EpochStore::finish() {
  struct EpochOrder {
    Time first, last;
    std::size_t kind;
    std::uint32_t location;
    std::size_t number;
    auto operator<=>(const EpochOrder&) const = default;
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
  std::vector<EpochOrder> order;
  order.reserve(all_.size());
  for (const OneSided& o : all_) order.push_back({first_time(o), last_time(o), o.index(), location(o), order.size()});
  std::sort(order.begin(), order.end());
  std::vector<OneSided> sorted;  // they refer to calls and cannot be assigned
  sorted.reserve(all_.size());
  for (const EpochOrder& k : order) sorted.push_back(all_[k.number]);
  all_.swap(sorted);
  calls_ = {};
}

}  // namespace waitstate::access

#include "causes/sweep/meetings.hpp"

#include <algorithm>

namespace waitstate::causes {

Meetings::Chain* Meetings::chain_of(const Point& p) {
  if (is_of_team(p.kind)) return &team_;
  if (p.met.valid()) return &partners_[p.met.value];
  return p.group != no_group ? &operations_ : nullptr;
}

void Meetings::link(OrderedPoints& order, LocationId l, PointIndex at, const Point& p) {
  Chain* const chain = chain_of(p);
  if (chain == nullptr) return;
  if (chain->first != before_all) order.set_met_before(l, chain->first, at);
  chain->first = static_cast<std::int32_t>(at);
  if (chain->last == before_all) chain->last = chain->first;
}

void Meetings::pass(const Point& p, std::int32_t before) {
  if (Chain* const chain = chain_of(p)) chain->last = before;
}

PointIndex Meetings::previous(const History& history, const OrderedPoints& order, LocationId l, PointKind kind,
                              LocationId met) {
  const Met how = traits(kind).met;
  if (how == Met::team) return team_.last;
  const auto found = partners_.find(met.value);
  PointIndex last = found == partners_.end() ? before_all : found->second.last;
  if (how == Met::other_or_team) last = std::max<PointIndex>(last, team_.last);
  for (PointIndex at = operations_.last; at > last; at = order.met_before(l, at)) {
    if (at != looked_at_) looked_at_ = at, looked_at_point_ = order.point(l, at);
    if (history.has_met(looked_at_point_, met)) return at;
  }
  return last;
}

}  // namespace waitstate::causes

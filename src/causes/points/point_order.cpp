#include "causes/points/point_order.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace waitstate::causes {

namespace {

// Numbers of calls begin anew after 65,535; of two that are not far from each other the earlier one is known.
bool is_earlier_call(std::uint16_t x, std::uint16_t y) {
  return x == 0 || (y != 0 && static_cast<std::uint16_t>(y - x) < 0x8000);
}

}  // namespace

bool PointOrder::is_before(const OrderKey& x, const OrderKey& y) {
  if (x.enter != y.enter) return x.enter < y.enter;
  if (x.record != y.record) return x.record < y.record;
  // Two calls: the earlier one lasted no time.
  if (x.call != y.call) return is_earlier_call(x.call, y.call);
  // In one call (MPI_Sendrecv) a send and a request come before what completes: or two that exchange messages in no
  // time would be a circle.
  if (x.waits != y.waits) return y.waits;
  // A call that waits for others until it ends (MPI_Waitall) does so after its messages.
  if (x.waits && x.message != y.message) return x.message;
  // Several waited for the same record: any order will do that does not depend on which ended first.
  if (x.met != y.met) return x.met < y.met;
  if (x.kind != y.kind) return x.kind < y.kind;
  if (x.other != y.other) return x.other < y.other;
  return x.number < y.number;  // one call of the partner has them in that order
}

void PointOrder::join(PointOrder& other, const std::vector<LocationId>& locations) {
  for (const LocationId l : locations) recent_[l.index()] = std::move(other.recent_[l.index()]);
}

PointId PointOrder::add(Point p) {
  put_last(place(points_.size(p.location), p), p);
  return points_.push_back(p);
}

void PointOrder::put_last(const OrderKey& own, Point& p) {
  Recent& of_location = recent_[p.location.index()];
  std::vector<OrderKey>& recent = of_location.places;
  const bool is_first = recent.empty() || is_before(own, of_location.first);
  auto next = recent.end();
  if (!recent.empty() && !is_before(recent.back(), own))
    next = std::upper_bound(recent.begin(), recent.end(), own,
                            [](const OrderKey& x, const OrderKey& y) { return is_before(x, y); });
  if (next == recent.begin() && next != recent.end()) {  // it comes before all of these
    Gap gap{.after = of_location.first.number};
    if (!is_first) {
      gap = {.before = points_.at({p.location, next->number}).before, .after = next->number};
      go_before(gap, own, p.location);
      if (kept_more_ + of_location.most <= most_of_all) kept_more_ += of_location.most, of_location.most *= 2;
    }
    p.before = gap.before;
    put_into(gap, own, p.location);
    if (is_first) of_location.first = own;
    if (gap.after != next->number) return;
  } else {
    if (is_first) of_location.first = own;
    p.before = next == recent.begin() ? PointId::no_number : std::prev(next)->number;
    if (next != recent.end())
      points_.change({p.location, next->number}, [&](Point& after) { after.before = own.number; });
  }
  recent.insert(next, own);
  if (recent.size() >= of_location.most)
    recent.erase(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(of_location.most / 2));
}

// Goes back from the gap to the place of the point.
void PointOrder::go_before(Gap& gap, const OrderKey& own, LocationId l) const {
  while (gap.before != PointId::no_number) {
    const Point q = points_.at({l, gap.before});
    if (q.enter < own.enter || (q.enter == own.enter && is_before(place(gap.before, q), own))) break;
    gap.after = std::exchange(gap.before, q.before);
  }
}

// Lets the point behind the gap know the new one, which knows gap.before.
void PointOrder::put_into(const Gap& gap, const OrderKey& own, LocationId l) {
  if (gap.after == PointId::no_number)
    recent_[l.index()].places.push_back(own);
  else
    points_.change({l, gap.after}, [&](Point& next) { next.before = own.number; });
}

void PointOrder::Inserter::insert(PointId id, Point& p) {
  if (!std::exchange(is_known_, true)) before_ = order_.last(p.location).number;
  const OrderKey own = place(id.number, p);
  Gap gap{before_, after_};
  order_.go_before(gap, own, p.location);
  p.before = gap.before;
  order_.put_into(gap, own, p.location);
  order_.points_.set(id, p);
  before_ = gap.before, after_ = id.number;
}

// From the latest of them on. The new points may lie among the last ones, and before the first.
void PointOrder::put_in_order(LocationId l, const std::vector<std::uint32_t>& numbers) {
  if (numbers.empty()) return;
  std::vector<OrderKey> keys;
  keys.reserve(numbers.size());
  for (const std::uint32_t number : numbers) keys.push_back(place(number, points_.at({l, number})));
  std::sort(keys.begin(), keys.end(), [](const OrderKey& x, const OrderKey& y) { return is_before(y, x); });
  Recent& of_location = recent_[l.index()];
  if (of_location.places.empty() || is_before(keys.back(), of_location.first)) of_location.first = keys.back();
  Gap gap{.before = last(l).number};
  for (const OrderKey& own : keys) {
    go_before(gap, own, l);
    points_.change({l, own.number}, [&](Point& p) { p.before = gap.before; });
    put_into(gap, own, l);
    gap.after = own.number;
  }
  std::vector<OrderKey> places;
  for (PointId id = last(l); id != no_point && places.size() < of_location.most / 2;) {
    const Point p = points_.at(id);
    places.push_back(place(id.number, p));
    id = p.point_before();
  }
  std::reverse(places.begin(), places.end());
  of_location.places = std::move(places);
}

}  // namespace waitstate::causes

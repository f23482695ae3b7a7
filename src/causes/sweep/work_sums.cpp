#include "causes/sweep/work_sums.hpp"

#include <algorithm>
#include <iterator>

namespace waitstate::causes {

WorkSums::WorkSums(const History& history, const OrderedPoints& order, const LocationRange& locations)
    : history_(history),
      order_(order),
      locations_(locations),
      blocks_(locations.size()),
      asked_(history.recorded.call_tree.size()),
      block_(history.recorded.call_tree.size()) {}

Ticks WorkSums::worked(PointIndex a, PointIndex b, const Point& at_b, Bound bound, Paths& paths) {
  const LocationId l = at_b.location;
  const PointId id = order_.id(l, a);
  const Point at_a = id == no_point ? Point{} : history_.at(id);
  Ticks waited = 0;
  if (b - a <= 2 * children) {
    waited = direct(a, at_a, b, at_b, asked_);
  } else {
    PointIndex at = (a / children + 1) * children;  // a = before_all: the first point
    if (a == before_all) at = 0;
    const PointIndex tail = b / children * children;
    waited = direct(a, at_a, at, order_.point(l, at), asked_);
    while (at < tail) {
      int level = 0;
      while (at % span(level + 1) == 0 && at + span(level + 1) <= tail) ++level;
      const Block& block = sums(l, level, at / span(level));
      waited += block.waited;
      add(block, asked_);
      at += span(level);
    }
    if (tail < b) waited += direct_with(tail, b, at_b, asked_);
  }
  History::take_off_waits(id == no_point ? nullptr : &at_a, bound, asked_.worked, asked_.waited);
  for (const CallPathId c : asked_.worked.touched())
    if (const Ticks t = asked_.worked[c]; t != 0) paths.emplace_back(c, t);
  asked_.worked.clear();
  return waited;
}

void WorkSums::passed(LocationId l, PointIndex at) {
  std::vector<std::map<PointIndex, Block>>& levels = blocks_[locations_.place(l)];
  if (at % children != 0 || levels.empty()) return;
  int level = 0;
  for (auto& of_level : levels) {
    while (!of_level.empty() && (of_level.rbegin()->first + 1) * span(level) > at)
      of_level.erase(std::prev(of_level.end()));
    ++level;
  }
}

/// Points in a block of this level.
PointIndex WorkSums::span(int level) {
  PointIndex n = children;
  for (; level > 0; --level) n *= children;
  return n;
}

/// Adds the work between the calls of a and b, and the waits between a and b.
Ticks WorkSums::direct(PointIndex a, const Point& at_a, PointIndex b, const Point& at_b, ByPath& sum) const {
  history_.add_work_without_forks(a == before_all ? nullptr : &at_a, at_b, sum.worked);
  return waits(at_b.location, a + 1, b, sum);
}

/// Like direct(), with the wait of a.
Ticks WorkSums::direct_with(PointIndex a, PointIndex b, const Point& at_b, ByPath& sum) const {
  const Point at_a = order_.point(at_b.location, a);
  if (at_a.wait > 0) sum.waited.add(at_a.callpath, at_a.wait);
  return std::max<Ticks>(0, at_a.wait) + direct(a, at_a, b, at_b, sum);
}

/// Adds the waits of the points in [from, to), and the time that forks among them have of their own.
Ticks WorkSums::waits(LocationId l, PointIndex from, PointIndex to, ByPath& sum) const {
  Ticks waited = 0;
  order_.each(l, from, to, [&](const OrderedPoints::Step& s) {
    if (s.time == 0) return;
    if (s.is_fork) {
      sum.worked.add(s.callpath, s.time);
      return;
    }
    sum.waited.add(s.callpath, s.time);
    waited += s.time;
  });
  return waited;
}

const WorkSums::Block& WorkSums::sums(LocationId l, int level, PointIndex index) {
  auto& levels = blocks_[locations_.place(l)];
  const auto own = static_cast<std::size_t>(level);
  if (levels.size() <= own) levels.resize(own + 1);
  if (const auto found = levels[own].find(index); found != levels[own].end()) return found->second;
  Block block;
  if (level == 0) {
    const PointIndex end = (index + 1) * children;
    block.waited = direct_with(index * children, end, order_.point(l, end), block_);
  } else {
    for (PointIndex i = 0; i < children; ++i) sums(l, level - 1, index * children + i);
    for (PointIndex i = 0; i < children; ++i) {
      const Block& child = sums(l, level - 1, index * children + i);
      block.waited += child.waited;
      add(child, block_);
    }
  }
  for (const CallPathId c : block_.waited.touched()) block_.worked.add(c, 0);
  for (const CallPathId c : block_.worked.touched()) block.sums.push_back({c, block_.worked[c], block_.waited[c]});
  block_.worked.clear(), block_.waited.clear();
  return levels[own].emplace(index, std::move(block)).first->second;
}

void WorkSums::add(const Block& block, ByPath& sum) {
  for (const Sum& s : block.sums) {
    sum.worked.add(s.callpath, s.worked);
    if (s.waited != 0) sum.waited.add(s.callpath, s.waited);
  }
}

}  // namespace waitstate::causes

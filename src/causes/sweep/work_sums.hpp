// What a location worked, and how long it waited, between any two of its points, in few steps however far apart they
// are.
//
// Where they are near, point by point. Else the span is taken together from blocks of 16, 256, 4,096, … points,
// whose sums by call path are made when they are first asked for, and forgotten when the sweep (sweep_part.hpp), which
// goes back, has passed their end. So memory is bounded by the longest span that is asked for.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "causes/causes.hpp"
#include "causes/sweep/ordered_points.hpp"

namespace waitstate::causes {

class WorkSums {
 public:
  /// Times > 0.
  using Paths = std::vector<std::pair<CallPathId, Ticks>>;

  WorkSums(const Causes& causes, const OrderedPoints& order, const LocationRange& locations, std::size_t callpaths)
      : all_(causes),
        order_(order),
        locations_(locations),
        blocks_(locations.size()),
        asked_(callpaths),
        block_(callpaths) {}

  /// Causes::add_work_without_waits of two positions of a location.
  Ticks worked(Position a, Position b, const Point& at_b, Paths& paths) {
    const LocationId l = at_b.location;
    const PointId id = order_.id(l, a);
    const Point at_a = id == no_point ? Point{} : all_.at(id);
    Ticks waited = 0;
    if (b - a <= 2 * children) {
      waited = direct(a, at_a, b, at_b, asked_);
    } else {
      Position at = (a / children + 1) * children;  // a = no_position: the first point
      if (a == no_position) at = 0;
      const Position tail = b / children * children;
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
    all_.take_off_waits(id == no_point ? nullptr : &at_a, asked_.worked, asked_.waited);
    for (const CallPathId c : asked_.worked.touched())
      if (const Ticks t = asked_.worked[c]; t != 0) paths.emplace_back(c, t);
    asked_.worked.clear();
    return waited;
  }

  /// The sweep has left the point: nothing that ends after it is asked for any more.
  void passed(LocationId l, Position at) {
    std::vector<std::map<Position, Block>>& levels = blocks_[locations_.place(l)];
    if (at % children != 0 || levels.empty()) return;
    int level = 0;
    for (auto& of_level : levels) {
      while (!of_level.empty() && (of_level.rbegin()->first + 1) * span(level) > at)
        of_level.erase(std::prev(of_level.end()));
      ++level;
    }
  }

 private:
  static constexpr Position children = 16;
  struct Sum {
    CallPathId callpath;
    Ticks worked, waited;
  };
  struct Block {
    std::vector<Sum> sums;
    Ticks waited = 0;
  };
  /// Points in a block of this level.
  static Position span(int level) {
    Position n = children;
    for (; level > 0; --level) n *= children;
    return n;
  }

  struct ByPath {
    explicit ByPath(std::size_t callpaths) : worked(callpaths), waited(callpaths) {}
    PathTimes worked, waited;
  };

  // Work between the calls of a and b, and waits between a and b.
  Ticks direct(Position a, const Point& at_a, Position b, const Point& at_b, ByPath& sum) const {
    all_.add_work(a == no_position ? nullptr : &at_a, at_b, sum.worked);
    return waits(at_b.location, a + 1, b, sum);
  }
  // The same with the wait of a.
  Ticks direct_with(Position a, Position b, const Point& at_b, ByPath& sum) const {
    const Point at_a = order_.point(at_b.location, a);
    if (at_a.wait > 0) sum.waited.add(at_a.callpath, at_a.wait);
    return std::max<Ticks>(0, at_a.wait) + direct(a, at_a, b, at_b, sum);
  }
  // Of the points in [from, to); forks among them have time of their own.
  Ticks waits(LocationId l, Position from, Position to, ByPath& sum) const {
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

  const Block& sums(LocationId l, int level, Position index) {
    auto& levels = blocks_[locations_.place(l)];
    const auto own = static_cast<std::size_t>(level);
    if (levels.size() <= own) levels.resize(own + 1);
    if (const auto found = levels[own].find(index); found != levels[own].end()) return found->second;
    Block block;
    if (level == 0) {
      const Position end = (index + 1) * children;
      block.waited = direct_with(index * children, end, order_.point(l, end), block_);
    } else {
      for (Position i = 0; i < children; ++i) sums(l, level - 1, index * children + i);
      for (Position i = 0; i < children; ++i) {
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
  static void add(const Block& block, ByPath& sum) {
    for (const Sum& s : block.sums) {
      sum.worked.add(s.callpath, s.worked);
      if (s.waited != 0) sum.waited.add(s.callpath, s.waited);
    }
  }

  const Causes& all_;
  const OrderedPoints& order_;
  const LocationRange locations_;
  std::vector<std::vector<std::map<Position, Block>>> blocks_;  ///< by location and level
  ByPath asked_, block_;
};

}  // namespace waitstate::causes

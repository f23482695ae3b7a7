// What a location worked, and how long it waited, between any two of its points, in few steps however far apart they
// are.
//
// Where they are near, point by point. Else the span is taken together from blocks of 16, 256, 4,096, … points,
// whose sums by call path are made when they are first asked for, and forgotten when the sweep (delay_sweep.hpp), which
// goes back, has passed their end. So memory is bounded by the longest span that is asked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "causes.hpp"

namespace waitstate::patterns {

/// Of a location the place of a point in the order of time, from 0 on; no_position: before all.
using Position = std::int64_t;
inline constexpr Position no_position = -1;

/// The points of all locations in the order of time: 8 bytes each, spilled.
class OrderedPoints {
 public:
  explicit OrderedPoints(const Causes& causes) : all_(causes), steps_(causes.work->spill_beyond()) {
    for (std::size_t l = 0; l < all_.locations(); ++l)
      first_.push_back(l == 0 ? 0 : first_.back() + all_.points.size(LocationId{l - 1}));
    steps_.grow(all_.points.size());
  }
  Position size(LocationId l) const { return Position{all_.points.size(l)}; }
  PointId id(LocationId l, Position at) const { return at == no_position ? no_point : PointId{l, step(l, at).number}; }
  Point point(LocationId l, Position at) const { return all_.at(id(l, at)); }
  /// Where it met the same partner before; the operation or point of a team before.
  Position met_before(LocationId l, Position at) const { return step(l, at).met_before; }
  void set(PointId id, Position at) { steps_.set(place(id.location, at), {id.number, no_position}); }
  void set_met_before(LocationId l, Position at, Position before) {
    steps_.change(place(l, at), [&](Step& s) { s.met_before = static_cast<std::int32_t>(before); });
  }
  /// Of a location's points, by their numbers or positions, in a vector of all.
  std::size_t place(LocationId l, Position at) const { return first_[l.index()] + static_cast<std::size_t>(at); }

 private:
  struct Step {
    std::uint32_t number;
    std::int32_t met_before;
  };
  Step step(LocationId l, Position at) const { return steps_[place(l, at)]; }

  const Causes& all_;
  std::vector<std::size_t> first_;
  SpilledVector<Step> steps_;
};

class WorkSums {
 public:
  /// Times > 0.
  using Paths = std::vector<std::pair<CallPathId, Ticks>>;

  WorkSums(const Causes& causes, const OrderedPoints& order, std::size_t callpaths)
      : all_(causes), order_(order), blocks_(causes.locations()), asked_(callpaths), block_(callpaths) {}

  /// Causes::add_work_without_waits of two positions of a location.
  Ticks worked(Position a, Position b, const Point& at_b, Paths& paths) {
    const LocationId l = at_b.location;
    const PointId id = order_.id(l, a);
    const Point at_a = id == no_point ? Point{} : all_.at(id);
    Ticks waited = 0;
    if (b - a <= 2 * children) {
      waited = direct(id, at_a, at_b, asked_);
    } else {
      Position at = (a / children + 1) * children;  // a = no_position: the first point
      if (a == no_position) at = 0;
      const Position tail = b / children * children;
      waited = direct(id, at_a, order_.point(l, at), asked_);
      while (at < tail) {
        int level = 0;
        while (at % span(level + 1) == 0 && at + span(level + 1) <= tail) ++level;
        const Block& block = sums(l, level, at / span(level));
        waited += block.waited;
        add(block, asked_);
        at += span(level);
      }
      if (tail < b) waited += direct_with(l, tail, at_b, asked_);
    }
    all_.take_off_waits(id == no_point ? nullptr : &at_a, asked_.worked, asked_.waited);
    for (const CallPathId c : asked_.worked.touched())
      if (const Ticks t = asked_.worked[c]; t != 0) paths.emplace_back(c, t);
    asked_.worked.clear();
    return waited;
  }

  /// The sweep has left the point: nothing that ends after it is asked for any more.
  void passed(LocationId l, Position at) {
    if (at % children != 0 || blocks_[l.index()].empty()) return;
    int level = 0;
    for (auto& of_level : blocks_[l.index()]) {
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
  Ticks direct(PointId a, const Point& at_a, const Point& at_b, ByPath& sum) {
    Ticks waited = 0;
    all_.add_work(a == no_point ? nullptr : &at_a, at_b, sum.worked);
    all_.between(a, at_b.point_before(), [&](PointId, const Point& y) {
      if (y.kind == PointKind::fork && y.total > 0) sum.worked.add(y.callpath, y.total);
      if (y.wait <= 0) return;
      sum.waited.add(y.callpath, y.wait);
      waited += y.wait;
    });
    return waited;
  }
  // The same with the wait of a.
  Ticks direct_with(LocationId l, Position a, const Point& at_b, ByPath& sum) {
    const PointId id = order_.id(l, a);
    const Point at_a = all_.at(id);
    if (at_a.wait > 0) sum.waited.add(at_a.callpath, at_a.wait);
    return std::max<Ticks>(0, at_a.wait) + direct(id, at_a, at_b, sum);
  }

  const Block& sums(LocationId l, int level, Position index) {
    auto& levels = blocks_[l.index()];
    const auto own = static_cast<std::size_t>(level);
    if (levels.size() <= own) levels.resize(own + 1);
    if (const auto found = levels[own].find(index); found != levels[own].end()) return found->second;
    Block block;
    if (level == 0) {
      block.waited = direct_with(l, index * children, order_.point(l, (index + 1) * children), block_);
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
  std::vector<std::vector<std::map<Position, Block>>> blocks_;  ///< by location and level
  ByPath asked_, block_;
};

}  // namespace waitstate::patterns

// The waits that the locations of a part have been told of, until they come to the points that were waited for; and the
// number of waits that a point is still to be told of.
//
// Memory: 4 bytes a point, spilled; of waits that have been told of and not judged, what they worked. That of judged
// ones is used again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "causes/sweep/ordered_points.hpp"
#include "causes/sweep/sums.hpp"
#include "causes/sweep/work_sums.hpp"

namespace waitstate::causes {

/// A wait, as the location that waited tells the one that it waited for.
struct Waiter {
  PointId culprit{};
  LocationId location{};
  CallPathId callpath{};
  PointKind kind{};
  bool of_operation = false;  ///< it is a collective operation of MPI, whose costs are counted as in Scalasca
  std::uint32_t types = 0;    ///< bits by DelayType: debts that it has
  Ticks wait = 0;
  Ticks unknown = 0;   ///< the part of its work that may be waits
  bool lacks = false;  ///< the trace lacks something that the call may have waited for as well
  Debts debts;
  WorkSums::Paths worked{};  ///< its work since the two met before
};

class Waiters {
 public:
  Waiters(const OrderedPoints& order, std::size_t spill_beyond) : order_(order), untold_(spill_beyond) {}

  /// Once, when the number of points is known.
  void begin() { untold_.grow(order_.size()); }
  /// That point of these locations will be told of one more wait.
  void expect(PointId culprit) {
    untold_.change(place(culprit), [](std::uint32_t& n) { ++n; });
  }
  /// All waits for the point have been told of.
  bool has_all(PointId culprit) const { return untold_[place(culprit)] == 0; }
  /// One more wait for the point has been told of; true if that was the last.
  bool is_last(PointId culprit) {
    bool all = false;
    untold_.change(place(culprit), [&](std::uint32_t& n) { all = --n == 0; });
    return all;
  }

  /// One more for the point, with the memory of one that has been judged.
  Waiter& add(PointId culprit);
  /// Memory for Waiter::worked, empty.
  WorkSums::Paths take_paths();
  /// visit(const std::vector<Waiter>&) of those that waited for the point, if there are any; forgets them then.
  template <class Visit>
  void judge(PointId culprit, Visit&& visit) {
    const auto found = told_.find(key(culprit));
    if (found == told_.end()) return;
    Told::node_type waiters = told_.extract(found);
    visit(waiters.mapped());
    forget(std::move(waiters));
  }

 private:
  using Told = std::unordered_map<std::uint64_t, std::vector<Waiter>>;
  static constexpr std::size_t most_spare = 4096;

  static std::uint64_t key(PointId id) { return std::uint64_t{id.location.value} << 32 | id.number; }
  std::size_t place(PointId id) const { return order_.place(id.location, PointIndex{id.number}); }
  void forget(Told::node_type told);

  const OrderedPoints& order_;
  util::SpilledVector<std::uint32_t> untold_;  ///< by place of a point: waits for it that have not been told of
  Told told_;                                  ///< by the point that was waited for
  std::vector<Told::node_type> spare_told_;
  std::vector<WorkSums::Paths> spare_paths_;
};

}  // namespace waitstate::causes

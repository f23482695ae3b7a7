// The spans of one location that are open where the sweep is, each from a point that others waited for back to where
// they had met before: they say how much a tick of waiting owes.
//
// One sum says how much all open spans ask of a tick of waiting, so a wait costs the same however many spans lie over
// it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <queue>
#include <utility>

#include "causes/sweep/ordered_points.hpp"
#include "causes/sweep/sums.hpp"

namespace waitstate::causes {

/// visit(std::size_t) of the types whose bits are set.
template <class Visit>
void for_each_type(std::uint32_t types, Visit&& visit) {
  for (; types != 0; types &= types - 1) visit(static_cast<std::size_t>(std::countr_zero(types)));
}

class OpenSpans {
 public:
  /// Where a span ends: behind that point, or with it.
  static PointIndex after(PointIndex at) { return 2 * at + 1; }
  static PointIndex from(PointIndex at) { return 2 * at; }

  /// A span to that end, in which a tick of waiting owes `share` to waits of the type, and f to those of `types`.
  void open(PointIndex end, DelayType type, double share, std::uint32_t types, const Debts& f) {
    Rates& here = open_[end];
    const auto add = [&](std::size_t t, double rate) {
      here[t] += FixedTicks(rate);
      rates_[t] += FixedTicks(rate);
    };
    add(static_cast<std::size_t>(type), share);
    for_each_type(types, [&](std::size_t t) { add(t, f[t]); });
  }
  /// A span that a wait for a message opened.
  void open_message(PointIndex end, double share) { of_messages_.emplace(share, end); }
  /// Closes the spans that this point is no part of, nor any before it.
  void close(PointIndex at) {
    while (!open_.empty() && open_.rbegin()->first > from(at)) {
      for (std::size_t t = 0; t < delay_type_count; ++t) rates_[t] -= open_.rbegin()->second[t];
      open_.erase(std::prev(open_.end()));
    }
    while (!of_messages_.empty() && of_messages_.top().second > from(at)) of_messages_.pop();
  }

  /// The debt of a tick of waiting to waits of that type.
  double rate(std::size_t type) const { return rates_[type].ticks(); }
  /// The largest share of a wait for a message that a wait here was handed on to; 0 if there is none.
  double share_of_messages() const { return of_messages_.empty() ? 0 : of_messages_.top().first; }

 private:
  using Rates = std::array<FixedTicks, delay_type_count>;
  std::map<PointIndex, Rates> open_{};                                ///< by their ends
  Rates rates_{};                                                     ///< their sum
  std::priority_queue<std::pair<double, PointIndex>> of_messages_{};  ///< shares of waits, and the ends of their spans
};

}  // namespace waitstate::causes

#include "waitstate/result/counter.hpp"

#include <algorithm>

namespace waitstate {

CounterKind counter_kind(const MetricMember& member) {
  switch (member.mode & 0x0f) {
    case 1:
      return CounterKind::absolute;
    case 2:
      return CounterKind::relative;
    default:
      return CounterKind::accumulated;
  }
}

CounterTiming counter_timing(const MetricMember& member) {
  const unsigned timing = member.mode >> 4;
  return timing <= static_cast<unsigned>(CounterTiming::next) ? static_cast<CounterTiming>(timing)
                                                              : CounterTiming::start;
}

CounterRow Counter::total() const {
  CounterRow sum;
  for (const CounterRow& row : rows) {
    sum.least = sum.samples == 0 ? row.least : std::min(sum.least, row.least);
    sum.greatest = sum.samples == 0 ? row.greatest : std::max(sum.greatest, row.greatest);
    sum.samples += row.samples;
    sum.weight += row.weight;
  }
  return sum;
}

}  // namespace waitstate

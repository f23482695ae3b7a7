#include "pass/time_bins.hpp"

#include "pass/region_walk.hpp"

namespace waitstate::pass {
namespace {

class BinSink : public RegionWalk<BinSink> {
 public:
  BinSink(const Definitions& definitions, std::span<const Time> bounds, std::vector<BinTimes>& bins)
      : definitions_(definitions), bounds_(bounds), bins_(bins) {}

  void entered(RegionId) {}
  void left() {}
  void spent(Time from, Time to) {
    if (!measured()) return;
    const bool is_computation = computes(definitions_);
    while (bin_ + 1 < bounds_.size() && bounds_[bin_ + 1] <= from) ++bin_;  // times never go back
    spread_over_bins(bounds_, bin_, from, to, [&](std::size_t bin, Time ticks) {
      bins_[bin].in_regions = add_ticks(bins_[bin].in_regions, ticks);
      if (is_computation) bins_[bin].computation = add_ticks(bins_[bin].computation, ticks);
    });
  }

 private:
  const Definitions& definitions_;
  std::span<const Time> bounds_;
  std::vector<BinTimes>& bins_;
  std::size_t bin_ = 0;
};

struct SpanSink {
  Time& first;
  Time& last;
  void enter(Time t, RegionId) { note(t); }
  void exit(Time t, RegionId) { note(t); }
  void event(EventType, Time t, const std::uint64_t*, std::span<const Value>) { note(t); }
  void attribute_list(std::span<const ListedAttribute>) {}
  void note(Time t) {
    first = std::min(first, t);
    last = std::max(last, t);
  }
};

}  // namespace

std::pair<Time, Time> event_span(TraceInput& input) {
  Time first = ~Time{0}, last = 0;
  read_all_locations<SpanSink>(
      input,
      [&](LocationId) {
        return SpanSink{first, last};
      },
      [](LocationId, SpanSink&) {});
  return {first, last};
}

void times_in_bins(TraceInput& input, std::span<const Time> bounds,
                   const std::function<void(LocationId, std::span<const BinTimes>)>& take) {
  std::vector<BinTimes> bins;
  read_all_locations<BinSink>(
      input,
      [&](LocationId) {
        bins.assign(bounds.size() - 1, {});
        return BinSink(input.definitions(), bounds, bins);
      },
      [&](LocationId l, BinSink&) { take(l, bins); });
}

}  // namespace waitstate::pass

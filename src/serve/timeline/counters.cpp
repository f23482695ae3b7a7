#include "serve/timeline/counters.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "serve/timeline/stretch_of_bins.hpp"

namespace waitstate::serve {
namespace {

/// Returns NaN for a value that is not a number.
double number_of(const Value& v) {
  switch (v.type) {
    case ValueType::uint8:
    case ValueType::uint16:
    case ValueType::uint32:
    case ValueType::uint64:
      return static_cast<double>(v.bits);
    case ValueType::int8:
    case ValueType::int16:
    case ValueType::int32:
    case ValueType::int64:
      return static_cast<double>(static_cast<std::int64_t>(v.bits));
    case ValueType::float_:
    case ValueType::double_:
      return std::bit_cast<double>(v.bits);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

Counters::Counters(const Definitions& definitions) : definitions_(&definitions) {
  std::set<std::string> names;
  for (const MetricMember& member : definitions.metric_members) names.insert(member.name);
  names_.assign(names.begin(), names.end());
  for (const MetricMember& m : definitions.metric_members)
    members_.push_back({*find(m.name), counter_kind(m), counter_timing(m),
                        std::pow(m.base == Base::binary ? 2.0 : 10.0, static_cast<double>(m.exponent))});
}

std::optional<std::size_t> Counters::find(std::string_view name) const {
  const auto found = std::lower_bound(names_.begin(), names_.end(), name);
  if (found == names_.end() || *found != name) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

std::string Counters::unit(std::size_t counter) const {
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].counter != counter) continue;
    const std::string& given = definitions_->metric_members[m].unit;
    std::string unit = given == "#" ? "" : given;
    if (members_[m].kind == CounterKind::absolute) return unit;
    return (unit.empty() ? "1" : unit) + "/s";
  }
  return "";
}

std::span<const MetricMemberId> Counters::members_of(MetricId metric) const {
  if (!metric.valid() || metric.index() >= definitions_->metrics.size()) return {};
  const Metric* m = &definitions_->metrics[metric.index()];
  if (m->metric_class.valid() && m->metric_class.index() < definitions_->metrics.size())
    m = &definitions_->metrics[m->metric_class.index()];
  return m->members;
}

void CounterRecorder::record(Time now, MetricId metric, std::span<const Value> values) {
  const std::span<const MetricMemberId> members = counters_->members_of(metric);
  std::vector<Last>& all = last_[metric];
  all.resize(members.size());
  last_record_ = now;
  for (std::size_t i = 0; i < std::min(members.size(), values.size()); ++i) {
    if (!members[i].valid()) continue;
    const Counters::Member& member = counters_->member(members[i]);
    const double value = number_of(values[i]) * member.scale;
    CounterBins& bins = (*bins_)[member.counter];
    if (!std::isfinite(value)) continue;
    Last& last = all[i];
    const auto show = [&](double shown) {
      bins.each(last.time, now, [&](CounterValues& bin, Time ticks) { bin.add(shown, ticks); });
    };
    const double seconds = static_cast<double>(now - last.time) / counters_->ticks_per_second();
    if (member.kind == CounterKind::accumulated && last.is_known) {
      moves_[members[i]].add(last.raw, values[i]);
      last.raw = values[i];
      if (now == last.time && value >= last.value) continue;  // the next difference contains it
      if (value >= last.value) show((value - last.value) / seconds);
    } else if (member.kind == CounterKind::relative) {
      if (now == last.time && last.is_known) {
        last.not_shown += value;
        continue;
      }
      if (last.is_known) show((value + last.not_shown) / seconds);
      last.not_shown = 0;
    } else if (member.kind == CounterKind::absolute && last.is_known) {
      show(member.timing == CounterTiming::last ? value : last.value);
    }
    last = {true, values[i], value, 0, now};
  }
}

void CounterRecorder::finish(Time end) {
  for (const auto& entry : last_) {
    const auto& [metric, all] = entry;
    const std::span<const MetricMemberId> members = counters_->members_of(metric);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Last& last = all[i];
      if (!last.is_known) continue;
      const Counters::Member& member = counters_->member(members[i]);
      if (member.kind == CounterKind::absolute && member.timing != CounterTiming::last)
        (*bins_)[member.counter].each(last.time, end,
                                      [&](CounterValues& bin, Time ticks) { bin.add(last.value, ticks); });
    }
  }
}

CounterStore::CounterStore(std::size_t counters, std::size_t locations, Time start)
    : locations_(locations), bins_(0), start_(start), series_(counters * locations) {
  if (series_.empty()) return;
  bins_ = std::min(most_bins, std::bit_floor(most_bytes / (sizeof(Bin) * series_.size())));
  if (bins_ < fewest_bins) bins_ = 0, series_.clear();
}

void CounterStore::take(LocationId location, const std::vector<CounterBins>& values) {
  if (bins_ == 0) return;
  for (std::size_t c = 0; c < values.size(); ++c) {
    const auto bins = values[c].bins();
    if (std::all_of(bins.begin(), bins.end(), [](const CounterValues& v) { return v.ticks == 0; })) continue;
    Series& series = series_[c * locations_ + location.index()];
    series.width = values[c].width();
    for (const CounterValues& v : bins)
      series.bins.push_back(v.ticks == 0 ? Bin{}
                                         : Bin{static_cast<float>(v.least), static_cast<float>(v.greatest),
                                               static_cast<float>(v.product / static_cast<double>(v.ticks))});
  }
}

CounterStore::Bin CounterStore::joined(const Bin& a, const Bin& b) {
  if (std::isnan(a.mean)) return b;
  if (std::isnan(b.mean)) return a;
  return {std::min(a.least, b.least), std::max(a.greatest, b.greatest), (a.mean + b.mean) / 2};
}

void CounterStore::align() {
  for (const Series& s : series_)
    if (!s.bins.empty()) width_ = std::max(width_, s.width);
  for (Series& s : series_)
    for (; !s.bins.empty() && s.width < width_; s.width *= 2) {
      for (std::size_t b = 0; b < bins_ / 2; ++b) s.bins[b] = joined(s.bins[2 * b], s.bins[2 * b + 1]);
      std::fill(s.bins.begin() + static_cast<std::ptrdiff_t>(bins_ / 2), s.bins.end(), Bin{});
    }
}

void CounterStore::add(std::size_t counter, std::size_t first, std::size_t last, Time from, Time width,
                       std::span<CounterValues> sums) const {
  if (bins_ == 0) return;
  const StretchOfBins stretch(start_, width_, bins_, from, width, sums.size());
  for (std::size_t l = first; l < last; ++l) {
    const std::vector<Bin>& bins = series_[counter * locations_ + l].bins;
    if (bins.empty()) continue;
    stretch.spread([&](std::size_t bin, std::size_t of_store, Time ticks) {
      const Bin& b = bins[stretch.first + of_store];
      if (std::isnan(b.mean)) return;
      CounterValues& sum = sums[bin];
      sum.least = std::min<double>(sum.least, b.least), sum.greatest = std::max<double>(sum.greatest, b.greatest);
      sum.product += static_cast<double>(b.mean) * static_cast<double>(ticks), sum.ticks += ticks;
    });
  }
}

}  // namespace waitstate::serve

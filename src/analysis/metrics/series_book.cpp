#include "analysis/metrics/series_book.hpp"

#include <array>

namespace waitstate::analysis {

namespace {
constexpr std::uint64_t aligned = WaitSeries::max_bins / WaitSeries::max_group_bins;
}

void SeriesBook::make_room(Time begin, Time last) {
  const Time first = std::min(first_, begin), end = std::max(last_, last);
  // The series begins with a whole bin of groups, which is at most `aligned` bins long.
  while ((end >> shift_) - ((first >> shift_) & ~(aligned - 1)) >= WaitSeries::max_bins) merge_pairs();
  first_ = first, last_ = end;
}

// Merges pairs of the existing bins, from first_ to last_.
void SeriesBook::merge_pairs() {
  if (first_ <= last_) {
    const std::uint64_t from = first_ >> shift_, to = last_ >> shift_;
    for (std::vector<Row>& of_metric : rows_)
      for (Row& row : of_metric) {
        if (row.bins == nullptr) continue;
        std::array<Ticks, WaitSeries::max_bins> merged{};
        for (std::uint64_t bin = from; bin <= to; ++bin) {
          Ticks& sum = merged[bin / 2 % merged.size()];
          sum = add_ticks(sum, static_cast<std::uint64_t>(row[bin % merged.size()]));
        }
        std::copy(merged.begin(), merged.end(), row.bins.get());
      }
  }
  ++shift_;
}

// The bins are as long as those of one book: the shortest that hold all waits. Each book's waits are among them, so its
// own bins are no longer than that.
void SeriesBook::merge(SeriesBook& other) {
  if (other.first_ > other.last_) return;
  while (shift_ < other.shift_) merge_pairs();
  make_room(other.first_, other.last_);
  while (other.shift_ < shift_) other.merge_pairs();
  for (MetricIndex m = 0; m < other.rows_.size(); ++m)
    for (std::size_t g = 0; g < other.rows_[m].size(); ++g) {
      const Row& from = other.rows_[m][g];
      if (from.bins == nullptr) continue;
      Row& to = row_of(m, LocationId{g * per_group_});
      for (std::size_t bin = 0; bin < WaitSeries::max_bins; ++bin)
        to[bin] = add_ticks(to[bin], static_cast<std::uint64_t>(from[bin]));
    }
}

void SeriesBook::spread(Row& row, Time begin, Time last) const {
  for (std::uint64_t bin = begin >> shift_, end = last >> shift_; bin <= end; ++bin) {
    const Time from = std::max(begin, bin << shift_), to = std::min(last, ((bin + 1) << shift_) - 1);
    Ticks& sum = row[bin % WaitSeries::max_bins];
    sum = add_ticks(sum, to - from + 1);
  }
}

WaitSeries SeriesBook::finish(const Severities& severities) const {
  WaitSeries series;
  for (std::size_t g = 0; g < groups_; ++g)
    series.groups.emplace_back(LocationId{g * per_group_}, LocationId{std::min((g + 1) * per_group_, locations_) - 1});
  if (first_ > last_) return series;
  std::size_t per_group_bin = 1;
  const auto bins_of = [&](std::size_t n) { return ((last_ >> shift_) / n - (first_ >> shift_) / n) + 1; };
  while (bins_of(per_group_bin) > WaitSeries::max_group_bins) per_group_bin *= 2;
  const std::uint64_t from = (first_ >> shift_) / per_group_bin * per_group_bin, to = last_ >> shift_;
  series.start = from << shift_;
  series.bin_ticks = std::uint64_t{1} << shift_;
  series.bins = static_cast<std::size_t>(to - from) + 1;
  series.bins_per_group_bin = per_group_bin;
  for (MetricIndex m = 0; m < rows_.size(); ++m) {
    if (rows_[m].empty()) continue;
    WaitSeries::OfMetric& of_metric = series.metrics[m];
    of_metric.ticks.assign(series.bins, 0);
    for (std::uint32_t g = 0; g < groups_; ++g) {
      if (rows_[m][g].bins == nullptr) continue;
      std::vector<Ticks> ticks(series.group_bins(), 0);
      for (std::uint64_t bin = first_ >> shift_; bin <= to; ++bin) {
        const auto value = static_cast<std::uint64_t>(rows_[m][g].bins[bin % WaitSeries::max_bins]);
        const auto i = static_cast<std::size_t>(bin - from);
        of_metric.ticks[i] = add_ticks(of_metric.ticks[i], value);
        ticks[i / per_group_bin] = add_ticks(ticks[i / per_group_bin], value);
      }
      of_metric.groups.emplace_back(g, std::move(ticks));
    }
    std::uint64_t rest = 0;
    severities.for_each(m,
                        [&](CallPathId, LocationId, std::int64_t value) { rest += static_cast<std::uint64_t>(value); });
    for (const Ticks t : of_metric.ticks) rest -= static_cast<std::uint64_t>(t);
    of_metric.without_time = static_cast<Ticks>(rest);
  }
  return series;
}

}  // namespace waitstate::analysis

// Waits over time (wait_series.hpp), added up in whatever order they come.
//
// Bins are numbered from time 0 on, so the part of a wait in a bin does not depend on any other wait; and two bins
// merged are exactly one bin of twice the length. So bins may be too short for the run at first: when the waits no
// longer fit into 1,024 of them, they are merged in pairs. A bin's place in its row is its number modulo 1,024, and
// nothing has to be moved when an earlier wait comes. Cost: one addition a wait and bin; a row of 8 KiB for each metric
// and group of locations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "waitstate/result/severities.hpp"
#include "waitstate/result/wait_series.hpp"

namespace waitstate::analysis {

class SeriesBook {
 public:
  explicit SeriesBook(std::size_t locations)
      : locations_(locations), per_group_((locations + WaitSeries::max_groups - 1) / WaitSeries::max_groups) {
    per_group_ = std::max<std::size_t>(per_group_, 1);
    groups_ = (locations + per_group_ - 1) / per_group_;
  }

  /// Adds a wait that has been added to the location's severity for the metric.
  void add(MetricIndex metric, LocationId location, Time begin, Ticks ticks) {
    const Time last = begin + static_cast<Time>(ticks) - 1;
    if (ticks <= 0 || last < begin) return;  // the wait has no duration
    if (begin < first_ || last > last_) make_room(begin, last);
    Row& row = row_of(metric, location);
    const std::uint64_t a = begin >> shift_, b = last >> shift_;
    if (a == b) [[likely]] {
      Ticks& bin = row[a % WaitSeries::max_bins];
      bin = add_ticks(bin, static_cast<std::uint64_t>(ticks));
    } else {
      spread(row, begin, last);
    }
  }

  /// Adds the waits of another book for the same locations, whose bins may become longer.
  void merge(SeriesBook& other);
  template <class Archive>
  void travel(Archive& archive) {
    archive(rows_, first_, last_, shift_);
  }

  /// `severities` are the sums of all that was added, for the chosen locations only, as are the waits added here.
  WaitSeries finish(const Severities& severities) const;

 private:
  struct Row {
    std::unique_ptr<Ticks[]> bins;
    Ticks& operator[](std::size_t i) const { return bins[i]; }

    template <class Archive>
    void travel(Archive& archive) {
      bool there = bins != nullptr;
      archive(there);
      if (there && bins == nullptr) bins = std::make_unique<Ticks[]>(WaitSeries::max_bins);
      if (there) archive.bytes(bins.get(), WaitSeries::max_bins * sizeof(Ticks));
    }
  };

  Row& row_of(MetricIndex metric, LocationId location) {
    if (metric >= rows_.size()) rows_.resize(metric + 1);
    std::vector<Row>& of_metric = rows_[metric];
    if (of_metric.empty()) of_metric.resize(groups_);
    Row& row = of_metric[location.index() / per_group_];
    if (row.bins == nullptr) row.bins = std::make_unique<Ticks[]>(WaitSeries::max_bins);
    return row;
  }
  void make_room(Time begin, Time last);
  void merge_pairs();
  void spread(Row& row, Time begin, Time last) const;

  std::size_t locations_, per_group_, groups_;
  std::vector<std::vector<Row>> rows_;  ///< by metric and group
  Time first_ = ~Time{0}, last_ = 0;    ///< times of all waits; while there are none, the first is the later one
  unsigned shift_ = 0;                  ///< a bin is 2^shift_ ticks long
};

}  // namespace waitstate::analysis

// Severities: the amount of a metric in a call path on a location. They are integers - ticks, occurrences, bytes - so
// that the order in which they are added does not matter; only reports convert them to seconds.
//
// There is one hash table a metric: few metrics have a value in any one call path, so memory follows the number of
// values and not that of metrics. But a call path that one location has is mostly one of its neighbours too: values are
// kept in rows of eight locations, one cache line each, so that there are an eighth as many index entries. This takes
// 10 to 15 bytes a value where all locations do the same, 80 where no two do.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

class Severities {
 public:
  explicit Severities(std::size_t metric_count) : tables_(metric_count) {}

  /// Adds to a metric itself (values of one of its children are added to the child, and appear in the metric if
  /// within_parent is false). Constant time.
  void add(MetricIndex metric, CallPathId callpath, LocationId location, std::int64_t value);

  /// Adds all values of `other`.
  void merge(const Severities& other);

  /// For the engine: brings the values to another process.
  template <class Archive>
  void travel(Archive& archive) {
    archive(tables_);
  }

  /// Puts numbers[call path] in place of each call path; they must differ.
  void renumber(std::span<const CallPathId> numbers);

  /// False if nothing was ever added to the metric itself.
  bool has_values(MetricIndex metric) const { return metric < tables_.size() && !tables_[metric].keys.empty(); }
  /// The value that was added to the metric itself; 0 if nothing was.
  std::int64_t value(MetricIndex metric, CallPathId callpath, LocationId location) const;
  /// Value of the metric in this call path (exclusive of callees) on this location, inclusive of the metrics below it.
  std::int64_t inclusive(const MetricTree& tree, MetricIndex metric, CallPathId callpath, LocationId location) const;

  /// Calls f(CallPathId, LocationId, value) for all values of the metric itself that are not 0, in no particular order;
  /// f must not add to the metric.
  template <class F>
  void for_each(MetricIndex metric, F&& f) const {
    const Table& t = tables_[metric];
    for (std::size_t r = 0; r < t.keys.size(); ++r) each_of_row(t, r, f);
  }
  /// Like the function above, but ordered by places[call path], which must differ, and location.
  template <class F>
  void for_each(MetricIndex metric, std::span<const std::uint32_t> places, F&& f) const {
    const Table& t = tables_[metric];
    for (const std::uint32_t r : in_order(t, places)) each_of_row(t, r, f);
  }
  std::size_t metric_count() const { return tables_.size(); }
  /// True if a value of the metric itself grew beyond 64 bits: it is then given modulo 2^64.
  bool wrapped(MetricIndex metric) const { return tables_[metric].wrapped; }
  /// Makes room for metrics that were defined later.
  void grow(std::size_t metric_count) {
    if (metric_count > tables_.size()) tables_.resize(metric_count);
  }

 private:
  static constexpr std::uint32_t row_size = 8;
  struct RowKey {
    CallPathId callpath;
    std::uint32_t locations;  ///< number of the first location / row_size
    bool operator==(const RowKey&) const = default;
  };
  struct alignas(64) Row {
    std::array<std::int64_t, row_size> values{};
  };
  struct Table {
    std::vector<RowKey> keys;
    std::vector<Row> rows;             ///< indexed by the same number
    std::vector<std::uint32_t> slots;  ///< open addressing: row + 1, 0 empty
    bool wrapped = false;

    template <class Archive>
    void travel(Archive& archive) {
      archive(keys, rows, slots, wrapped);
    }
  };
  static std::size_t slot_of(const Table& table, const RowKey& key);
  static std::vector<std::uint32_t> in_order(const Table& table, std::span<const std::uint32_t> places);
  static void grow(Table& table);
  static void fill_slots(Table& table);
  template <class F>
  static void each_of_row(const Table& t, std::size_t row, F& f) {
    for (std::uint32_t i = 0; i < row_size; ++i)
      if (const std::int64_t value = t.rows[row].values[i]; value != 0)
        f(t.keys[row].callpath, LocationId{t.keys[row].locations * row_size + i}, value);
  }
  std::vector<Table> tables_;  ///< indexed by metric
};

/// The metrics, in their order, that damaged time stamps or sizes make too large for 64 bits: a value, or the sum of
/// all values including metrics below, lies outside of (-2^63, 2^63), or a part of `time` is negative. The numbers
/// reported for them are modulo 2^64 and mean nothing. O(values).
std::vector<MetricIndex> too_large(const MetricTree& metrics, const Severities& severities);

/// One row of a report table.
struct SeverityRow {
  MetricIndex metric;
  CallPathId callpath;
  LocationId location;
  std::int64_t value;  ///< inclusive along the metric tree, exclusive along the call tree; never 0
};
/// Calls use(row) for all rows that are not zero: metrics depth first, call paths depth first, locations ascending.
/// Holds the rows of one root metric at a time, 16 bytes each.
void for_each_severity_row(const MetricTree& metrics, const CallTree& call_tree, const Severities& severities,
                           const std::function<void(const SeverityRow&)>& use);
/// These rows.
std::vector<SeverityRow> severity_table(const MetricTree& metrics, const CallTree& call_tree,
                                        const Severities& severities);

}  // namespace waitstate

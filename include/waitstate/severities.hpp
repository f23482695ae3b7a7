// Severities: how much of a metric, in which call path, on which location. Integers - ticks, occurrences, bytes - so
// that the order in which they are added does not matter; seconds come into being in reports only.
#pragma once

#include <cstdint>
#include <vector>

#include "waitstate/call_tree.hpp"
#include "waitstate/ids.hpp"
#include "waitstate/metrics.hpp"

namespace waitstate {

class Severities {
 public:
  explicit Severities(std::size_t metric_count) : metric_count_(metric_count) {}

  /// Adds to a metric itself (what is charged to one of its children is added there, and appears in it if
  /// within_parent is false). Constant time.
  void add(MetricIndex metric, CallPathId callpath, LocationId location, std::int64_t value);

  /// Value of the metric in that call path (exclusive of callees) on that location, inclusive of the metrics below it.
  std::int64_t inclusive(const MetricTree& tree, MetricIndex metric, CallPathId callpath, LocationId location) const;

  /// What was added, one entry a (callpath, location) with a value per metric, in no particular order.
  struct Row {
    CallPathId callpath;
    LocationId location;
    const std::int64_t* values;  ///< one per metric, as added
  };
  std::size_t row_count() const { return keys_.size(); }
  Row row(std::size_t i) const { return {keys_[i].callpath, keys_[i].location, values_.data() + i * metric_count_}; }
  std::size_t metric_count() const { return metric_count_; }

 private:
  struct Key {
    CallPathId callpath;
    LocationId location;
  };
  std::size_t find(CallPathId callpath, LocationId location) const;  // index into table_
  std::size_t row_of(CallPathId callpath, LocationId location);

  std::size_t metric_count_;
  std::vector<Key> keys_;
  std::vector<std::int64_t> values_;
  std::vector<std::uint32_t> table_;  ///< open addressing: row + 1, 0 empty
  std::uint64_t last_key_ = ~std::uint64_t{0};
  std::size_t last_row_ = 0;
};

/// One row of a report table.
struct SeverityRow {
  MetricIndex metric;
  CallPathId callpath;
  LocationId location;
  std::int64_t value;  ///< inclusive along the metric tree, exclusive along the call tree; never 0
};
/// All rows that are not zero: metrics depth first, call paths depth first, locations ascending.
std::vector<SeverityRow> severity_table(const MetricTree& metrics, const CallTree& call_tree,
                                        const Severities& severities);

}  // namespace waitstate

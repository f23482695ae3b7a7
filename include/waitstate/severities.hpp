// Severities: how much of a metric, in which call path, on which location. Integers - ticks, occurrences, bytes - so
// that the order in which they are added does not matter; seconds come into being in reports only.
//
// One hash table a metric: few metrics have a value in any one call path on any one location, so memory follows the
// values that are there (about 30 bytes each) and not the number of metrics.
#pragma once

#include <cstdint>
#include <vector>

#include "waitstate/call_tree.hpp"
#include "waitstate/ids.hpp"
#include "waitstate/metrics.hpp"

namespace waitstate {

class Severities {
 public:
  explicit Severities(std::size_t metric_count) : tables_(metric_count) {}

  /// Adds to a metric itself (what is charged to one of its children is added there, and appears in it if
  /// within_parent is false). Constant time.
  void add(MetricIndex metric, CallPathId callpath, LocationId location, std::int64_t value);

  /// What was added to the metric itself; 0 if nothing was.
  std::int64_t value(MetricIndex metric, CallPathId callpath, LocationId location) const;
  /// Value of the metric in that call path (exclusive of callees) on that location, inclusive of the metrics below it.
  std::int64_t inclusive(const MetricTree& tree, MetricIndex metric, CallPathId callpath, LocationId location) const;

  /// Calls f(CallPathId, LocationId, value) for all that was added to the metric itself, in the order in which call paths
  /// and locations first came up; values may be 0.
  template <class F>
  void for_each(MetricIndex metric, F&& f) const {
    for (const Entry& e : tables_[metric].entries) f(e.callpath, e.location, e.value);
  }
  std::size_t metric_count() const { return tables_.size(); }
  /// Makes room for metrics that were defined later.
  void grow(std::size_t metric_count) {
    if (metric_count > tables_.size()) tables_.resize(metric_count);
  }

 private:
  struct Entry {
    CallPathId callpath;
    LocationId location;
    std::int64_t value;
  };
  struct Table {
    std::vector<Entry> entries;
    std::vector<std::uint32_t> slots;  ///< open addressing: entry + 1, 0 empty
    std::uint32_t last = 0;            ///< entry of the last add()
  };
  static std::size_t slot_of(const Table& table, CallPathId callpath, LocationId location);
  std::vector<Table> tables_;  ///< by metric
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

// Where each metric stands in the metric tree of a CUBE report.
//
// CUBE takes all children of a metric off it, to show what is left. So children must not overlap: where a call is long
// for two reasons (Big Messages, Dominating Communication, Late Sender), both as children would leave less than
// nothing. Here a share of a metric (MetricInfo::within_parent) stays below it if it overlaps neither what its parent
// is the sum of, nor another share that stays. All others become roots behind the tree that they are from, with what is
// below them; the anchor says where they belong (within_key), so that a reader of ours puts them back.
//
// Of metrics that are built in it is decided by the tree alone, whatever the values and the patterns that were run: so
// reports of several runs have the same tree, and tools can compare them. A share overlaps if
//
//   its parent has summands, of whose time it may be a part
//   it is not a wait, and there are other shares
//   it is a share of a share, and not the first one
//
// The values decide of what no rule knows, such as a plug-in's metric: what does not fit into what is left of its
// parent in each call path on each location does not stay there. So nothing is ever below zero; that costs one look at
// each row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"

namespace waitstate::report {

class CubeMetricPlaces {
 public:
  /// `table`: all rows, as AnalysisResult::table() gives them; it has to outlive this. `cnodes`: by call path, its
  /// place depth first.
  CubeMetricPlaces(const MetricTree& metrics, std::span<const SeverityRow> table,
                   const std::vector<std::uint32_t>& cnodes);

  /// In the report; no_metric for a root.
  MetricIndex parent(MetricIndex m) const { return parents_[m]; }
  /// It is a root in the report, and nowhere else.
  bool moved(MetricIndex m) const { return parents_[m] != metrics_[m].parent; }
  bool any_moved() const { return any_moved_; }
  /// All metrics as the report lists them: depth first.
  const std::vector<MetricIndex>& order() const { return order_; }
  /// The metrics that stand below it in the report.
  const std::vector<MetricIndex>& children(MetricIndex m) const { return children_[m]; }
  std::span<const SeverityRow> rows(MetricIndex m) const { return rows_[m]; }

  /// Calls f(row of `m`, row of `child`) for each call path and location that both have a value of, in the order of
  /// rows.
  template <class F>
  void for_each_common(MetricIndex m, MetricIndex child, F&& f) const {
    const std::span<const SeverityRow> above = rows_[m], below = rows_[child];
    for (std::size_t i = 0, k = 0; i < above.size() && k < below.size();) {
      const std::int64_t order = compare(above[i], below[k]);
      if (order == 0)
        f(i++, k++);
      else if (order < 0)
        ++i;
      else
        ++k;
    }
  }

 private:
  std::int64_t compare(const SeverityRow& a, const SeverityRow& b) const {
    const std::int64_t paths = std::int64_t{cnodes_[a.callpath.index()]} - std::int64_t{cnodes_[b.callpath.index()]};
    return paths != 0 ? paths : std::int64_t{a.location.value} - std::int64_t{b.location.value};
  }
  void take_children(MetricIndex m);
  void list();

  const MetricTree& metrics_;
  const std::vector<std::uint32_t>& cnodes_;
  std::vector<std::span<const SeverityRow>> rows_;
  std::vector<MetricIndex> parents_, order_;
  std::vector<std::vector<MetricIndex>> children_;
  bool any_moved_ = false;
};

}  // namespace waitstate::report

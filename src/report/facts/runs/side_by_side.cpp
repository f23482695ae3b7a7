#include "report/facts/runs/side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <list>
#include <utility>

#include "report/facts/runs/common_paths.hpp"
#include "report/facts/totals.hpp"

namespace waitstate::report {
namespace {

/// One of the runs.
struct CollectedRun {
  const AnalysisResult& result;
  Totals totals;
  std::vector<std::uint32_t> paths;  ///< common numbers by call path
  Completeness completeness;

  CollectedRun(const AnalysisResult& r, CommonPaths& common)
      : result(r), totals(r), paths(common.add(r)), completeness(r) {}
  Told told(MetricIndex metric) const { return completeness.told(metric, metric == no_metric ? 0 : totals.of(metric)); }
  double value(const MetricInfo& metric, std::int64_t v) const {
    return metric.unit == Unit::seconds ? result.seconds(v) : metric.scaled(v);
  }
};

/// The largest difference that rounding alone can make between the two values.
double rounding(const AnalysisResult& a, const AnalysisResult& b) {
  const auto slower = std::min(a.definitions.clock.resolution, b.definitions.clock.resolution);
  const bool same = a.definitions.clock.resolution == b.definitions.clock.resolution;
  return same ? 0
              : static_cast<double>(std::max(a.definitions.locations.size(), b.definitions.locations.size())) /
                    static_cast<double>(slower);
}

/// Like aggregate(), but for values in their units.
double together(Aggregation aggregation, double value, double more) {
  if (aggregation == Aggregation::sum || value == 0 || more == 0) return value + more;
  return aggregation == Aggregation::minimum ? std::min(value, more) : std::max(value, more);
}

class RunCollector {
 public:
  explicit RunCollector(Runs runs) {
    for (const AnalysisResult* run : runs) runs_.emplace_back(*run, common_);
    sides_.runs.assign(runs.begin(), runs.end());
  }

  void add(const std::string& id) {
    SideBySideRow total{.metric = id, .own = true, .values = std::vector<RunValue>(runs_.size())};
    std::vector<RunValue> by_path(common_.size() * runs_.size());  // by number of the path, then by run
    std::size_t i = 0;
    for (const CollectedRun& run : runs_) {
      const MetricIndex metric = run.result.metrics.find(id);
      RunValue& value = total.values[i];
      value.told = run.told(metric);
      if (metric != no_metric) {
        const MetricInfo& info = run.result.metrics[metric];
        value.exists = true;
        value.value = run.value(info, run.totals.of(metric));
        value.unit = total.unit = info.unit;
        total.own = total.own && run.totals.summed(metric).size() == 1;
        take_paths(run, metric, i, by_path);
      }
      ++i;
    }
    add_paths(total, by_path);
    sides_.metrics.push_back(std::move(total));
  }

  SideBySide done() { return std::move(sides_); }

 private:
  void take_paths(const CollectedRun& run, MetricIndex metric, std::size_t place,
                  std::vector<RunValue>& by_path) const {
    const MetricInfo& info = run.result.metrics[metric];
    const std::vector<std::int64_t> sums = run.totals.by_callpath(metric);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      RunValue& value = by_path[run.paths[i] * runs_.size() + place];
      value.value = together(info.aggregation, value.value, run.value(info, sums[i]));
      value.exists = true;
      value.callpath = CallPathId{i};
    }
  }

  /// Makes values equal that differ only by rounding. `parts`: the number of rounded values in each sum.
  void settle(SideBySideRow& row, double parts) const {
    if (row.unit != Unit::seconds) return;
    for (std::size_t i = 1; i < row.values.size(); ++i) {
      const double tolerance = rounding(*sides_.runs[i - 1], *sides_.runs[i]) * parts;
      double& value = row.values[i].value;
      if (std::abs(value - row.values[i - 1].value) <= tolerance) value = row.values[i - 1].value;
    }
  }

  void add_paths(SideBySideRow& total, const std::vector<RunValue>& by_path) {
    const std::size_t n = runs_.size();
    std::vector<std::size_t> there;  // numbers of the paths of runs that have the metric
    for (std::size_t path = 0; path < common_.size(); ++path) {
      const auto* const first = by_path.data() + path * n;
      if (std::any_of(first, first + n, [](const RunValue& v) { return v.exists; })) there.push_back(path);
    }
    settle(total, static_cast<double>(there.size()));
    const bool can_be_compared = std::all_of(total.values.begin(), total.values.end(), [&](const RunValue& v) {
      return is_value(v.told) && (!v.exists || v.unit == total.unit);
    });
    if (!can_be_compared) return;
    for (const std::size_t path : there) {
      const auto* const first = by_path.data() + path * n;
      SideBySideRow row{.metric = total.metric, .unit = total.unit, .own = total.own, .values = {first, first + n}};
      settle(row, 1);
      if (row.is_same()) continue;
      for (std::size_t i = 0; i < n; ++i) row.values[i].told = total.values[i].told, row.values[i].unit = total.unit;
      sides_.callpaths.push_back(std::move(row));
    }
  }

  CommonPaths common_;
  std::list<CollectedRun> runs_;  // a list, because its elements do not move
  SideBySide sides_;
};

}  // namespace

std::optional<double> SideBySideRow::change(std::size_t run, Against against) const {
  const std::optional<std::size_t> from = measured_from(run, values.size(), against);
  if (!from) return std::nullopt;
  const RunValue &before = values[*from], &after = values[run];
  if (before.told != Told::exactly || after.told != Told::exactly) return std::nullopt;
  return after.value - before.value;
}

bool SideBySideRow::is_same() const {
  return std::all_of(values.begin(), values.end(), [&](const RunValue& v) { return v.value == values.front().value; });
}

std::vector<std::string> metric_ids(Runs runs) {
  std::vector<std::string> ids;
  const AnalysisResult& last = *runs.back();
  for (const MetricIndex m : last.metrics.depth_first()) ids.push_back(last.metrics[m].id);
  for (std::size_t i = runs.size() - 1; i-- > 0;) {
    const MetricTree& metrics = runs[i]->metrics;
    auto at = ids.begin();
    for (const MetricIndex m : metrics.depth_first()) {
      const auto known = std::find(ids.begin(), ids.end(), metrics[m].id);
      at = known != ids.end() ? known + 1 : ids.insert(at, metrics[m].id) + 1;
    }
  }
  return ids;
}

SideBySide side_by_side(Runs runs, const std::vector<std::string>& only) {
  RunCollector collector(runs);
  for (const std::string& id : metric_ids(runs))
    if (only.empty() || std::find(only.begin(), only.end(), id) != only.end()) collector.add(id);
  return collector.done();
}

}  // namespace waitstate::report

#include "report/text/tables/metric_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "report/facts/counters.hpp"
#include "report/text/tables/counter_table.hpp"
#include "report/words/completeness.hpp"
#include "report/words/scope.hpp"

namespace waitstate::report {
namespace {

struct Line {
  std::string name;
  std::vector<std::string> cells;  ///< value and share of the whole, and where that is shown without MPI_Init …
  bool wait = false;
};

/// Shown although it is zero: messages were exchanged, and nobody waited for them.
bool zero_is_news(const AnalysisResult& result, MetricIndex metric) {
  const MetricInfo& info = result.metrics[metric];
  return result.messages != 0 && info.unit == Unit::seconds && info.within_parent && info.parent != no_metric &&
         result.metrics[info.parent].id == "mpi_point2point";
}

/// True for a wait state and for what is below one.
bool is_within_wait(const MetricTree& tree, MetricIndex metric) {
  for (; metric != no_metric; metric = tree[metric].parent)
    if (tree[metric].within_parent) return true;
  return false;
}

bool is_at_or_below(const MetricTree& tree, MetricIndex metric, MetricIndex above) {
  while (metric != no_metric && metric != above) metric = tree[metric].parent;
  return metric == above;
}

constexpr std::size_t one_screen = 16;  ///< lines that leave room for the problems above

/// Metrics to show: what is wanted, and what stands above it.
template <class Wanted>
std::vector<bool> shown(const MetricTree& tree, const Wanted& wanted) {
  std::vector<bool> show(tree.size(), false);
  for (MetricIndex metric = 0; metric < tree.size(); ++metric)
    if (wanted(metric))
      for (MetricIndex m = metric; m != no_metric && !show[m]; m = tree[m].parent) show[m] = true;
  return show;
}

std::vector<bool> shown(const AnalysisResult& result, const Totals& totals, const Completeness& completeness,
                        const MetricTableOptions& options) {
  const MetricTree& tree = result.metrics;
  const auto asked = [&](MetricIndex metric) {
    if (totals.scope() != Scope::whole && is_init_exit(tree, metric)) return false;
    return std::any_of(completeness.result().undetermined.begin(), completeness.result().undetermined.end(),
                       [&](const UndeterminedMetric& u) { return u.metric == metric; });
  };
  const auto has_value = [&](MetricIndex m) { return totals.of(m) != 0 && !completeness.means_nothing(m); };
  if (options.full)
    return shown(tree, [&](MetricIndex m) {
      return counter_of(result, m) == nullptr &&
             (has_value(m) || asked(m) || tree[m].from_plugin || zero_is_news(result, m));
    });
  const double least = options.least_share * static_cast<double>(totals.time());
  std::vector<bool> show = shown(tree, [&](MetricIndex m) {
    const std::int64_t value = totals.of(m);
    if (tree[m].from_plugin) return true;
    return tree[m].unit == Unit::seconds && tree[m].sums() &&
           (asked(m) || (has_value(m) && std::abs(static_cast<double>(value)) >= least));
  });
  // Of a chain of times that are equal, as far as the shares show, only the last says something.
  const double visible = 0.0005 * static_cast<double>(totals.time());
  const auto equal = [&](MetricIndex a, MetricIndex b) {
    return std::abs(static_cast<double>(totals.of(a)) - static_cast<double>(totals.of(b))) < visible;
  };
  for (MetricIndex m = 0; m < tree.size(); ++m) {
    if (!show[m] || tree[m].parent == no_metric || tree[m].from_plugin) continue;
    const std::vector<MetricIndex> below = tree.children(m);
    const bool repeated = std::any_of(below.begin(), below.end(), [&](MetricIndex child) {
      return show[child] && !tree[child].within_parent && equal(child, m);
    });
    if (repeated || (totals.time_metric() == tree[m].parent && equal(m, tree[m].parent))) show[m] = false;
  }
  // A long table does without the properties that regroup what other lines show: shares in which no waits are recorded.
  // A report that holds no waits at all, as a .cubex does not, does not tell these from wait states.
  std::size_t lines = 0;
  for (MetricIndex m = 0; m < tree.size(); ++m) lines += show[m] && !tree[m].from_plugin;
  if (!result.waits.empty() && lines > one_screen)
    for (MetricIndex m = 0; m < tree.size(); ++m) {
      const bool waits = std::any_of(result.waits.begin(), result.waits.end(),
                                     [&](const auto& w) { return is_at_or_below(tree, w.first, m); });
      if (tree[m].within_parent && !waits && !asked(m) && !tree[m].from_plugin) show[m] = false;
    }
  return show;
}

}  // namespace

std::string value_text(const MetricInfo& metric, std::int64_t value, const Seconds& seconds) {
  switch (metric.unit) {
    case Unit::seconds:
      return seconds.duration(value);
    case Unit::bytes:
      return bytes(value);
    case Unit::counter:
      return counter_text(metric, value);
    case Unit::occurrences:
      break;
  }
  return grouped(value);
}

std::string share_text(const RunTotals& run, MetricIndex metric, const Seconds& seconds) {
  const std::int64_t value = run.whole().of(metric), counted = run.counted().of(metric);
  std::string text = percent(value, run.whole().time()) + " % of the total time";
  if (!run.differ() || (counted == 0 && value != 0)) return text;
  const std::string share = percent(counted, run.counted().time()) + " % without " + without_text(run);
  return text + (counted == value ? ", " + share : "; " + seconds.duration(counted) + ", " + share);
}

std::vector<MetricIndex> by_severity(const MetricTree& metrics, const Totals& totals) {
  std::vector<MetricIndex> order, open = metrics.children(no_metric);
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    const MetricIndex metric = open.back();
    open.pop_back();
    order.push_back(metric);
    std::vector<MetricIndex> below = metrics.children(metric);
    const auto same = [&](MetricIndex m) { return metrics[m].unit == metrics[metric].unit; };
    const auto other = std::stable_partition(below.begin(), below.end(), same);
    std::stable_sort(below.begin(), other, [&](MetricIndex a, MetricIndex b) { return totals.of(a) > totals.of(b); });
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return order;
}

std::string metric_table(const AnalysisResult& result, const RunTotals& run, const Completeness& completeness,
                         const Seconds& seconds, const Style& style, const MetricTableOptions& options) {
  const MetricTree& tree = result.metrics;
  const Totals& totals = options.full ? run.whole() : run.counted();
  const bool both = options.full && run.differ();
  const std::vector<bool> show = shown(result, totals, completeness, options);

  std::vector<Line> lines{{"metric", {"value", "% of time"}, false}};
  if (both) lines.front().cells.insert(lines.front().cells.end(), {"without init/exit", "% of time"});
  for (const MetricIndex metric : options.tree_order ? tree.depth_first() : by_severity(tree, totals)) {
    if (!show[metric]) continue;
    const MetricInfo& info = tree[metric];
    Line line;
    for (MetricIndex m = info.parent; m != no_metric; m = tree[m].parent)
      if (show[m]) line.name += "  ";
    line.name += info.id;
    const auto cells = [&](const Totals& of) {
      const std::int64_t value = of.of(metric);
      line.cells.push_back(told_text(completeness, metric, value, value_text(info, value, seconds)));
      const bool share = info.unit == Unit::seconds && info.sums() && is_value(completeness.told(metric, value));
      line.cells.push_back(share ? percent(value, of.time()) : "");
    };
    cells(totals);
    if (both && info.unit == Unit::seconds && !is_init_exit(tree, metric)) cells(run.counted());
    line.wait = totals.of(metric) != 0 && info.unit == Unit::seconds && info.sums() && is_within_wait(tree, metric);
    lines.push_back(std::move(line));
  }

  std::size_t names = 0;
  std::vector<std::size_t> widths(lines.front().cells.size());
  for (const Line& line : lines) {
    names = std::max(names, columns(line.name));
    for (std::size_t i = 0; i < line.cells.size(); ++i) widths[i] = std::max(widths[i], columns(line.cells[i]));
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row = left(line.name, names);
    for (std::size_t i = 0; i < line.cells.size(); ++i) row += "  " + right(line.cells[i], widths[i]);
    row.erase(row.find_last_not_of(' ') + 1);
    text += (&line == &lines.front() ? style.bold(row) : line.wait ? style.warning(row) : row) + '\n';
  }
  return text;
}

}  // namespace waitstate::report

#include "report/metric_table.hpp"

#include <algorithm>

namespace waitstate::report {
namespace {

struct Line {
  std::string name, value, share;
  bool wait = false;
};

/// Shown although it is zero: messages were exchanged, and nobody waited for them.
bool zero_is_news(const AnalysisResult& result, MetricIndex metric) {
  const MetricInfo& info = result.metrics[metric];
  return result.messages != 0 && info.unit == Unit::seconds && info.within_parent && info.parent != no_metric &&
         result.metrics[info.parent].id == "mpi_point2point";
}

/// True for a wait state and for what is below one.
bool is_wait(const MetricTree& tree, MetricIndex metric) {
  for (; metric != no_metric; metric = tree[metric].parent)
    if (tree[metric].within_parent) return true;
  return false;
}

/// Metrics to show: what is not zero or is news, and what stands above it.
std::vector<bool> shown(const AnalysisResult& result, const Totals& totals, const std::vector<Unanswered>& unanswered) {
  std::vector<bool> show(result.metrics.size(), false);
  for (MetricIndex metric = 0; metric < result.metrics.size(); ++metric) {
    const bool asked =
        std::any_of(unanswered.begin(), unanswered.end(), [&](const Unanswered& u) { return u.metric == metric; });
    if (totals.of(metric) != 0 || asked || zero_is_news(result, metric))
      for (MetricIndex m = metric; m != no_metric && !show[m]; m = result.metrics[m].parent) show[m] = true;
  }
  return show;
}

}  // namespace

std::string value_text(const MetricInfo& metric, std::int64_t value, const Seconds& seconds) {
  switch (metric.unit) {
    case Unit::seconds:
      return seconds.text(value) + " s";
    case Unit::bytes:
      return bytes(value);
    case Unit::occurrences:
      break;
  }
  return grouped(value);
}

std::string metric_table(const AnalysisResult& result, const Totals& totals, const std::vector<Unanswered>& unanswered,
                         const Seconds& seconds, const Style& style) {
  const MetricTree& tree = result.metrics;
  const MetricIndex time = tree.find("time");
  const std::int64_t total_time = time == no_metric ? 0 : totals.of(time);
  const std::vector<bool> show = shown(result, totals, unanswered);

  std::vector<Line> lines{{"metric", "value", "% of time", false}};
  for (const MetricIndex metric : tree.depth_first()) {
    if (!show[metric]) continue;
    const MetricInfo& info = tree[metric];
    Line line;
    for (MetricIndex m = info.parent; m != no_metric; m = tree[m].parent) line.name += "  ";
    line.name += info.id;
    const std::int64_t value = totals.of(metric);
    const bool open = is_unanswered(unanswered, tree, metric);
    line.value = open && value == 0 ? "unknown" : value_text(info, value, seconds);
    if (open && value != 0) line.value = "at least " + line.value;
    if (info.unit == Unit::seconds && !(open && value == 0)) line.share = percent(value, total_time);
    line.wait = value != 0 && info.unit == Unit::seconds && is_wait(tree, metric);
    lines.push_back(std::move(line));
  }

  std::size_t names = 0, values = 0;
  for (const Line& line : lines) {
    names = std::max(names, columns(line.name));
    values = std::max(values, columns(line.value));
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row = left(line.name, names + 2) + right(line.value, values);
    if (!line.share.empty()) row += "  " + right(line.share, 9);
    text += (&line == &lines.front() ? style.bold(row) : line.wait ? style.warning(row) : row) + '\n';
  }
  return text;
}

}  // namespace waitstate::report

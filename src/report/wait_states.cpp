#include "report/wait_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "report/names.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t most = 5;  // lines of each kind

struct Section {
  const AnalysisResult& result;
  const Totals& totals;
  const Seconds& seconds;
  const Style& style;
  std::int64_t total_time;

  std::string rest(std::size_t all, const char* what) const {
    return all > most ? fmt::format("    and {} more {}\n", grouped(static_cast<std::int64_t>(all - most)), what) : "";
  }

  std::string ranking(const char* title, const Ranking& ranking, const char* what,
                      const std::function<std::string(std::uint32_t)>& label) const {
    std::string text = fmt::format("  {}\n", title);
    std::size_t width = 0;
    for (std::size_t i = 0; i < std::min(most, ranking.size()); ++i)
      width = std::max(width, seconds.text(ranking[i].second).size());
    for (std::size_t i = 0; i < std::min(most, ranking.size()); ++i) {
      const auto& [id, value] = ranking[i];
      const std::string lead =
          fmt::format("    {} s {:>5} %  ", right(seconds.text(value), width), percent(value, total_time));
      text += lead + shorten_path(label(id), style.width > lead.size() ? style.width - lead.size() : 1) + '\n';
    }
    return text + rest(ranking.size(), what);
  }

  std::string culprits(const WaitPairs& pairs) const {
    using Entry = std::pair<std::pair<LocationId, LocationId>, WaitPair>;
    std::vector<Entry> worst(pairs.begin(), pairs.end());
    std::stable_sort(worst.begin(), worst.end(),
                     [](const Entry& a, const Entry& b) { return a.second.ticks > b.second.ticks; });
    std::string text = "  who waited for whom\n";
    for (std::size_t i = 0; i < std::min(most, worst.size()); ++i) {
      const auto& [who, wait] = worst[i];
      text += fmt::format("    {} waited {} s for {} ({})\n", location_label(result.definitions, who.second),
                          seconds.text(wait.ticks), location_label(result.definitions, who.first),
                          count(static_cast<std::int64_t>(wait.count), "time", "times"));
    }
    return text + rest(worst.size(), "pairs");
  }

  std::string of(MetricIndex metric, bool lower_bound) const {
    const MetricInfo& info = result.metrics[metric];
    std::string text = style.bold(info.id) + (info.title.empty() ? "" : "  " + info.title) + '\n';
    if (!info.summary.empty()) text += paragraph("  ", info.summary, style.width);
    text += fmt::format("  {}{} s, {} % of the total time\n", lower_bound ? "at least " : "",
                        seconds.text(totals.of(metric)), percent(totals.of(metric), total_time));
    text += ranking("worst call paths", totals.callpaths(metric), "call paths",
                    [&](std::uint32_t id) { return callpath_label(result, CallPathId{id}); });
    text += ranking("worst locations", totals.locations(metric), "locations",
                    [&](std::uint32_t id) { return location_label(result.definitions, LocationId{id}); });
    const auto pairs = result.waits.find(metric);
    if (pairs != result.waits.end() && !pairs->second.empty()) text += culprits(pairs->second);
    return text;
  }
};

/// True if one metric below has all of it, so that the same section would come twice.
bool same_as_one_below(const AnalysisResult& result, const Totals& totals, MetricIndex metric) {
  if (result.waits.contains(metric)) return false;
  const std::vector<MetricIndex> below = result.metrics.children(metric);
  return std::any_of(below.begin(), below.end(), [&](MetricIndex child) {
    return result.metrics[child].unit == Unit::seconds && totals.of(child) == totals.of(metric);
  });
}

}  // namespace

std::vector<MetricIndex> wait_metrics(const AnalysisResult& result) {
  std::vector<MetricIndex> found;
  for (const MetricIndex metric : result.metrics.depth_first()) {
    bool below = false;
    for (MetricIndex m = metric; m != no_metric && !below; m = result.metrics[m].parent)
      below = result.waits.contains(m);
    if (below && result.metrics[metric].unit == Unit::seconds) found.push_back(metric);
  }
  return found;
}

std::string wait_states(const AnalysisResult& result, const Totals& totals, const std::vector<Unanswered>& unanswered,
                        const Seconds& seconds, const Style& style) {
  const MetricIndex time = result.metrics.find("time");
  const Section section{result, totals, seconds, style, time == no_metric ? 0 : totals.of(time)};
  std::string text;
  for (const MetricIndex metric : wait_metrics(result)) {
    if (totals.of(metric) == 0 || same_as_one_below(result, totals, metric)) continue;
    if (!text.empty()) text += '\n';
    text += section.of(metric, is_unanswered(unanswered, result.metrics, metric));
  }
  return text;
}

}  // namespace waitstate::report

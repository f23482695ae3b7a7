#include "report/text/tables/wait_states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "report/facts/waits/waiting.hpp"
#include "report/format/names.hpp"
#include "report/text/tables/metric_table.hpp"
#include "report/words/completeness.hpp"
#include "report/words/waits/culprit.hpp"

namespace waitstate::report {
namespace {

/// The entries of a table, the longest first; equal ones in the order of the table.
template <class Key>
std::vector<std::pair<Key, WaitPair>> longest_first(const WaitTable<Key>& pairs) {
  std::vector<std::pair<Key, WaitPair>> all(pairs.begin(), pairs.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.ticks > b.second.ticks; });
  return all;
}

struct WaitStateSection {
  const AnalysisResult& result;
  const RunTotals& run;
  const Completeness& completeness;
  const Seconds& seconds;
  const Style& style;
  std::size_t most;

  std::string location(LocationId id) const { return location_label(result.definitions, id); }

  std::string line(const std::string& lead, const std::string& path, const std::string& behind = "") const {
    const std::size_t taken = columns(lead) + columns(behind);
    return lead + shorten_path(path, style.width > taken ? style.width - taken : 1) + behind + '\n';
  }
  /// A call path, and where its code is.
  std::string line(const std::string& lead, CallPathId callpath) const {
    const std::string source = callpath_source(result, callpath);
    return line(lead, callpath_label(result, callpath), source.empty() ? "" : "  " + source);
  }
  std::string rest(std::size_t all, const char* what) const {
    return all > most ? fmt::format("    and {} more {}\n", grouped(static_cast<std::int64_t>(all - most)), what) : "";
  }

  /// The totals that the values and shares of a metric refer to: those of the summary, except for what lies only in the
  /// calls that these leave out.
  const Totals& base(MetricIndex metric) const { return run.counted().of(metric) == 0 ? run.whole() : run.counted(); }

  /// `line_of` makes the line of an id, behind what stands before its name.
  std::string ranking(const char* title, const Ranking& ranking, std::int64_t time, const char* what,
                      const std::function<std::string(const std::string&, std::uint32_t)>& line_of) const {
    std::string text = fmt::format("  {}\n", title);
    std::size_t width = 0;
    for (std::size_t i = 0; i < std::min(most, ranking.size()); ++i)
      width = std::max(width, columns(seconds.duration(ranking[i].second)));
    for (std::size_t i = 0; i < std::min(most, ranking.size()); ++i) {
      const auto& [id, value] = ranking[i];
      text += line_of(fmt::format("    {} {:>5} %  ", right(seconds.duration(value), width), percent(value, time)), id);
    }
    return text + rest(ranking.size(), what);
  }

  /// The statistics of single waits; quantiles of very many are estimates.
  std::string statistics(const WaitStatistics& s) const {
    const auto text_of = [&](double ticks) { return seconds.duration(std::llround(ticks)); };
    std::string text = fmt::format(
        "{}: mean {}, standard deviation {}, smallest {}, quartiles {}{} / {} / {}, "
        "largest {}",
        count(static_cast<std::int64_t>(s.count), "wait", "waits"), text_of(s.mean), text_of(std::sqrt(s.variance)),
        seconds.duration(s.minimum), s.quantile_error > 0 ? "about " : "", text_of(s.quartile25), text_of(s.median),
        text_of(s.quartile75), seconds.duration(s.maximum));
    if (s.quantile_error > 0) text += fmt::format(" (quartiles to within {:.1f} %)", 100 * s.quantile_error);
    return paragraph("  ", text, style.width);
  }

  std::string culprits(const WaitSummary& waits) const {
    const auto worst = longest_first(waits.pairs);
    std::map<LocationId, Ticks> waited;
    for (const auto& [who, wait] : waits.pairs) {
      Ticks& ticks = waited[who.second];
      ticks = add_ticks(ticks, static_cast<std::uint64_t>(wait.ticks));
    }
    const auto times = [&](LocationId culprit, const WaitPair& wait) {
      const auto own = waited.find(culprit);
      return fmt::format(" ({})", count(static_cast<std::int64_t>(wait.count), "time", "times")) +
             also_waited(culprit.valid() && own != waited.end() ? own->second : 0, wait.ticks, seconds);
    };
    std::string text = "  who waited for whom\n";
    for (std::size_t i = 0; i < std::min(most, worst.size()); ++i) {
      const auto& [who, wait] = worst[i];
      const std::string duration = seconds.duration(wait.ticks);
      text +=
          "    " +
          (!who.second.valid() ? fmt::format("{} of waiting for {} in operations of more than {} members", duration,
                                             location(who.first), WaitSummary::most_told_apart)
           : who.first.valid() ? fmt::format("{} waited {} for {}", location(who.second), duration, location(who.first))
                               : fmt::format("{} waited {}", location(who.second), duration)) +
          times(who.first, wait) + '\n';
    }
    return text + rest(worst.size(), "pairs");
  }

  // A culprit that waited there itself is not the reason. Places that are not known come last, together.
  std::string causes(const WaitSummary& waits) const {
    auto worst = longest_first(waits.causes);
    Ticks unknown = 0;
    std::erase_if(worst, [&](const auto& cause) {
      const bool known = cause.first.first.valid();
      if (!known) unknown = add_ticks(unknown, static_cast<std::uint64_t>(cause.second.ticks));
      return !known;
    });
    std::string text = "  where the culprits were meanwhile\n";
    for (std::size_t i = 0; i < std::min(most, worst.size()); ++i) {
      const auto& [where, wait] = worst[i];
      const OwnWaiting own = own_waiting(result, where.first, where.second);
      const std::string waits_there =
          own.is_some() ? fmt::format(", itself waiting for {} % of its time", percent(own.waited, own.time)) : "";
      text += line(fmt::format("    {}  {}{} in ", seconds.duration(wait.ticks), location(where.second), waits_there),
                   where.first);
    }
    text += rest(worst.size(), "places");
    return unknown == 0 ? text : text + fmt::format("    {}  in unknown places\n", seconds.duration(unknown));
  }

  std::string severe(const WaitSummary& waits) const {
    std::vector<const SevereInstance*> worst;
    for (const auto& [path, instances] : waits.severe)
      for (const SevereInstance& i : instances) worst.push_back(&i);
    std::stable_sort(worst.begin(), worst.end(), [](const auto* a, const auto* b) {
      return a->total != b->total ? a->total > b->total : a->longest.begin < b->longest.begin;
    });
    std::string text = "  most severe instances\n";
    const Time first = first_event(result);
    for (std::size_t i = 0; i < std::min(most, worst.size()); ++i) {
      const SevereInstance& s = *worst[i];
      const std::string who = s.waiters > 1 ? count(s.waiters, "location", "locations") : location(s.longest.location);
      text += line(fmt::format("    {} at {}  {}{}", seconds.duration(s.total),
                               seconds.instant(static_cast<Ticks>(s.longest.begin - first)), who,
                               s.longest.culprit.valid() ? " for " + location(s.longest.culprit) : "") +
                       " in ",
                   s.longest.callpath);
      if (const std::string own = culprit_line(result, s.longest, s.culprit_wait); !own.empty())
        text += line("      " + own, s.culprit_wait.callpath);
    }
    return text;
  }

  std::string of(MetricIndex metric, const Diagnoses& diagnoses) const {
    const MetricInfo& info = result.metrics[metric];
    const Totals& totals = base(metric);
    std::string text = style.bold(info.id) + (info.title.empty() ? "" : "  " + info.title) + '\n';
    if (!info.summary.empty()) text += paragraph("  ", info.summary, style.width);
    text += paragraph("  ",
                      told_text(completeness, metric, totals.of(metric), seconds.duration(totals.of(metric))) +
                          fmt::format(", {} % of the {}time", percent(totals.of(metric), totals.time()),
                                      totals.scope() == Scope::whole ? "total " : ""),
                      style.width);
    const auto waits = result.waits.find(metric);
    const bool known = waits != result.waits.end();
    if (known && waits->second.statistics.count != 0) text += statistics(waits->second.statistics);
    text += ranking("worst call paths", totals.callpaths(metric), totals.time(), "call paths",
                    [&](const std::string& lead, std::uint32_t id) { return line(lead, CallPathId{id}); });
    text += ranking("worst locations", totals.locations(metric), totals.time(), "locations",
                    [&](const std::string& lead, std::uint32_t id) { return line(lead, location(LocationId{id})); });
    if (known && !waits->second.pairs.empty()) text += culprits(waits->second);
    if (known && !waits->second.causes.empty()) text += causes(waits->second);
    if (known && !waits->second.severe.empty()) text += severe(waits->second);
    if (const auto advice = diagnoses.find(info.id); advice != diagnoses.end() && !advice->second.empty())
      text += paragraph("  what to do: ", advice->second, style.width);
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
      below = is_wait(result, m) || is_plugin_problem(result, m);
    if (below && result.metrics[metric].unit == Unit::seconds) found.push_back(metric);
  }
  return found;
}

std::string wait_states(const AnalysisResult& result, const RunTotals& run, const Completeness& completeness,
                        const Seconds& seconds, const Diagnoses& diagnoses, std::size_t most, const Style& style,
                        bool tree_order) {
  const Totals& totals = run.whole();
  const WaitStateSection section{result, run, completeness, seconds, style, most};
  std::string text;
  std::vector<MetricIndex> metrics = wait_metrics(result);
  if (!tree_order) {
    std::vector<std::size_t> place(result.metrics.size());
    const std::vector<MetricIndex> order = by_severity(result.metrics, totals);
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::sort(metrics.begin(), metrics.end(), [&](MetricIndex a, MetricIndex b) { return place[a] < place[b]; });
  }
  for (const MetricIndex metric : metrics) {
    if (totals.of(metric) == 0 || same_as_one_below(result, totals, metric)) continue;
    if (!text.empty()) text += '\n';
    text += section.of(metric, diagnoses);
  }
  return text;
}

}  // namespace waitstate::report

#include "report/text/tables/phases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "report/format/names.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

/// The wait state that took most of a phase; shares of other wait states are none of their own.
std::string most_waited(const AnalysisResult& result, const Phases::Phase& phase, const Seconds& seconds) {
  MetricIndex most = no_metric;
  for (const auto& [metric, ticks] : phase.waits) {
    const MetricInfo& info = result.metrics[metric];
    const bool share = info.parent != no_metric && phase.waits.contains(info.parent);
    if (!share && (most == no_metric || ticks > phase.waits.at(most))) most = metric;
  }
  if (most == no_metric) return "";
  const MetricInfo& info = result.metrics[most];
  return fmt::format("{} {}", printable(info.title.empty() ? info.id : info.title),
                     seconds.duration(phase.waits.at(most)));
}

std::string percent_or_dash(bool known, double value) { return known ? fmt::format("{:.1f}", 100 * value) : "-"; }

}  // namespace

std::string phases_text(const AnalysisResult& result, std::size_t most, const Style& style) {
  if (!result.phases || result.phases->phases.empty()) return "";
  const Phases& p = *result.phases;
  std::vector<std::size_t> shown(p.phases.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  std::stable_sort(shown.begin(), shown.end(),
                   [&](std::size_t a, std::size_t b) { return p.phases[a].longest > p.phases[b].longest; });
  shown.resize(std::min(shown.size(), most));
  std::sort(shown.begin(), shown.end());
  const Seconds seconds(result.definitions.clock, result.duration());
  const Time first = first_event(result);
  const std::string what =
      p.region.valid()
          ? fmt::format("{} of {}{}", count(static_cast<std::int64_t>(p.visits), "visit", "visits"),
                        printable(result.definitions[p.region].name),
                        p.visits_per_phase == 1 ? "" : fmt::format(", {} in each phase", p.visits_per_phase))
          : fmt::format("{}, {} each",
                        count(static_cast<std::int64_t>(p.visits), "stretch of time", "stretches of time"),
                        seconds.duration(static_cast<Ticks>(p.phases[0].end - p.phases[0].begin)));
  std::string text = style.bold("Phases: " + what);
  constexpr auto row = FMT_STRING("{:>6}  {:>13}  {:>12}  {:>10}  {:>9}  {:>15}  {}");
  text += '\n' +
          fmt::format(row, "phase", "begin", "longest", "parallel %", "balance %", "communication %", "waited most") +
          '\n';
  for (const std::size_t i : shown) {
    const Phases::Phase& phase = p.phases[i];
    const bool known = phase.has_efficiency();
    std::string line =
        fmt::format(row, i, seconds.instant(static_cast<Ticks>(phase.begin - first)), seconds.duration(phase.longest),
                    percent_or_dash(known, phase.parallel_efficiency()), percent_or_dash(known, phase.load_balance()),
                    percent_or_dash(known, phase.communication_efficiency()), most_waited(result, phase, seconds));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  if (shown.size() < p.phases.size())
    text += fmt::format("   the longest {} of {} phases (--top {})\n", shown.size(), p.phases.size(), p.phases.size());
  return text;
}

}  // namespace waitstate::report

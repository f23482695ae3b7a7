#include "report/compare/details.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/compare/flow_changes.hpp"
#include "report/compare/path_names.hpp"
#include "report/compare/two_runs.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

using Row = std::vector<std::string>;

std::string percents(const std::optional<double>& share) { return share ? fmt::format("{:.1f} %", 100 * *share) : "-"; }
std::string points(const ByRun& share) {
  return share.change(run_b) ? fmt::format("{:+.1f} points", 100 * *share.change(run_b)) : "";
}
std::string number_text(const std::optional<double>& number) { return number ? grouped(std::llround(*number)) : "-"; }

std::string efficiency_rows(const DetailsByRun& d, const PathNames& name, const Style& style) {
  if (d.efficiency.factors.empty()) return "";
  std::vector<Row> rows = {{"efficiency", "A", "B", "change"}};
  for (const FactorByRun& f : d.efficiency.factors) {
    std::string id(f.id);
    std::replace(id.begin(), id.end(), '_', ' ');
    rows.push_back({id, percents(f.value[run_a]), percents(f.value[run_b]), points(f.value)});
  }
  std::string text = '\n' + aligned_table(rows, style);
  if (!d.efficiency.ideal_machine) return text;
  const IdealMachineByRun& ideal = *d.efficiency.ideal_machine;
  rows = {{"run time", "A", "B", "change"}};
  const auto row = [&](std::string what, const ByRun& s) {
    if (s.any()) rows.push_back({std::move(what), seconds_text(s[run_a]), seconds_text(s[run_b]), seconds_change(s)});
  };
  row("as it is", ideal.run_time);
  row("if messages took no time", ideal.ideal_run_time);
  const std::string before = name.of_a(ideal.unbalanced), after = name.of_b(ideal.unbalanced);
  const auto balanced = [](const std::string& path) {
    constexpr std::size_t width = 44;
    return "with " + shorten_path(printable(path), width) + " balanced";
  };
  if (before == after || before.empty() || after.empty()) {
    row(balanced(before.empty() ? after : before), ideal.balanced_run_time);
  } else {
    rows.push_back({balanced(before), seconds_text(ideal.balanced_run_time[run_a]), "-", ""});
    rows.push_back({balanced(after), "-", seconds_text(ideal.balanced_run_time[run_b]), ""});
  }
  return text + '\n' + aligned_table(rows, style);
}

std::string problem_rows(const DetailsByRun& d, std::size_t top, const Style& style) {
  if (d.problems.empty()) return "";
  std::vector<Row> rows = {{"problem", "A", "B", "change"}};
  for (std::size_t i = 0; i < std::min(top, d.problems.size()); ++i) {
    const ByRun& seconds = d.problems[i].seconds;
    rows.push_back({printable(problem_title(d, d.problems[i])), seconds_text(seconds[run_a]),
                    seconds_text(seconds[run_b]), seconds_change(seconds)});
  }
  return '\n' + aligned_table(rows, style);
}

std::string wait_rows(const DetailsByRun& d, const PathNames& name, std::size_t top, const Style& style) {
  if (d.waits.empty()) return "";
  constexpr std::size_t most_metrics = 3, paths = 3, name_width = 44;
  const std::size_t shown = std::min({top, most_metrics, d.waits.size()});
  std::vector<Row> rows = {
      {shown < d.waits.size() ? fmt::format("single waits ({} of {})", shown, d.waits.size()) : "single waits",
       "number A", "B", "median A", "B", "longest A", "B"}};
  const auto row = [&](std::string what, const WaitLengths& w) {
    rows.push_back({std::move(what), number_text(w.count[run_a]), number_text(w.count[run_b]),
                    seconds_text(w.median[run_a]), seconds_text(w.median[run_b]), seconds_text(w.longest[run_a]),
                    seconds_text(w.longest[run_b])});
  };
  for (std::size_t i = 0; i < shown; ++i) {
    row(d.waits[i].metric, d.waits[i].lengths);
    for (std::size_t p = 0; p < std::min(paths, d.waits[i].by_callpath.size()); ++p) {
      const PathWaitsByRun& of_path = d.waits[i].by_callpath[p];
      row("  " + shorten_path(printable(name(of_path.callpath)), name_width), of_path.lengths);
    }
  }
  std::string text = '\n' + aligned_table(rows, style);
  const WaitsByRun& first = d.waits.front();
  if (shown == 0 || first.histogram.empty()) return shown == 0 ? "" : text;
  rows = {{"waits of " + first.metric + " by length", "A", "B"}};
  for (const LengthClassByRun& c : first.histogram)
    rows.push_back({fmt::format("{} to {}", duration_text(c.from), duration_text(c.to)),
                    grouped(static_cast<std::int64_t>(c.count[run_a])),
                    grouped(static_cast<std::int64_t>(c.count[run_b]))});
  return text + '\n' + aligned_table(rows, style);
}

std::string phase_rows(const PhasesByRun& all, std::size_t top, const Style& style) {
  if (all.phases.empty()) return "";
  std::vector<const PhaseByRun*> shown;
  for (const PhaseByRun& p : all.phases) shown.push_back(&p);
  std::stable_sort(shown.begin(), shown.end(),
                   [](const auto* x, const auto* y) { return x->longest.spread() > y->longest.spread(); });
  shown.resize(std::min(top, shown.size()));
  std::sort(shown.begin(), shown.end(), [](const auto* x, const auto* y) { return x->number < y->number; });
  std::vector<Row> rows = {{"phase", "longest A", "B", "change", "parallel A", "B", "waited most differently"}};
  for (const PhaseByRun* p : shown) {
    const auto most = std::max_element(p->waits.begin(), p->waits.end(), [](const auto& x, const auto& y) {
      return x.second.spread() < y.second.spread();
    });
    rows.push_back(
        {std::to_string(p->number), seconds_text(p->longest[run_a]), seconds_text(p->longest[run_b]),
         seconds_change(p->longest), percents(p->parallel_efficiency[run_a]), percents(p->parallel_efficiency[run_b]),
         most == p->waits.end() || most->second.spread() == 0 ? "" : most->first + ' ' + seconds_change(most->second)});
  }
  return fmt::format("\nPhases are {}{}\n{}", printable(kind_of_phases(all.kind)),
                     shown.size() < all.phases.size()
                         ? fmt::format("; those that changed most, {} of {}:", shown.size(), all.phases.size())
                         : ":",
                     aligned_table(rows, style));
}

}  // namespace

std::string problem_title(const DetailsByRun& d, const ProblemByRun& problem) {
  const MetricTree& metrics = d.runs[problem.seconds[run_a] ? run_a : run_b]->metrics;
  const MetricInfo& info = metrics[metrics.at(problem.metric)];
  return info.title.empty() ? info.id : info.title;
}

std::string kind_of_phases(const PhaseKind& kind) {
  if (kind.region.empty()) return fmt::format("{} stretches of time", kind.stretches);
  return fmt::format("visits of {}{}", kind.region,
                     kind.visits_per_phase == 1 ? "" : fmt::format(", {} in each", kind.visits_per_phase));
}

std::string details_text(const DetailsByRun& d, std::size_t top, const Style& style) {
  const PathNames names(*d.runs[run_a], *d.runs[run_b]);
  return efficiency_rows(d, names, style) + problem_rows(d, top, style) + wait_rows(d, names, top, style) +
         phase_rows(d.phases, top, style) + flow_text(d, top, style);
}

}  // namespace waitstate::report

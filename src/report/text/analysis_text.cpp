#include "report/text/analysis_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/pattern_set.hpp"
#include "report/efficiency.hpp"
#include "report/focus_text.hpp"
#include "report/format/names.hpp"
#include "report/patterns_run.hpp"
#include "report/text/counter_table.hpp"
#include "report/text/metric_table.hpp"
#include "report/text/trace_header.hpp"
#include "report/text/trace_warnings.hpp"
#include "report/text/wait_states.hpp"
#include "waitstate/report_facts.hpp"

namespace waitstate::report {
namespace {

/// Wait states that the trace cannot tell, and time in which nobody looked for any.
std::string not_told(const AnalysisResult& result, const Totals& totals, const std::vector<UndeterminedMetric>& open,
                     const Style& style) {
  std::string text = undetermined_lines(result, open, style);
  for (const NotAnalysed& n : not_analysed(result, totals, totals.time() / 100))
    text += paragraph("  ",
                      fmt::format("{}: {} % of the total time, in which no pattern looked for waiting",
                                  result.metrics[n.metric].id, percent(n.value, totals.time())),
                      style.width);
  return text.empty() ? "" : style.loss("Cannot be told from this trace") + '\n' + text;
}

/// Damage by kind, without places.
std::string damage_in_short(const AnalysisResult& result, const Style& style) {
  std::string text;
  for (const DiagnosticSeverity wanted : {DiagnosticSeverity::loss, DiagnosticSeverity::odd}) {
    std::string kinds;
    for (int i = 0; i < diagnostic_count; ++i) {
      const auto id = static_cast<DiagnosticId>(i);
      const std::uint64_t n = result.diagnostics[id].count;
      if (severity(id) != wanted || n == 0) continue;
      const std::string_view what = sentence(id);
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : "; ", grouped(static_cast<std::int64_t>(n)),
                           what.substr(0, what.find(':')));
    }
    if (kinds.empty()) continue;
    const bool loss = wanted == DiagnosticSeverity::loss;
    const std::string name = loss ? "Missing from the results:" : "Odd, but analysed:";
    const std::string lines = paragraph("", name + ' ' + kinds + '.', style.width);
    text += (loss ? style.loss(name) : style.warning(name)) + lines.substr(name.size());
  }
  return text;
}

std::string sizes(const AnalysisResult& result) {
  if (!without_events(result)) return size_text(result);
  return count(process_count(result.definitions), "process", "processes") + ", " +
         count(static_cast<std::int64_t>(result.definitions.locations.size()), "location", "locations");
}

std::string damage(const AnalysisResult& result, bool full, const Style& style) {
  const bool damaged =
      result.diagnostics.any(DiagnosticSeverity::loss) || result.diagnostics.any(DiagnosticSeverity::odd);
  if (!damaged && without_events(result))
    return paragraph("", "This report does not say whether anything was missing from its trace.", style.width);
  return full || !damaged ? trace_warnings_text(result, style) : damage_in_short(result, style);
}

class Facts : public ReportFacts {
 public:
  Facts(const AnalysisResult& result, const Totals& totals, const Seconds& seconds)
      : result_(result), totals_(totals), seconds_(seconds) {}
  std::int64_t total(std::string_view metric) const override {
    const MetricIndex m = result_.metrics.find(metric);
    return m == no_metric ? 0 : totals_.of(m);
  }
  std::string seconds(std::int64_t ticks) const override { return seconds_.text(ticks); }

 private:
  const AnalysisResult& result_;
  const Totals& totals_;
  const Seconds& seconds_;
};

/// As all durations of the report are written.
Seconds seconds_of(const AnalysisResult& result, const Totals& totals) {
  return Seconds(result.definitions.clock, std::max<Ticks>(totals.time(), result.duration()));
}

}  // namespace

std::vector<std::string> headlines(const AnalysisResult& result, const std::vector<PatternHandle>& patterns) {
  const Totals totals(result);
  const Seconds seconds = seconds_of(result, totals);
  const Facts facts(result, totals, seconds);
  std::vector<std::string> lines;
  for (const PatternHandle& p : patterns)
    analysis::in_its_name(p, "headline", [&] {
      if (std::string line = p.pattern->headline(facts); !line.empty()) lines.push_back(std::move(line));
    });
  return lines;
}

std::string analysis_text(const AnalysisResult& result, const Style& style, const TextOptions& options) {
  const std::vector<UndeterminedMetric> open = result.undetermined;
  const Totals totals(result);
  const Ticks duration = result.duration();
  const Seconds seconds = seconds_of(result, totals);
  const std::size_t problems = options.top.value_or(3), rows = options.top.value_or(5);

  std::string text = labelled("trace", printable(result.path), style) +
                     labelled("recorder", recorder_text(result.definitions.recorder), style) +
                     labelled("size", sizes(result), style);
  if (const std::string focus = focus_text(result); !focus.empty()) text += labelled("focus", focus, style);
  if (const std::string patterns = patterns_run(result); !patterns.empty() && !result.patterns.empty())
    text += labelled("patterns", patterns, style);
  const std::string all = fmt::format("{} s in all locations together", seconds.text(totals.time()));
  text += labelled("total time", duration == 0 ? all : fmt::format("{}, in a run of {} s", all, seconds.text(duration)),
                   style);
  if (totals.time() > 0) text += labelled("efficiency", efficiency_text(efficiency(result, totals)), style);

  for (const std::string& line : options.headlines) {
    const auto colon = line.find(": ");
    const std::string label = colon == std::string::npos ? "" : line.substr(0, colon);
    text += labelled(printable(label), printable(colon == std::string::npos ? line : line.substr(colon + 2)), style);
  }

  if (const std::string worst = problems_text(result, totals, open, seconds, options.diagnoses, problems, style);
      !worst.empty())
    text += '\n' + worst;
  text += '\n' + metric_table(result, totals, open, seconds, style, {options.full});
  if (const std::string counters = counter_table(result, options.full ? 0 : rows, style); !counters.empty())
    text += '\n' + counters;
  if (options.full)
    if (const std::string waits = wait_states(result, totals, open, seconds, options.diagnoses, rows, style);
        !waits.empty())
      text += '\n' + waits;
  if (const std::string unknown = not_told(result, totals, open, style); !unknown.empty()) text += '\n' + unknown;
  text += '\n' + damage(result, options.full, style);
  return options.full ? text
                      : text + paragraph("", "Statistics, instances, places and all metrics: --full", style.width);
}

}  // namespace waitstate::report

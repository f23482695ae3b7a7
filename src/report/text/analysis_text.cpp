#include "report/text/analysis_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/efficiency.hpp"
#include "report/focus_text.hpp"
#include "report/format/names.hpp"
#include "report/patterns_run.hpp"
#include "report/text/counter_table.hpp"
#include "report/text/metric_table.hpp"
#include "report/text/trace_header.hpp"
#include "report/text/trace_warnings.hpp"
#include "report/text/wait_states.hpp"

namespace waitstate::report {
namespace {

/// Wait states that the trace cannot tell, and time in which nobody looked for any.
std::string not_told(const AnalysisResult& result, const Totals& totals, const std::vector<Unanswered>& open,
                     const Style& style) {
  std::string text = unanswered_lines(result, open, style);
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
  return full || !damaged ? damage_text(result, style) : damage_in_short(result, style);
}

// An MPI wait of a master costs its workers' time, too; one of a worker is its own. Empty where neither is there.
std::string hybrid_waits(const AnalysisResult& result, const Totals& totals, const Seconds& seconds) {
  const auto sum = [&](std::string_view id) {
    const MetricIndex m = result.metrics.find(id);
    return m == no_metric ? 0 : totals.of(m);
  };
  const std::int64_t idle = sum("omp_idle_in_mpi_wait"), own = sum("omp_thread_mpi_wait");
  if (idle == 0 && own == 0) return "";
  return fmt::format(
      "worker threads are idle for {} s while their masters wait in MPI, and wait in MPI themselves for {} s",
      seconds.text(idle), seconds.text(own));
}

}  // namespace

std::string analysis_text(const AnalysisResult& result, const Style& style, const TextOptions& options) {
  const std::vector<Unanswered> open = unanswered(result);
  const Totals totals(result);
  const Ticks duration = result.duration();
  const Seconds seconds(result.definitions.clock, std::max<Ticks>(totals.time(), duration));
  const std::size_t problems = options.top.value_or(3), rows = options.top.value_or(5);

  std::string text = labelled("trace", printable(result.path), style) +
                     labelled("recorder", recorder_text(result.definitions.recorder), style) +
                     labelled("size", sizes(result), style);
  if (const std::string focus = focus_text(result); !focus.empty()) text += labelled("focus", focus, style);
  if (const std::string patterns = searched(result); !patterns.empty() && !result.patterns.empty())
    text += labelled("patterns", patterns, style);
  const std::string all = fmt::format("{} s in all locations together", seconds.text(totals.time()));
  text += labelled("total time", duration == 0 ? all : fmt::format("{}, in a run of {} s", all, seconds.text(duration)),
                   style);
  if (totals.time() > 0) text += labelled("efficiency", efficiency_text(efficiency(result, totals)), style);

  if (const std::string waits = hybrid_waits(result, totals, seconds); !waits.empty())
    text += labelled("hybrid", waits, style);

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

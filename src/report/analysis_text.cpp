#include "report/analysis_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/damage.hpp"
#include "report/metric_table.hpp"
#include "report/names.hpp"
#include "report/trace_header.hpp"
#include "report/wait_states.hpp"

namespace waitstate::report {
namespace {

std::string unanswered_text(const AnalysisResult& result, const std::vector<Unanswered>& unanswered,
                            const Style& style) {
  std::string text = style.loss("Cannot be told from this trace") + '\n';
  for (const Unanswered& u : unanswered)
    text += paragraph("  " + result.metrics[u.metric].id + ": ", u.sentence, style.width);
  return text;
}

}  // namespace

std::string analysis_text(const AnalysisResult& result, const Style& style) {
  const std::vector<Unanswered> open = unanswered(result);
  const Totals totals(result, wait_metrics(result));
  const MetricIndex time = result.metrics.find("time");
  const std::int64_t total_time = time == no_metric ? 0 : totals.of(time);
  const Seconds seconds(result.definitions.clock, std::max<Ticks>(total_time, result.duration()));

  std::string text = labelled("trace", printable(result.path), style) +
                     labelled("recorder", recorder_text(result.definitions.recorder), style) +
                     labelled("size", size_text(result), style) +
                     labelled("duration",
                              fmt::format("{} s; {} s in all locations together", seconds.text(result.duration()),
                                          seconds.text(total_time)),
                              style);
  text += '\n' + metric_table(result, totals, open, seconds, style);
  if (const std::string waits = wait_states(result, totals, open, seconds, style); !waits.empty()) text += '\n' + waits;
  if (!open.empty()) text += '\n' + unanswered_text(result, open, style);
  return text + '\n' + damage_text(result, style);
}

}  // namespace waitstate::report

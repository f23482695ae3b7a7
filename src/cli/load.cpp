#include "cli/load.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/errors.hpp"
#include "cli/progress.hpp"
#include "cli/working_folder.hpp"
#include "report/completeness.hpp"
#include "report/patterns_run.hpp"
#include "report/report_file.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {

AnalysisResult analyze_with_progress(const std::string& trace, AnalysisOptions options) {
  const WorkingFolder folder;
  Progress progress;
  options.progress = [&](std::uint64_t done, std::uint64_t announced) { progress.show(done, announced); };
  return analyze(trace, options);
}

AnalysisResult load(const std::string& report_or_trace) {
  return report::is_report(report_or_trace) ? report::read_report(report_or_trace)
                                            : analyze_with_progress(report_or_trace);
}

MetricIndex metric_of(const AnalysisResult& result, const std::string& id) {
  const MetricIndex metric = result.metrics.find(id);
  if (metric != no_metric) return metric;
  const std::string why = report::why_no_metric(result, id);
  throw UsageError(why + (why.ends_with('\'') ? "; 'waitstate patterns' lists them" : ""));
}

void note_what_a_table_lacks(const AnalysisResult& result, const std::vector<MetricIndex>& metrics) {
  if (const std::string note = report::table_note(result, metrics); !note.empty())
    print_note(
        fmt::format("not all of the table's values can be told from {}; they are at least:\n{}", result.path, note));
}

}  // namespace waitstate::cli

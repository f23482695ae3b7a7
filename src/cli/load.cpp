#include "cli/load.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "analysis/internal_options.hpp"
#include "analysis/metrics/metric_names.hpp"
#include "cli/errors.hpp"
#include "cli/peers/with_peers.hpp"
#include "cli/progress.hpp"
#include "cli/working_folder.hpp"
#include "report/form.hpp"
#include "report/report_file.hpp"
#include "report/words/completeness.hpp"
#include "report/words/patterns_run.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {

// A name that ends like that of a report is meant as a report.
void expect_some_file(const std::string& report_or_trace) {
  const std::filesystem::path path(report_or_trace);
  std::error_code error;
  if (std::filesystem::exists(path, error) || error) return;
  if (const report::Form* form = report::form_of_ending(path.extension().string());
      form != nullptr && form->read != nullptr)
    throw TraceError(report_or_trace, fmt::format("there is no such report; 'waitstate analyze TRACE -o {}' writes one",
                                                  path.filename().string()));
  throw TraceError(report_or_trace,
                   fmt::format("no such file or folder; expected a report ({}), or a trace: the anchor file of an OTF2 "
                               "trace (traces.otf2) or its folder",
                               report::readable_files()));
}

void expect_trace(const std::string& trace) {
  if (report::is_report(trace))
    throw TraceError(trace, fmt::format("this is a report, not a trace: use 'waitstate show {}'", trace));
}

AnalysisResult analyze_with_progress(const std::string& trace, AnalysisOptions options,
                                     analysis::InternalOptions internal, int progress_fd) {
  expect_trace(trace);
  const WorkingFolder folder;
  Progress progress(progress_fd);
  options.progress = [&](std::uint64_t done, std::uint64_t announced) { progress.show(done, announced); };
  internal.peers = current_peers();
  return analysis::analyze(trace, options, internal);
}

MetricIndex metric_of(const AnalysisResult& result, const std::string& id) {
  const MetricIndex metric = analysis::find_metric(result.metrics, id);
  if (metric != no_metric) return metric;
  const std::string why = report::why_no_metric(result, id);
  throw UsageError(why + (why.ends_with('\'') ? "; 'waitstate patterns' lists them" : ""));
}

void note_what_a_table_lacks(const AnalysisResult& result, const std::vector<MetricIndex>& metrics) {
  if (const std::string note = report::table_note(result, metrics); !note.empty())
    print_note(
        fmt::format("{}: some values of the table are only lower bounds:\n"
                    "{}",
                    result.path, note));
}

}  // namespace waitstate::cli

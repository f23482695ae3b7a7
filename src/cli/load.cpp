#include "cli/load.hpp"

#include <utility>

#include "cli/progress.hpp"
#include "report/report_file.hpp"

namespace waitstate::cli {

AnalysisResult analyze_with_progress(const std::string& trace, AnalysisOptions options) {
  Progress progress;
  options.progress = [&](std::uint64_t done, std::uint64_t announced) { progress.show(done, announced); };
  return analyze(trace, options);
}

AnalysisResult load(const std::string& report_or_trace) {
  return report::is_report(report_or_trace) ? report::read_report(report_or_trace)
                                            : analyze_with_progress(report_or_trace);
}

}  // namespace waitstate::cli

#include "cli/options/analysis_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/check_choice.hpp"
#include "analysis/focus.hpp"
#include "analysis/metrics/phase_book.hpp"
#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/options/selection.hpp"
#include "report/report_file.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {

void AnalysisChoice::add_to(CLI::App& app) {
  const auto known = [&] {
    const CLI::App& all = app;
    return all.get_options();
  };
  const std::vector<const CLI::Option*> before = known();
  app.add_option("--region", region_, "analyse only this region and everything called inside it")->type_name("REGION");
  app.add_option("--time", time_.seconds,
                 "analyse only the time between FROM and TO, both included, in seconds since the first event of the "
                 "trace")
      ->type_name("FROM TO");
  app.add_option("--location", locations_, "analyse only these locations, by the numbers that 'waitstate print' shows")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("N[,M-K...]");
  patterns_.add_to(app);
  add_choice(app, "--rma-model", rma_model_, rma_models,
             "when one-sided transfers end, for the patterns that need it: basic (in the call that starts them), "
             "extended (in the call that completes them) or auto (default: extended for MPI)");
  app.add_flag("--no-counters", no_counters_, "leave out hardware counters and other METRIC events");
  for (const CLI::Option* option : known())
    if (std::find(before.begin(), before.end(), option) == before.end()) options_.push_back(option);
  app.add_option("--threads", threads_, "number of threads (default: one per core, but no more than are worth it)")
      ->type_name("N");
  app.add_option("--chunk-events", chunk_events_)->group("");
  app.add_option("--exchange-delay", exchange_delay_)->group("");  // for tests: see InternalOptions::delay
  app.add_option("--progress-fd", progress_fd_)->group("");        // for `waitstate serve`
}

void AnalysisChoice::add_phase_to(CLI::App& app, const std::string& more) {
  options_.push_back(
      app.add_option("--phase", phase_,
                     "report phases as well, with their times, efficiency and waits: each visit of REGION is a phase, "
                     "or the run is divided into N phases of equal length" +
                         more)
          ->type_name("REGION|time:N"));
}

void AnalysisChoice::add_details_to(CLI::App& app) {
  add_phase_to(app, ". With csv, the table lists phases instead of severities");
  options_.push_back(
      app.add_flag("--no-series", no_series_, "leave the distribution of waits over time out of the JSON report"));
  options_.push_back(app.add_flag("--no-contexts", no_contexts_,
                                  "leave the events around the most severe waits out of the JSON report"));
}

void AnalysisChoice::check() {
  rma_model(rma_model_);
  time_.check();
  analysis::check_phase(phase_);
  wanted_locations_ = location_numbers(locations_);
  patterns_.check();
}

access::EventStreamOptions AnalysisChoice::reading() const {
  access::EventStreamOptions reading;
  reading.threads = threads_;
  reading.chunk_events = chunk_events_;
  reading.rma_model = rma_model(rma_model_);
  return reading;
}

AnalysisOptions AnalysisChoice::options_for(const std::string& trace) {
  AnalysisOptions analysis;
  analysis.threads = threads_;
  analysis.chunk_events = chunk_events_;
  analysis.built_in = false;
  analysis.patterns = patterns_.chosen();
  analysis.counters = !no_counters_;
  analysis.rma_model = rma_model(rma_model_);
  analysis.keep.phase = phase_;
  analysis.keep.details = details_;
  analysis.keep.series = details_ && !no_series_;
  analysis.keep.contexts = details_ && !no_contexts_;
  analysis.focus = chosen_focus(trace, wanted_locations_, time_);
  analysis.focus.region = region_;
  return analysis;
}

AnalysisResult AnalysisChoice::analyze_trace(const std::string& trace, analysis::WaitSink* waits) {
  expect_trace(trace);
  analysis::InternalOptions internal;
  internal.waits = waits;
  internal.delay = exchange_delay_;
  return analyze_with_progress(trace, options_for(trace), internal, progress_fd_);
}

void AnalysisChoice::check_against(const std::string& trace, std::optional<Time> last) {
  expect_trace(trace);
  const AnalysisOptions options = options_for(trace);
  analysis::check_choice(trace, options);
  if (!last) return;
  const pass::TraceStart start = pass::trace_start(trace);
  Clock clock;
  clock.resolution = start.resolution;
  analysis::expect_overlap(options.focus, start.first, *last, clock);
}

AnalysisResult AnalysisChoice::load(const std::string& report_or_trace) {
  expect_some_file(report_or_trace);
  return report::is_report(report_or_trace) ? report::read_report(report_or_trace) : analyze_trace(report_or_trace);
}

void AnalysisChoice::expect_a_trace(const std::vector<std::string>& inputs) const {
  if (!std::all_of(inputs.begin(), inputs.end(), [](const std::string& i) { return report::is_report(i); })) return;
  for (const CLI::Option* option : options_)
    if (option->count() != 0)
      throw UsageError(
          fmt::format("--{} changes how a trace is analysed, but {} {}: give a trace, or leave the option out",
                      option->get_lnames().front(), fmt::join(inputs, " and "),
                      inputs.size() == 1 ? "is a report" : "are reports"));
}

}  // namespace waitstate::cli

// The options that choose how a trace is analysed and which part of it: patterns, plug-ins, parameters, region, time,
// locations. All commands that analyse a trace have them, with the same words.
//
// A report is the result of an earlier analysis. So a command that takes either refuses these options if no trace is
// named: they would have no effect.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <algorithm>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "access/event_stream.hpp"
#include "analysis/metrics/wait_sink.hpp"
#include "cli/options/pattern_options.hpp"
#include "cli/options/selection.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::cli {

class AnalysisChoice {
 public:
  /// Adds all options, in a group of their own in the help.
  void add_to(CLI::App& app);
  /// Adds the option to leave out details, for commands that may write a report for programs. Call it after add_to().
  void add_details_to(CLI::App& app);
  /// Adds only the option for phases.
  void add_phase_to(CLI::App& app, const std::string& more = "");
  /// Keeps data that only such a report shows, unless an option says otherwise.
  void keep_details(bool keep) { details_ = keep; }
  /// Keeps details without the events around the most severe waits, for a command that does not show these.
  void keep_no_contexts() { no_contexts_ = true; }

  /// Runs this pattern too, whatever was chosen. Call it before check().
  void run_too(const std::string& id) { patterns_.run_too(id); }

  /// Checks the options after parsing. Throws UsageError for errors that do not depend on the trace; see also
  /// PatternOptions::check().
  void check();

  /// Analyses a trace, with progress on a terminal; `waits`, if not null, is told of all waits. Throws TraceError, and
  /// UsageError for names that are not in the trace.
  AnalysisResult analyze_trace(const std::string& trace, analysis::WaitSink* waits = nullptr);
  /// Throws what analyze_trace() would throw because of the trace, without reading its events. `last`: the time of its
  /// last event in ticks, if that is known; else the chosen time is not checked.
  void check_against(const std::string& trace, std::optional<Time> last);
  /// How the same trace is read once more for its events.
  access::EventStreamOptions reading() const;
  bool counters() const { return !no_counters_; }
  /// Where lines about the progress go, for Progress.
  int progress_fd() const { return progress_fd_; }
  /// Reads a report, or analyses a trace. Throws TraceError.
  AnalysisResult load(const std::string& report_or_trace);
  /// Throws UsageError if one of the options was given and none of the inputs is a trace.
  void expect_a_trace(const std::vector<std::string>& inputs) const;

  /// The patterns that analyze_trace() runs.
  std::vector<PatternHandle> patterns() { return patterns_.chosen(); }
  /// The plug-in that is running, for messages.
  auto running() const { return patterns_.running(); }
  /// The number that --threads gave, else one for each core.
  std::size_t threads() const { return threads_ != 0 ? threads_ : std::max(std::thread::hardware_concurrency(), 1u); }
  /// Files that are read for the patterns.
  std::vector<std::string> files() const { return patterns_.files(); }

 private:
  AnalysisOptions options_for(const std::string& trace);

  PatternOptions patterns_;
  std::string region_, phase_;
  TimeWindow time_;
  std::vector<std::string> locations_;
  std::vector<std::size_t> wanted_locations_;  // from locations_, set by check()
  unsigned threads_ = 0;
  std::size_t chunk_events_ = 0;
  std::uint64_t exchange_delay_ = 0;
  int progress_fd_ = -1;
  std::string rma_model_ = "auto";
  bool no_counters_ = false, no_series_ = false, no_contexts_ = false, details_ = false;
  std::vector<const CLI::Option*> options_;  // the options that change the result
};

}  // namespace waitstate::cli

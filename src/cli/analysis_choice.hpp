// The options that say how a trace is analysed and what of it: patterns, plug-ins, parameters, region, time, locations.
// Every command that analyses a trace has the same ones, with the same words.
//
// A report is the result of an analysis that is done. So a command that takes either refuses these options where no
// trace is named: they would have no effect.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <string>
#include <vector>

#include "cli/pattern_options.hpp"
#include "cli/selection.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::cli {

class AnalysisChoice {
 public:
  /// All of them, in a group of their own in the help.
  void add_to(CLI::App& app);
  /// After add_to(), of commands that may write a report for programs: what it is to be without.
  void add_details_to(CLI::App& app);
  /// Of these only the option for phases.
  void add_phase_to(CLI::App& app, const std::string& more = "");
  /// Keep what only such a report shows, unless an option says otherwise.
  void keep_details(bool keep) { details_ = keep; }
  /// Of details, not what happened around the most severe waits: of a command that does not show it.
  void keep_no_contexts() { no_contexts_ = true; }

  /// Before check(): run this pattern too, whatever was chosen.
  void run_too(const std::string& id) { patterns_.run_too(id); }

  /// After parsing. Throws UsageError for what is wrong whatever the trace is; see also PatternOptions::check().
  void check();

  /// Analyses a trace, with progress on a terminal. Throws TraceError, and UsageError for what is not in the trace.
  AnalysisResult analyze_trace(const std::string& trace);
  /// Reads a report, or analyses a trace. Throws TraceError.
  AnalysisResult load(const std::string& report_or_trace);
  /// Throws UsageError if one of the options was given and none of the inputs is a trace.
  void expect_a_trace(const std::vector<std::string>& inputs) const;

  /// Those that analyze_trace() runs.
  std::vector<PatternHandle> patterns() { return patterns_.chosen(); }
  /// The plug-in that is running, for whoever has to name it.
  auto running() const { return patterns_.running(); }
  /// Files that are read for them.
  std::vector<std::string> files() const { return patterns_.files(); }

 private:
  PatternOptions patterns_;
  std::string region_, phase_;
  TimeWindow time_;
  std::vector<std::string> locations_;
  std::vector<std::size_t> wanted_locations_;  // from locations_, set by check()
  unsigned threads_ = 0;
  std::size_t chunk_events_ = 0;
  std::string rma_model_ = "auto";
  bool no_counters_ = false, no_series_ = false, no_contexts_ = false, details_ = false;
  std::vector<const CLI::Option*> options_;  // that change the result
};

}  // namespace waitstate::cli

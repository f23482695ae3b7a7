// A report as a whole: the members of its outermost object. Derived values are computed when their member is reached,
// and released when it has been written; the longest ones may be computed before that by other threads, and stay as
// long as the document.
#pragma once

#include <array>
#include <cstdint>
#include <future>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/fields/report.hpp"
#include "report/json/json_parts.hpp"

namespace waitstate::report {

class ReportDocument {
 public:
  /// `result` must outlive it. `exact`: no text may change (a copy; json_writer.hpp). With several threads, others
  /// compute the longest derived values while the members before these are written.
  ReportDocument(const AnalysisResult& result, bool exact, const JsonParts& parts, std::size_t threads = 1);

  ReportDocument(const ReportDocument&) = delete;  // other threads compute values of it
  ReportDocument& operator=(const ReportDocument&) = delete;

  static std::string_view waitstate_version();
  const AnalysisResult& result() const { return result_; }
  const Definitions& definitions() const { return result_.definitions; }
  const JsonParts& parts() const { return parts_; }
  /// Call paths in the order in which they are written, and the place of each in it.
  const std::vector<CallPathId>& callpaths() const { return callpaths_; }
  std::uint32_t place_of(CallPathId id) const { return callpath_places_[id.index()]; }
  /// Programs in the order in which they are written; place_of() has the place of each.
  const std::vector<std::string>& programs() const { return programs_; }
  std::uint32_t place_of(StringId id) const { return program_places_[id.index()]; }
  /// By id of a call path.
  const std::vector<std::uint32_t>& callpath_places() const { return callpath_places_; }

  Efficiencies efficiencies() const;
  /// The factors of efficiency that this report has.
  std::vector<Factor> factors() const;
  const std::vector<MissingLocation>& missing_locations() const { return completeness_.missing(); }
  std::vector<ProcessEntry> processes() const;
  std::vector<LocationEntry> locations() const;
  /// Members are there only if a topology needs them.
  std::vector<Comm> communicators() const;
  std::vector<CallPath> call_tree() const;
  std::vector<MetricEntry<const MetricInfo>> metrics() const;
  ToldProblems problems() const { return told_problems(result_, run_, most_problems); }
  std::vector<std::string> never_ended() const;
  /// Without groups of locations if `parts` does not want them.
  std::optional<WaitSeries> series() const;
  std::span<const WaitContext> contexts() const;
  std::vector<DiagnosticReport> diagnostics() const;
  std::vector<DiagnosticPair> diagnostic_pairs() const;
  /// In the order in which call paths are written.
  std::vector<WaitingCulprit> waiting_culprits() const { return waiting_culprits_.get(); }
  std::vector<WaitGroup> wait_groups() const { return wait_groups_.get(); }
  std::vector<SoftwareCounter> software_counters() const { return software_counters_.get(); }

 private:
  void collect_programs();
  std::vector<WaitingCulprit> sorted_waiting_culprits() const;
  std::vector<NamedValue> texts_of(const std::vector<Property>& properties) const;

  const AnalysisResult& result_;
  RunTotals run_;
  Completeness completeness_;
  const bool exact_;
  const JsonParts parts_;
  std::vector<CallPathId> callpaths_;
  std::vector<std::uint32_t> callpath_places_;
  std::vector<std::string> programs_;
  std::vector<std::uint32_t> program_places_;
  std::shared_future<std::vector<WaitingCulprit>> waiting_culprits_;
  std::shared_future<std::vector<WaitGroup>> wait_groups_;
  std::shared_future<std::vector<SoftwareCounter>> software_counters_;
};

inline constexpr std::array<std::string_view, 1> format_words = {"waitstate"};

template <>
inline constexpr About about<ReportDocument>{
    "ReportDocument",
    "The report that `waitstate analyze --format json` writes and `waitstate show` reads: the whole result of the "
    "analysis of one "
    "trace. Times and durations are integers in timer ticks (trace.clock.ticks_per_second), unless a field says "
    "otherwise. Definitions are referred to by their index in the array of their kind, from 0; null means unknown or "
    "none. Text is valid UTF-8. A later waitstate may add members under the same version."};
template <class F>
void fields(const ReportDocument& d, F&& f) {
  const AnalysisResult& r = d.result();
  const Definitions& definitions = d.definitions();
  f("format", OneOf{format_words[0], format_words}, Measure::none, "Says that this is a report of waitstate.");
  f("version", Constant{format_version}, Measure::none,
    "Version of this format; it changes when a member is removed or changes its meaning.");
  f("waitstate_version", d.waitstate_version(), Measure::none, "Version of the waitstate that wrote the report.");
  f("trace", TraceEntry<const AnalysisResult>{r}, Measure::none, "The origin of the result.");
  f("totals", TotalsEntry<const AnalysisResult>{r}, Measure::none,
    "Totals of the whole trace. Derived, except for messages and collectives.");
  f("efficiency", d.efficiencies(), Measure::none,
    "The share of the run that was computation, and its factors. Derived.");
  f("factors", lines(d.factors()), Measure::none,
    "The meaning of the factors in efficiency and its ideal_machine, as `explain` says. All are shares, from 0 to 1. "
    "Derived.");
  f("missing_locations", lines(d.missing_locations()), Measure::none,
    "Locations whose events could not be read, or not to the end; the report lacks these events. At most the first "
    "five of each kind are listed; diagnostics has their number. Derived.");
  f("focus", r.focus, Measure::none, "The part of the run that was asked for.");
  f("patterns", lines(r.patterns), Measure::none, "The patterns that were run, in their order.");
  f("paradigms", lines(definitions.paradigms), Measure::none, "Programming models that the program used.");
  f("system_tree", lines(definitions.system_tree), Measure::none,
    "The machine: nodes in any order, each leading up to a root.");
  f("processes", lines(d.processes()), Measure::none,
    "Processes in the order of ranks, and the contexts of accelerators to which streams belong.");
  f("hosts", lines(hosts(definitions)), Measure::none,
    "Hosts and the processes that ran on them, in the order of their first processes. Derived from system_tree; a "
    "process whose host the trace does not name is in none.");
  f("locations", lines(d.locations()), Measure::none,
    "Threads, streams of accelerators, metric recorders; in the order of ranks and threads.");
  f("regions", lines(definitions.regions), Measure::none, "Functions, loops and other pieces of code.");
  f("programs", lines(d.programs()), Measure::none, "Paths of programs, as call_tree refers to them.");
  f("communicators", lines(d.communicators()), Measure::none, "Communicators and thread teams.");
  f("cart_dimensions", lines(definitions.cart_dimensions), Measure::none, "Dimensions of Cartesian topologies.");
  f("cart_topologies", lines(definitions.cart_topologies), Measure::none, "Cartesian topologies.");
  f("call_tree", lines(d.call_tree()), Measure::none, "Call paths, depth first: a parent stands before its children.");
  f("metrics", lines(d.metrics()), Measure::none, "The metric tree: a parent stands before its children.");
  f("severities", only_if(d.parts().severities, SeverityTables{r}), Measure::none,
    "The severities of each metric itself, without the metrics below it, per call path (without what it called) and "
    "location. Zeros are left out, and so are metrics without a row.");
  f("waits", by_metric(r.waits, MapLayout::sections), Measure::none, "The single waits of a wait state.");
  f("waiting_culprits", table(d.waiting_culprits()), Measure::none,
    "Culprits that themselves waited, for at least a hundredth of their time there: which of the causes in waits they "
    "are not the only reason of. Derived.");
  f("open_calls", lines(r.open_calls), Measure::none,
    "Calls that wait for others and that their locations are still in when the trace ends.");
  f("deadlocks", lines(needed(deadlocks(r))), Measure::none,
    "Among the open calls: locations that wait for each other, each for the next, the last for the first.");
  f("never_ended", d.never_ended(), Measure::none,
    "The first sentences of the summary of a run that hung: deadlocks, operations that do not fit each other, and the "
    "calls that never ended; empty if every call ended. Derived.");
  f("counters", by_metric(counter_entries(r, d.callpath_places()), MapLayout::sections), Measure::none,
    "The counters that the recorder wrote (METRIC events), beside their severities.");
  f("wait_groups", lines(sized(d.wait_groups(), 0, most_wait_groups)), Measure::none,
    "Groups of processes that wait for each other, most ticks inside first. Derived.");
  const ToldProblems problems = d.problems();
  std::vector<ProblemEntry> entries;
  for (const ToldProblem& problem : problems.listed) entries.push_back({problem, callpath_source(r, problem.callpath)});
  f("problems", lines(sized(entries, 0, most_problems)), Measure::none,
    "The worst problems of the run, as in the summary, the worst first.");
  f("problems_note", only_if(!problems.note.empty(), problems.note), Measure::none,
    "The sentence of the summary where there is no problem, e.g. that nobody waited and where the time goes; missing "
    "where "
    "there is one.");
  const std::optional<WaitSeries> series = d.series();
  f("series", series, Measure::none, "Waits over time; missing: not collected (--no-series).");
  f("critical_segments", r.critical_path, Measure::none,
    "The critical path, which decides how long the run takes; missing without the pattern critical_path.");
  f("phases", r.phases, Measure::none, "The run by visits of one region, or by time; missing: not asked for.");
  f("contexts", only_if(!r.contexts.empty(), lines(sized(d.contexts(), 0, WaitContext::max_contexts))), Measure::none,
    "The events around the 40 most severe instances; missing: not collected (--no-contexts).");
  f("communication", r.communication, Measure::none,
    "The data sent between pairs of processes; missing: not asked for.");
  f("queues", only_if(r.queues.known, r.queues), Measure::none,
    "The message queues of MPI; missing: not asked for (--pattern mpi_posted_count).");
  const std::vector<SoftwareCounter> software = d.software_counters();
  f("software_counters", only_if(!software.empty(), lines(software)), Measure::none,
    "Software performance counters of Open MPI; missing for a trace without MPI calls. Derived.");
  f("unanswered", lines(r.undetermined), Measure::none, "Wait states that the trace cannot tell, or only in part.");
  f("events_by_type", EventCounts<const std::array<std::uint64_t, event_type_count>>{r.events_by_type}, Measure::count,
    "Number of events of each type that occurs, by the type's name.");
  f("diagnostics", lines(d.diagnostics()), Measure::none,
    "Damage and anomalies of the trace: all kinds, also those that did not occur.");
  f("diagnostic_pairs", table(d.diagnostic_pairs()), Measure::none, "Damage that is counted between two processes.");
}

}  // namespace waitstate::report

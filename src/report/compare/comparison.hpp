// The fields of a comparison of two runs in JSON. diff.schema.json and the page's types of it follow from them.
//
// The facts are those of N runs (facts/runs); a comparison has two, so each number of a thing becomes a pair: before,
// after, and the change. Times are in seconds.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/compare/diff.hpp"
#include "report/compare/path_names.hpp"
#include "report/compare/two_runs.hpp"
#include "report/compare/verdict_fields.hpp"
#include "report/fields/field.hpp"
#include "report/words/factors.hpp"

namespace waitstate::report {

/// The numbers of one thing in both runs.
struct ValuePair {
  std::optional<double> before{}, after{}, change{};

  ValuePair() = default;
  explicit ValuePair(const ByRun& value) : before(value[run_a]), after(value[run_b]), change(value.change(run_b)) {}
};
template <>
inline constexpr About about<ValuePair>{"Pair", "A number of run A and of run B."};
template <class F>
void fields(const ValuePair& p, F&& f) {
  f("before", derived(std::optional(p.before)), Measure::none, "The value in A.");
  f("after", derived(std::optional(p.after)), Measure::none, "The value in B.");
  f("change", derived(std::optional(p.change)), Measure::none, "after - before; null unless both are known.");
}

/// One of the two runs.
struct ComparedRun {
  std::string path, focus, missing;
  std::uint64_t processes = 0, locations = 0;
  double duration = 0;

  ComparedRun() = default;
  explicit ComparedRun(const AnalysisResult& result);
};
template <>
inline constexpr About about<ComparedRun>{"ComparedRun", "One of the two runs."};
template <class F>
void fields(const ComparedRun& r, F&& f) {
  f("path", r.path, Measure::none, "The path of the trace, or of the report if that does not name a trace.");
  f("processes", r.processes, Measure::count, "The number of processes.");
  f("locations", r.locations, Measure::count, "The number of locations.");
  f("duration", needed(r.duration), Measure::none, "The time from the first event to the last.");
  f("focus", r.focus, Measure::none, "The part of the run that the report is about; empty: all of it.");
  f("missing", r.missing, Measure::none, "The locations whose events are missing; empty: none.");
}

inline constexpr std::array<std::string_view, 4> metric_units = {"sec", "occ", "bytes", "counter"};
inline constexpr std::array<std::string_view, 4> certainties = {"exactly", "at least", "unknown", "not analysed"};

/// The members that changes of metrics and of call paths have in common, behind the names.
template <class F>
void unit_and_values_before_change(const Change& c, F&& f) {
  const auto value = [](bool exists, Told told, double v) {
    return derived(exists && is_value(told) ? std::optional(v) : std::nullopt);
  };
  f("unit", OneOf{name(c.unit), metric_units}, Measure::none, "sec: seconds; occ: occurrences.");
  f("before", value(c.in_before, c.before_told, c.before), Measure::none,
    "The value in A; null: it is not known, or A has no such metric or call path.");
  f("after", value(c.in_after, c.after_told, c.after), Measure::none,
    "The value in B; null: it is not known, or B has no such metric or call path.");
}
template <class F>
void relative_change_and_certainty(const Change& c, bool known, F&& f) {
  const bool has_relative = known && c.before != 0;
  f("relative", derived(has_relative ? std::optional(c.change() / std::abs(c.before)) : std::nullopt), Measure::none,
    "change / before; null if before is 0 or change is null.");
  f("before_told", OneOf{name(c.before_told), certainties}, Measure::none, "How far the value is known in A.");
  f("after_told", OneOf{name(c.after_told), certainties}, Measure::none, "How far the value is known in B.");
}

/// The change of the total of a metric.
struct MetricChange {
  Change change;
};
template <>
inline constexpr About about<MetricChange>{"MetricChange", "The change of the total of a metric."};
template <class F>
void fields(const MetricChange& m, F&& f) {
  const Change& c = m.change;
  f("metric", c.metric, Measure::none, "The metric's id.");
  unit_and_values_before_change(c, f);
  f("change", derived(c.known() ? std::optional(c.change()) : std::nullopt), Measure::none,
    "after - before; null unless both values are known exactly.");
  relative_change_and_certainty(c, c.known(), f);
}

/// The change of a metric in a call path.
struct CallPathChange {
  Change change;
};
template <>
inline constexpr About about<CallPathChange>{"CallPathChange", "The change of a metric in a call path."};
template <class F>
void fields(const CallPathChange& p, F&& f) {
  const Change& c = p.change;
  f("metric", c.metric, Measure::none, "The metric's id.");
  f("callpath", c.callpath, Measure::none, "The call path.");
  unit_and_values_before_change(c, f);
  const double change = c.change();
  f("change", needed(double{change}), Measure::none,
    "after - before; a call path that does not exist in a run has 0 there.");
  relative_change_and_certainty(c, true, f);
}

/// The efficiency of both runs.
template <>
inline constexpr About about<EfficiencyByRun>{
    "EfficiencyChange", "The share of each run that was computation, and its factors, from 0 to 1."};
template <class F>
void fields(const EfficiencyByRun& e, F&& f) {
  f("scope", OneOf{name(e.scope), scope_names}, Measure::none,
    "The part of the run that it covers: the whole run, or everything except MPI_Init, MPI_Finalize and their "
    "callees.");
  for (const Factor& factor : factors()) {
    const auto found =
        std::find_if(e.factors.begin(), e.factors.end(), [&](const auto& x) { return x.id == factor.id; });
    const auto pair = found == e.factors.end() ? std::nullopt : std::optional(ValuePair(found->value));
    const char* const sentence = factor.summary.data();  // summaries are literals, so this one ends with a null byte
    if (factor.needs.empty())
      f(factor.id, pair.value_or(ValuePair{}), Measure::share, sentence);
    else
      f(factor.id, pair, Measure::share, sentence);
  }
}

/// The run times of the ideal machine, with the call paths by name.
struct IdealMachineChange {
  ValuePair run_time, ideal_run_time, balanced_run_time;
  std::string unbalanced_before, unbalanced_after;

  IdealMachineChange() = default;
  IdealMachineChange(const IdealMachineByRun& ideal, const PathNames& names)
      : run_time(ideal.run_time),
        ideal_run_time(ideal.ideal_run_time),
        balanced_run_time(ideal.balanced_run_time),
        unbalanced_before(names.of_a(ideal.unbalanced)),
        unbalanced_after(names.of_b(ideal.unbalanced)) {}
};
template <>
inline constexpr About about<IdealMachineChange>{"IdealMachineChange",
                                                 "The run time that each run would have if something were different."};
template <class F>
void fields(const IdealMachineChange& i, F&& f) {
  f("run_time", i.run_time, Measure::none, "The recorded run time.");
  f("ideal_run_time", i.ideal_run_time, Measure::none, "The run time if messages took no time.");
  f("balanced_run_time", i.balanced_run_time, Measure::none,
    "The run time if the unbalanced call path took its mean time on every process, and communication stayed as "
    "efficient; null: nothing would be gained.");
  f("unbalanced_before", or_null(i.unbalanced_before, ""), Measure::none, "The unbalanced call path of A.");
  f("unbalanced_after", or_null(i.unbalanced_after, ""), Measure::none, "The unbalanced call path of B.");
}

/// A problem of at least one run.
struct ProblemChange {
  std::string metric, title, callpath;
  ValuePair seconds;
};
template <>
inline constexpr About about<ProblemChange>{
    "ProblemChange", "A wait state that is among the 20 worst problems of at least one of the runs."};
template <class F>
void fields(const ProblemChange& p, F&& f) {
  f("metric", p.metric, Measure::none, "The wait state's id.");
  f("title", p.title, Measure::none, "The title of the wait state.");
  f("seconds", p.seconds, Measure::none,
    "The waiting time of all locations together. null: it is not a problem in that run.");
  f("callpath", p.callpath, Measure::none,
    "The call path in which most of it is, in B if it is a problem there; empty if that is not known.");
}

template <>
inline constexpr About about<LengthClassByRun>{"LengthClass", "Waits of similar length."};
template <class F>
void fields(const LengthClassByRun& c, F&& f) {
  const auto count = [&](std::size_t run) { return run < c.count.size() ? c.count[run] : 0; };
  f("from", needed(c.from), Measure::none, "The shortest duration of the class.");
  f("to", needed(c.to), Measure::none, "All waits of the class are shorter; twice as long as from.");
  f("before", count(run_a), Measure::count, "The number of waits of A.");
  f("after", count(run_b), Measure::count,
    "The number of waits of B; as its classes follow another clock, a wait counts in the class that contains the "
    "middle of its own class.");
}

/// Waits in calls of one call path, by its name.
struct PathWaitChanges {
  std::string callpath;
  ValuePair count, sum, median, longest;
};
template <>
inline constexpr About about<PathWaitChanges>{"PathWaitChanges", "The durations of single waits in one call path."};
template <class F>
void fields(const PathWaitChanges& w, F&& f) {
  f("callpath", w.callpath, Measure::none, "The call path of the waiting calls.");
  f("count", w.count, Measure::count, "The number of waits.");
  f("sum", w.sum, Measure::none, "Their total duration.");
  f("median", w.median, Measure::none, "Their median duration.");
  f("longest", w.longest, Measure::none, "The longest duration.");
}

/// Single waits of a wait state.
struct WaitChanges {
  std::string metric;
  ValuePair count, sum, mean, median, longest;
  std::vector<LengthClassByRun> histogram;
  std::vector<PathWaitChanges> by_callpath;

  WaitChanges() = default;
  WaitChanges(const WaitsByRun& waits, const PathNames& names);
};
template <>
inline constexpr About about<WaitChanges>{"WaitChanges", "The durations of single waits of one wait state."};
template <class F>
void fields(const WaitChanges& w, F&& f) {
  f("metric", w.metric, Measure::none, "The wait state's id.");
  f("count", w.count, Measure::count, "The number of waits.");
  f("sum", w.sum, Measure::none, "Their total duration.");
  f("mean", w.mean, Measure::none, "Their mean duration.");
  f("median", w.median, Measure::none, "Their median duration.");
  f("longest", w.longest, Measure::none, "The longest duration.");
  f("histogram", w.histogram, Measure::none,
    "The number of waits by duration; classes without a wait of either run are left out. Empty if this is not known "
    "for both runs.");
  f("by_callpath", w.by_callpath, Measure::none,
    "The durations by call path of the waiting calls, for the call paths that the reports have, which are the 20 with "
    "the most waiting. The largest change of the sum first.");
}

/// One part of the waits over time.
struct SeriesChange {
  std::string metric;
  std::vector<ValuePair> parts;
};
template <>
inline constexpr About about<SeriesChange>{"SeriesChange", "The waits of one wait state over time."};
template <class F>
void fields(const SeriesChange& s, F&& f) {
  f("metric", s.metric, Measure::none, "The wait state's id.");
  f("parts", sized(s.parts, parts_of_a_run, parts_of_a_run), Measure::none,
    "The waiting time in each tenth, in seconds. A bin of the series that lies in two tenths is divided by its time in "
    "each.");
}

/// The n-th phase of both runs.
struct PhaseChange {
  std::uint64_t number = 0;
  ValuePair longest, parallel_efficiency, load_balance, communication_efficiency;
  std::map<std::string, ValuePair> waits;

  PhaseChange() = default;
  explicit PhaseChange(const PhaseByRun& phase);
};
template <>
inline constexpr About about<PhaseChange>{"PhaseChange", "The phase of one number in both runs."};
template <class F>
void fields(const PhaseChange& p, F&& f) {
  f("phase", p.number, Measure::count, "The number of the phase, from 0 on.");
  f("longest", p.longest, Measure::none, "The time of the slowest location in it.");
  f("parallel_efficiency", p.parallel_efficiency, Measure::share, "Mean computation / longest time.");
  f("load_balance", p.load_balance, Measure::share, "Mean / largest computation.");
  f("communication_efficiency", p.communication_efficiency, Measure::share, "Largest computation / longest time.");
  f("waits", p.waits, Measure::none, "By metric id: the waiting time in it.");
}

/// The phases of both runs.
struct PhaseChanges {
  std::string kind;
  std::vector<PhaseChange> phases;
};
template <>
inline constexpr About about<PhaseChanges>{"PhaseChanges", "The phases of both runs, by number."};
template <class F>
void fields(const PhaseChanges& p, F&& f) {
  f("of", p.kind, Measure::none, "The kind of the phases, e.g. \"visits of main_loop\" or \"16 stretches of time\".");
  f("phases", p.phases, Measure::none, "The phases, one after the other.");
}

/// The data sent from one process to another.
struct CommunicationPairChange {
  std::uint64_t sender = 0, receiver = 0;
  ValuePair messages, bytes;
};
template <>
inline constexpr About about<CommunicationPairChange>{
    "CommunicationPairChange", "The messages that one process, or block of processes, sent to another."};
template <class F>
void fields(const CommunicationPairChange& p, F&& f) {
  f("sender", p.sender, Measure::count, "Number of the process, or of the block.");
  f("receiver", p.receiver, Measure::count, "Number of the process, or of the block.");
  f("messages", p.messages, Measure::count, "The number of messages.");
  f("bytes", p.bytes, Measure::bytes, "Their total length.");
}

/// Messages of similar length.
struct MessageSizeChange {
  std::uint64_t from = 0, to = 0;
  ValuePair messages;
};
template <>
inline constexpr About about<MessageSizeChange>{"MessageSizeChange", "Messages of similar length."};
template <class F>
void fields(const MessageSizeChange& s, F&& f) {
  f("from", s.from, Measure::bytes, "The smallest length of the class.");
  f("to", s.to, Measure::bytes, "All messages of the class are smaller.");
  f("messages", s.messages, Measure::count, "The number of messages.");
}

/// Collective operations of one kind on communicators of one name.
struct OperationsChange {
  std::string communicator, operation;
  ValuePair operations, bytes_sent, seconds, wait_seconds;
};
template <>
inline constexpr About about<OperationsChange>{
    "CollectiveChange",
    "Blocking collective operations of one kind in which all members took part, on communicators of one name."};
template <class F>
void fields(const OperationsChange& o, F&& f) {
  f("communicator", o.communicator, Measure::none, "The name of the communicator; empty: it has no name.");
  f("operation", o.operation, Measure::none, "Kind of the operation, as OTF2 calls it.");
  f("operations", o.operations, Measure::count, "The number of operations.");
  f("bytes_sent", o.bytes_sent, Measure::bytes, "The bytes that all members together sent.");
  f("seconds", o.seconds, Measure::none, "The time in these calls, of all members together.");
  f("wait_seconds", o.wait_seconds, Measure::none, "The waits in these calls.");
}

/// The data sent between processes.
struct CommunicationChange {
  std::map<std::string, ValuePair> sums;
  bool has_pairs = false;
  std::uint64_t processes_per_block = 0, pairs_left_out = 0;
  std::vector<CommunicationPairChange> pairs;
  std::vector<MessageSizeChange> sizes;
  std::vector<OperationsChange> collectives;

  static constexpr std::size_t most_pairs = 100;

  CommunicationChange() = default;
  explicit CommunicationChange(const CommunicationByRun& c);
};
template <>
inline constexpr About about<CommunicationChange>{"CommunicationChange", "The data sent between processes."};
template <class F>
void fields(const CommunicationChange& c, F&& f) {
  const auto sum = [&](const char* id) {
    const auto found = c.sums.find(id);
    return found == c.sums.end() ? ValuePair{} : found->second;
  };
  f("messages", sum("messages"), Measure::count, "The number of messages of all processes together.");
  f("bytes", sum("bytes"), Measure::bytes, "The bytes of these messages.");
  f("puts", sum("puts"), Measure::count, "The number of puts and atomic operations.");
  f("bytes_put", sum("bytes_put"), Measure::bytes, "The bytes that they wrote.");
  f("gets", sum("gets"), Measure::count, "The number of gets.");
  f("bytes_got", sum("bytes_got"), Measure::bytes,
    "The bytes that gets read, and that atomic operations brought back.");
  f("processes_per_block", only_if(c.has_pairs, c.processes_per_block), Measure::count,
    "1: pairs are of processes; otherwise, they are of blocks of this many. This and pairs are there only if it is the "
    "same in both runs.");
  f("pairs", only_if(c.has_pairs, sized(c.pairs, 0, CommunicationChange::most_pairs)), Measure::none,
    "The pairs that changed, the largest change of bytes first.");
  f("pairs_left_out", only_if(c.has_pairs, c.pairs_left_out), Measure::count,
    "The number of further pairs that changed.");
  f("sizes", c.sizes, Measure::none, "The number of messages by size.");
  f("collectives", c.collectives, Measure::none,
    "Blocking collective operations in which all members took part, by name of the communicator and operation; the "
    "largest change of time first.");
}

/// The whole comparison.
struct Comparison {
  ComparedRun before, after;
  bool comparable = true;
  std::vector<MetricChange> metrics;
  std::vector<CallPathChange> callpaths;
  std::optional<EfficiencyByRun> efficiency;
  std::optional<IdealMachineChange> ideal_machine;
  std::vector<ProblemChange> problems;
  std::vector<WaitChanges> waits;
  std::optional<std::vector<SeriesChange>> series;
  std::optional<CommunicationChange> communication;
  std::optional<PhaseChanges> phases;
  std::vector<Verdict> gates;

  Comparison() = default;
  Comparison(const Difference& d, const std::vector<Verdict>& verdicts);

 private:
  void add(const DetailsByRun& details);
};
inline constexpr std::array<std::string_view, 1> comparison_words = {"waitstate diff"};
template <>
inline constexpr About about<Comparison>{
    "Comparison",
    "The comparison that `waitstate diff A B --format json` writes: the changes from run A (before) to run B (after). "
    "Times are in seconds. null: a value is not known, or does not exist, in that run. Metrics are named by their id, "
    "call paths by their names from the root on, separated by /. A later waitstate may add members under the same "
    "version."};
template <class F>
void fields(const Comparison& c, F&& f) {
  f("format", OneOf{comparison_words[0], comparison_words}, Measure::none, "Says that this is a comparison.");
  f("version", Constant{2}, Measure::none,
    "Version of this format; it changes when a member is removed or changes its meaning.");
  f("before", c.before, Measure::none, "Run A.");
  f("after", c.after, Measure::none, "Run B.");
  f("comparable", c.comparable, Measure::none,
    "False if the two runs have different numbers of processes or locations, or are about different parts of a run: "
    "sums over all locations are then hard to compare.");
  f("metrics", c.metrics, Measure::none,
    "The total of each metric that is compared, in the order of the tree of metrics.");
  f("callpaths", c.callpaths, Measure::none,
    "The values of these metrics in call paths where they changed, without the call paths below; the largest change of "
    "each unit first.");
  f("efficiency", c.efficiency, Measure::none,
    "The share of each run that was computation, and its factors. Only if no metrics were named and it is known for "
    "one of the runs; the factors behind communication_efficiency only if mpi_ideal_wait was run for one of them.");
  f("what_if", c.ideal_machine, Measure::none,
    "The run time that each run would have if something were different. Only if mpi_ideal_wait was run for one of the "
    "runs.");
  f("problems", c.problems, Measure::none,
    "Wait states that are among the 20 worst problems of one of the runs. The worst of either run first.");
  f("waits", c.waits, Measure::none,
    "The durations of single waits, for each wait state that one of the runs has; the largest change of the sum "
    "first.");
  f("series", c.series, Measure::none,
    "The waits over time: for each wait state, without those below it, the waiting time in each tenth of the run, from "
    "its first event to its last; the largest change first. Only if both reports have a series.");
  f("communication", c.communication, Measure::none,
    "The data sent between processes. Only if both reports have it, and no metrics were named.");
  f("phases", c.phases, Measure::none,
    "The phases of both runs, by number; only if both runs have phases of the same kind (--phase).");
  f("gates", c.gates, Measure::none, "The gates of --fail-on, in their order.");
}

}  // namespace waitstate::report

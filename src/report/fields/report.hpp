// The fields of a report as a whole, and of what it has beside a result: what follows from the result, so that readers
// of a report need not compute it again.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/efficiency.hpp"
#include "report/facts/ideal_machine.hpp"
#include "report/facts/origin.hpp"
#include "report/facts/software_counters.hpp"
#include "report/facts/totals.hpp"
#include "report/facts/waits/wait_groups.hpp"
#include "report/fields/definitions.hpp"
#include "report/fields/details.hpp"
#include "report/fields/waits.hpp"
#include "report/format/names.hpp"
#include "report/words/efficiency.hpp"
#include "report/words/factors.hpp"
#include "report/words/software_counters.hpp"
#include "report/words/waits/problems.hpp"

namespace waitstate::report {

/// Version of the format that this waitstate writes and reads.
inline constexpr std::uint64_t format_version = 2;

// ---- of the trace ----

/// 64 bits as 16 hexadecimal digits.
template <class T>
struct Hexadecimal {
  T& value;
};
template <class T>
Hexadecimal<T> hexadecimal(T& value) {
  return {value};
}

/// The origin of a result.
template <class R>
struct TraceEntry {
  R& result;
};
template <class R>
inline constexpr About about<TraceEntry<R>>{"Trace", "The origin of the result, as the trace's recorder says."};
template <class R, class F>
void fields(const TraceEntry<R>& t, F&& f) {
  auto& d = t.result.definitions;
  f("path", t.result.path, Measure::none, "Path of the anchor file, the notation file, or the report that was read.");
  f("date", derived(Matching{date_of(d.clock), "^[0-9]+-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$", true}),
    Measure::none, "When the run began, in UTC; null if the trace does not say. Derived from clock.realtime_ns.");
  f("command", only_if(!t.result.command.empty(), t.result.command), Measure::none,
    "Program and arguments of the first location that records them, as in a shell; cut at 2,000 bytes. Missing: the "
    "trace does not say.");
  f("creator", d.recorder.creator, Measure::none, "Recorder and its version.");
  f("machine", d.recorder.machine, Measure::none, "The machine, as recorded.");
  f("description", d.recorder.description, Measure::none, "As recorded.");
  f("otf2_version", d.recorder.version, Measure::none, "Version of the OTF2 library that wrote the trace.");
  f("trace_id", hexadecimal(d.recorder.trace_id), Measure::none,
    "The trace's unique id, 16 hexadecimal digits; zeros if it has none.");
  f("properties", d.recorder.properties, Measure::none, "Other notes of the recorder.");
  f("clock", d.clock, Measure::none, "The timer.");
}

/// Totals of a whole trace.
template <class R>
struct TotalsEntry {
  R& result;
};
template <class R>
inline constexpr About about<TotalsEntry<R>>{"Totals", "Totals of the whole trace."};
template <class R, class F>
void fields(const TotalsEntry<R>& t, F&& f) {
  const Time first = first_event(t.result);
  f("first_time", derived(Time{first}), Measure::time, "The time of the first event, 0 if there is none.");
  f("last_time", derived(first + static_cast<Time>(t.result.duration())), Measure::time, "The time of the last event.");
  f("duration", derived(t.result.duration()), Measure::ticks, "last_time - first_time.");
  f("events", derived(t.result.events()), Measure::count, "Sum of events_by_type.");
  f("messages", t.result.messages, Measure::count, "Matched messages.");
  f("collectives", t.result.collectives, Measure::count, "Complete collective operations.");
}

template <>
inline constexpr About about<MissingLocation>{"MissingLocation",
                                              "A location whose events are missing, or some of them."};
template <class F>
void fields(Is<MissingLocation> auto& m, F&& f) {
  f("location", needed(m.location), Measure::none, "The location.");
  f("from", or_null(m.from, 0), Measure::time,
    "The time from which on they are missing; null: all of them are missing.");
}

template <>
inline constexpr About about<Host>{"Host", "A host, and the processes that ran on it."};
template <class F>
void fields(Is<Host> auto& h, F&& f) {
  f("name", h.name, Measure::none, "As recorded.");
  f("processes", needed(h.processes), Measure::none, "The processes, without accelerators.");
  f("ranks", h.ranks, Measure::count, "The ranks of these processes, ascending.");
}

/// One kind of damage or anomaly in a report.
struct DiagnosticReport {
  DiagnosticId id{};
  DiagnosticSeverity severity{};
  std::string sentence;
  std::uint64_t count = 0;
  Ticks largest = 0;
  std::vector<DiagnosticPlace> places;
};
template <>
inline constexpr About about<DiagnosticReport>{"Diagnostic", "Something that is damaged or odd about the trace."};
template <class F>
void fields(Is<DiagnosticReport> auto& d, F&& f) {
  f("id", d.id, Measure::none, "The kind of damage.");
  f("severity", derived(DiagnosticSeverity{d.severity}), Measure::none,
    "loss: something is missing from the results. odd: an anomaly; everything was analysed. note: nothing is wrong.");
  f("sentence", derived(d.sentence), Measure::none, "The thing that is counted.");
  f("count", d.count, Measure::count, "The number of times that it was found.");
  f("largest", d.largest, Measure::ticks, "Largest error, for kinds that have a size, else 0.");
  f("places", sized(d.places, 0, Diagnostics::max_places), Measure::none,
    "The first places, in order of location and time.");
}

/// The number of occurrences of a kind between two processes.
struct DiagnosticPair {
  DiagnosticId id{};
  ProcessId sender, receiver;
  Diagnostics::Pair pair;
};
template <>
inline constexpr About about<DiagnosticPair>{"DiagnosticPair",
                                             "A kind of damage that is counted between two processes."};
template <class F>
void fields(Is<DiagnosticPair> auto& p, F&& f) {
  f("diagnostic", p.id, Measure::none, "The kind of damage.");
  f("sender", p.sender, Measure::none, "The sending process.");
  f("receiver", p.receiver, Measure::none, "The receiving process.");
  f("count", p.pair.count, Measure::count, "The number of times that it was found.");
  f("largest", p.pair.largest, Measure::ticks, "Largest error.");
}

/// Number of events by type; types that do not occur are left out.
template <class C>
struct EventCounts {
  C& counts;
};

// ---- of metrics ----

/// How far the value of a metric is known, in the words of reports.
inline constexpr std::array<std::string_view, 3> told_words = {"exactly", "at least", "unknown"};

template <>
inline constexpr About about<MetricInfo>{"Metric", "A metric: its id, its unit, and its place in the tree."};
template <class F>
void fields(Is<MetricInfo> auto& i, F&& f) {
  f("id", i.id, Measure::none, "Unique, e.g. \"mpi_latesender\".");
  f("title", i.title, Measure::none, "For people.");
  f("summary", i.summary, Measure::none, "One sentence.");
  f("unit", i.unit, Measure::none,
    "The unit of its severities: ticks, occurrences (occ), bytes, or what counters says (counter).");
  f("within_parent", i.within_parent, Measure::none,
    "True: it is a share of what the parent has anyway. False: the parent's value is the sum over such children and "
    "its own severities.");
  f("kind", i.kind, Measure::none,
    "The meaning of a time: waiting for somebody else, the completion of an operation, idleness of threads, an account "
    "of "
    "all time in a library and its parts, or something else.");
  f("plugin", i.from_plugin, Measure::none, "True: it belongs to a pattern of a plug-in. False: it is built in.");
  f("aggregation", only_if(!i.sums(), i.aggregation), Measure::none,
    "The way in which values of several call paths and locations are combined, if they do not add up; 0 then stands "
    "for no value.");
  f("parent", metric_reference(i.parent), Measure::none, "The metric above it.");
  const bool explained = !i.texts.empty();
  f("definition", only_if(explained, i.texts.definition), Measure::none,
    "The way in which it is computed, as `explain` says; only for metrics of patterns.");
  f("charged_to", only_if(explained, i.texts.charged_to), Measure::none,
    "The call path and the location that it is charged to.");
  f("source", only_if(explained, i.texts.source), Measure::none, "The source of the definition.");
  f("diagnosis", only_if(explained, i.texts.diagnosis), Measure::none, "Advice for the user.");
  f("siblings", only_if(i.within_parent, i.siblings), Measure::none,
    "Whether its value may be taken from the parent's own together with those of the other disjoint children: these "
    "have no time, occurrence or byte in common with one another, and fit, in each call path on each location, into "
    "what the parent has besides its summands. An overlapping metric may have something in common with another one; a "
    "metric that is elsewhere lies, at least in part, in a summand of the parent or in calls of another kind "
    "(non-blocking collective operations are waited for in MPI_Wait). Both are only listed as \"of which\".");
}

/// A metric with its sums; these are not read.
template <class M>
struct MetricEntry {
  M& info;
  std::int64_t total = 0, counted = 0;
  std::optional<double> share = {}, counted_share = {};
  Told told = Told::exactly;
};
template <class M>
inline constexpr About about<MetricEntry<M>>{"Metric", "A metric: its id, its unit, and its total."};
template <class M, class F>
void fields(const MetricEntry<M>& m, F&& f) {
  fields(m.info, f);
  f("total", derived(std::int64_t{m.total}), Measure::ticks,
    "Sum (minimum, maximum) of all its severities and those of the children that are not within_parent. Derived.");
  f("total_without_init_exit", derived(std::int64_t{m.counted}), Measure::ticks,
    "The total without calls that start and end MPI and SHMEM. Derived.");
  f("share", derived(std::optional(m.share)), Measure::share,
    "The share of a time: total / total of \"time\"; null of all else, and where there is no time. Derived.");
  f("share_without_init_exit", derived(std::optional(m.counted_share)), Measure::share,
    "Like share, for the totals without init and exit. Derived.");
  f("told", derived(OneOf{name(m.told), told_words}), Measure::none,
    "How far total is known: all of it; that it is so much at least; nothing, since the trace cannot tell, or because "
    "damaged time "
    "stamps or sizes leave a number without a meaning (unanswered says why). Derived.");
}

/// A severity of a metric, exclusive along both trees.
struct SeverityEntry {
  CallPathId callpath;
  LocationId location;
  std::int64_t value = 0;
};
template <>
inline constexpr About about<SeverityEntry>{"Severity", "The value of a metric for a call path and a location."};
template <class F>
void fields(Is<SeverityEntry> auto& s, F&& f) {
  f("callpath", needed(s.callpath), Measure::none, "The call path, without what it called.");
  f("location", needed(s.location), Measure::none, "The location.");
  f("value", s.value, Measure::none, "The value, in the metric's unit.");
}
/// The severities of all metrics that have some, a metric at a time.
struct SeverityTables {
  const AnalysisResult& result;
};

template <class R>
struct CounterRowEntry {
  R& row;
  std::optional<double> rate = {}, mean = {};
  double sum = 0;  ///< only Python has it: other forms have the severities
};
template <class R>
inline constexpr About about<CounterRowEntry<R>>{
    "CounterRow", "A counter in one call path, without what it called, on one location."};
template <class R>
struct Sample<CounterRowEntry<R>> {
  static const CounterRowEntry<R>& object() {
    static std::remove_const_t<R> row;
    static const CounterRowEntry<R> made{row};
    return made;
  }
};
template <class R, class F>
void fields(const CounterRowEntry<R>& c, F&& f) {
  f("callpath", needed(c.row.callpath), Measure::none, "The call path.");
  f("location", needed(c.row.location), Measure::none, "The location.");
  f("samples", c.row.samples, Measure::count, "The number of values; for an accumulated counter, of differences.");
  f("weight", c.row.weight, Measure::count,
    "The number by which the severity is divided for a mean: ticks of values that hold for a time, else samples.");
  f("least", c.row.least, Measure::none, "The least single value, in the counter's unit.");
  f("greatest", c.row.greatest, Measure::none, "The greatest single value, in the counter's unit.");
  f("rate", derived(std::optional(c.rate)), Measure::none,
    "The rate of a counter that grows or has differences: severity_unit per second of the time spent in that call path "
    "on that location. "
    "null: of a state, or no time is known.");
  f("mean", derived(std::optional(c.mean)), Measure::none,
    "The mean of a state, over its values, or over time where they hold for a time; null: the counter is not a state.");
}

/// A counter with its unit, and its rows as reports have them.
template <class C, class R>
struct CounterEntry {
  using OfCounter = C;
  C& counter;
  std::vector<CounterRowEntry<R>> rows = {};
  std::string severity_unit = {};
  double scale = 1;
};
template <class C, class R>
inline constexpr About about<CounterEntry<C, R>>{
    "Counter", "A counter that the recorder wrote (METRIC events), beside its severities."};
template <class C, class R>
struct Sample<CounterEntry<C, R>> {
  static const CounterEntry<C, R>& object() {
    static std::remove_const_t<C> counter;
    static const CounterEntry<C, R> made{counter};
    return made;
  }
};
template <class E, class F>
requires requires { typename E::OfCounter; }
void fields(E& c, F&& f) {
  f("kind", c.counter.kind, Measure::none,
    "The kind of its values: ever growing (differences are charged), a state, or differences.");
  f("timing", c.counter.timing, Measure::none,
    "The time that a value is about; absolute values of \"last\" and \"next\" hold for a time, and are weighted with "
    "it.");
  f("unit", c.counter.unit, Measure::none, "The unit of its values, as recorded.");
  f("severity_unit", c.severity_unit, Measure::none, "The unit of its severities times scale.");
  f("scale", c.scale, Measure::none, "The value that a severity of 1 stands for; above 0.");
  f("values", table(c.rows), Measure::none, "Its values by call path and location.");
}

/// All counters, their rows in the order of `places` of call paths, or of the call paths' ids if there are none.
std::vector<std::pair<MetricIndex, CounterEntry<const Counter, const CounterRow>>> counter_entries(
    const AnalysisResult& result, std::span<const std::uint32_t> places = {});

/// A wait state that the trace cannot tell.
template <>
inline constexpr About about<UndeterminedMetric>{
    "UndeterminedMetric", "A metric that the trace cannot tell, or only in part: its value may be too small."};
template <class F>
void fields(Is<UndeterminedMetric> auto& u, F&& f) {
  f("metric", needed(metric_reference(u.metric)), Measure::none,
    "The metric; the sentence also holds for the metrics below it.");
  f("sentence", u.sentence, Measure::none, "The reason: what the trace lacks.");
}

// ---- of efficiency ----

inline std::optional<Ticks> known_ticks(bool known, Ticks ticks) { return known ? std::optional(ticks) : std::nullopt; }
inline std::optional<double> known_share(bool known, double share) {
  return known ? std::optional(share) : std::nullopt;
}

/// The ideal machine, with the reason if it is not known.
struct IdealMachineEntry {
  IdealMachine machine = {};
  std::string unknown = {};
};
template <>
inline constexpr About about<IdealMachineEntry>{
    "IdealMachine",
    "The run as it would be if messages took no time, only if mpi_ideal_wait was run; unknown values are null. Times "
    "outside of MPI are those of the first threads of processes. Source: the POP project's metrics."};
template <class F>
void fields(Is<IdealMachineEntry> auto& entry, F&& f) {
  auto& m = entry.machine;
  const auto share = [&](double value) { return derived(known_share(m.known(), value)); };
  f("ideal_run_time", derived(known_ticks(m.known(), m.ideal_run_time)), Measure::ticks,
    "The largest time outside of MPI and mpi_ideal_wait together.");
  f("serialisation_efficiency", share(m.serialisation), Measure::share,
    "Largest time outside of MPI / ideal_run_time.");
  f("transfer_efficiency", share(m.transfer), Measure::share, "ideal_run_time / run_time.");
  f("mpi_communication_efficiency", share(m.mpi_communication), Measure::share,
    "Largest time outside of MPI / run_time: the product of these two.");
  f("mpi_load_balance", share(m.mpi_load_balance), Measure::share, "Mean / largest time outside of MPI.");
  f("mpi_parallel_efficiency", share(m.mpi_parallel), Measure::share, "Mean time outside of MPI / run_time.");
  f("openmp_efficiency", share(m.openmp), Measure::share,
    "parallel_efficiency / mpi_parallel_efficiency; 1 without threads.");
  f("unbalanced", m.unbalanced, Measure::none,
    "The call path whose balance would gain the most; null if no balance gains anything.");
  f("balanced_run_time", derived(known_ticks(m.known(), m.balanced_run_time)), Measure::ticks,
    "The run time if that call path took its mean time on every process, and mpi_communication_efficiency stayed the "
    "same.");
  f("bound", m.bound, Measure::none, "Why the ideal run may take longer; empty if it is exact.");
  f("unknown", entry.unknown, Measure::none, "Why it is unknown; empty if it is not.");
}

/// The efficiency of a run in a scope.
struct EfficiencyEntry {
  Ticks time = 0;
  Efficiency efficiency = {};
  std::string unknown = {};  ///< the reason why the efficiency is not known
  std::optional<IdealMachineEntry> ideal_machine = {};

  EfficiencyEntry() = default;
  EfficiencyEntry(const AnalysisResult& result, const Totals& totals)
      : time(totals.time()),
        efficiency(report::efficiency(result, totals)),
        unknown(why_unknown(result, efficiency.unknown)) {
    if (const IdealMachine ideal = report::ideal_machine(result, totals); ideal.was_asked)
      ideal_machine = {ideal, why_unknown(result, ideal)};
  }
};
inline constexpr std::array<std::string_view, 2> unit_words = {"processes", "threads"};
template <>
inline constexpr About about<EfficiencyEntry>{
    "Efficiency",
    "The share of a run that was computation, and its factors: parallel_efficiency = load_balance x "
    "communication_efficiency. Unknown values are null."};
template <class F>
void fields(Is<EfficiencyEntry> auto& s, F&& f) {
  const Efficiency& e = s.efficiency;
  f("time", s.time, Measure::ticks, "The time of all locations together.");
  f("run_time", derived(known_ticks(e.known(), e.run_time)), Measure::ticks,
    "The longest time of a process or thread.");
  f("parallel_efficiency", derived(known_share(e.known(), e.parallel)), Measure::share, "Mean computation / run_time.");
  f("load_balance", derived(known_share(e.known(), e.load_balance)), Measure::share, "Mean / largest computation.");
  f("communication_efficiency", derived(known_share(e.known(), e.communication)), Measure::share,
    "Largest computation / run_time.");
  f("over", OneOf{unit_words[e.threads ? 1 : 0], unit_words}, Measure::none,
    "The units over which mean and largest are taken.");
  f("units", e.units, Measure::count, "The number of these units.");
  f("left_out", e.left_out, Measure::count,
    "The number of units that are left out, because some of their events are missing.");
  f("unknown", s.unknown, Measure::none, "Why it is unknown; empty if it is not.");
  f("ideal_machine", s.ideal_machine, Measure::none,
    "The factors of the run as it would be if messages took no time; missing without mpi_ideal_wait.");
}

/// The efficiency in both scopes.
struct Efficiencies {
  EfficiencyEntry whole = {}, without_init_exit = {};
};
template <>
inline constexpr About about<Efficiencies>{"Efficiencies", "The efficiency of the run, measured in two ways."};
template <class F>
void fields(Is<Efficiencies> auto& e, F&& f) {
  f("whole", e.whole, Measure::none, "The factors of the whole run.");
  f("without_init_exit", e.without_init_exit, Measure::none,
    "The factors without MPI_Init, MPI_Finalize and everything in their calls, as in the summary. They equal those of "
    "whole if none of the time is spent there, or all of it.");
}

template <>
inline constexpr About about<Factor>{"Factor", "The meaning of a factor of the efficiency or of the ideal machine."};
template <class F>
void fields(Is<Factor> auto& t, F&& f) {
  f("id", t.id, Measure::none, "Its name in efficiency.");
  f("summary", t.summary, Measure::none, "Its meaning in one sentence.");
  f("formula", t.formula, Measure::none, "The way in which it is computed.");
  f("source", t.source, Measure::none, "The source of the definition.");
}

// ---- of waits ----

template <>
inline constexpr About about<WaitGroup>{
    "WaitGroup", "A group of processes that wait for each other, directly or through others, over all wait states."};
template <class F>
void fields(Is<WaitGroup> auto& g, F&& f) {
  f("processes", sized(needed(g.processes), 0, most_group_members), Measure::none, "Its processes, ascending.");
  f("left_out", g.left_out, Measure::count, "The number of further processes in it.");
  f("count", g.inside.count, Measure::count, "The number of waits of members for other members.");
  f("ticks", g.inside.ticks, Measure::ticks, "Their total duration.");
  f("circle", sized(needed(g.circle), 0, most_group_members), Measure::none,
    "Each of these processes waits for the next, the last for the first: of all circles in the group the one whose "
    "smallest wait is largest.");
  f("circle_ticks", g.circle_ticks, Measure::ticks, "The smallest wait of the circle.");
}

/// A reference to an instance: its number among those of its metric in JSON, the object in Python.
struct InstanceReference {
  MetricIndex metric = no_metric;
  const SevereInstance* instance = nullptr;
};

inline constexpr std::array<std::string_view, 2> scope_words = {"whole", "without_init_exit"};

/// One of the worst problems of the run, with the longest wait of its worst instance.
struct ProblemEntry {
  const ToldProblem& problem;
  std::string source{};  ///< where the code of its call path is
  MetricIndex value_of = problem.rest ? problem.rest.metric : problem.metric;
  Wait longest = problem.worst == nullptr ? Wait{} : problem.worst->longest;
};
template <>
inline constexpr About about<ProblemEntry>{"Problem", "One of the worst problems of the run, as in the summary."};
template <>
struct Sample<ProblemEntry> {
  static const ProblemEntry& object() {
    static const ToldProblem problem;
    static const ProblemEntry made{problem};
    return made;
  }
};
template <class F>
void fields(Is<ProblemEntry> auto& e, F&& f) {
  const ToldProblem& p = e.problem;
  f("metric", metric_reference(p.metric), Measure::none,
    "The wait state; null: time in a function of a library that is not a wait.");
  f("title", p.title, Measure::none, "The title of the wait state, or a name of the time, for people.");
  f("sentence", p.sentence, Measure::none,
    "The amount, the place, and which location made which one wait; begins with the title. A name that is not UTF-8 "
    "has its bytes as escapes here; if the report is written again from this one, it has the replacement character.");
  f("advice", p.advice, Measure::none, "Advice, or the reason for a doubt; may be empty.");
  f("value_of", metric_reference(e.value_of), Measure::none,
    "The metric that has this time: the wait state, or the part of an account; null: none is known.");
  f("function", p.rest.function, Measure::none,
    "The function whose call paths have this time, all others are not meant; empty: all call paths.");
  f("scope", OneOf{name(p.scope), scope_words}, Measure::none,
    "The time that counts: all of it, or what is left without the calls that start and end MPI and SHMEM.");
  f("ticks", p.ticks, Measure::ticks, "The time that it takes.");
  f("share", derived(p.of > 0 ? std::optional(static_cast<double>(p.ticks) / static_cast<double>(p.of)) : std::nullopt),
    Measure::share,
    "Its share of the time, as in the sentence: without the calls that start and end MPI and SHMEM, unless all of it "
    "is in them.");
  f("told", OneOf{told_words[p.at_least ? 1 : 0], told_words}, Measure::none, "Whether it may be more, as in metrics.");
  f("callpath", p.callpath, Measure::none, "The call path in which most of it is.");
  f("callpath_ticks", p.callpath_ticks, Measure::ticks, "The time in that call path.");
  f("source", e.source, Measure::none,
    "File and line of the last function of that call path whose place is known, \"halo.c:120\"; empty: unknown.");
  f("location", e.longest.location, Measure::none,
    "The location that waited longest in the most severe instance there.");
  f("culprit", e.longest.culprit, Measure::none, "The location that it waited for then.");
  f("culprit_callpath", e.longest.culprit_callpath, Measure::none, "The call path in which the culprit was meanwhile.");
  f("instance", InstanceReference{p.metric, p.worst}, Measure::none,
    "That instance, as an index of the instances in waits of this metric; null: single waits are not known.");
}

template <>
inline constexpr About about<SoftwareCounter>{
    "SoftwareCounter",
    "A software performance counter (SPC) of Open MPI, as far as a trace of any MPI library tells it."};
inline constexpr std::array<std::string_view, 4> bound_words = {"exact", "at most", "at least", "unknown"};
template <class F>
void fields(Is<SoftwareCounter> auto& c, F&& f) {
  f("name", c.name, Measure::none, "Its name in Open MPI.");
  f("meaning", derived(meaning(c)), Measure::none,
    "The things that it counts, and the reason why it is not available.");
  f("bound", OneOf{name(c.bound), bound_words}, Measure::none,
    "How the library's value compares with the values here; unknown: a trace does not have it.");
  f("of_paper", c.of_paper, Measure::none,
    "True if it is in Table 1 of Eberius, Patinyasakdikul and Bosilca, EuroMPI/USA 2017.");
  f("values", c.values, Measure::count, "Its values by process; empty if the trace, or this analysis, does not tell.");
}

}  // namespace waitstate::report

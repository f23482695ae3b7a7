// The members of the JSON report's objects, each listed once: the writer and the reader both go through these lists, so
// that what is written is what is read, under the same names and in the same order.
//
// fields(object, f) calls f("name", member) for every member. Members that lead to other tables (ids), sentinels that
// mean "unknown" (or_null) and enumerations are values like all others; how each looks in JSON is decided by type, in
// json_writer.cpp and json_reader.cpp. What has no struct of its own in AnalysisResult (tables of rows) is not here.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report::json {

/// Version of the format that this waitstate writes and reads.
inline constexpr std::uint64_t format_version = 2;

/// A value of which one stands for "none": null in JSON.
template <class T>
struct OrNull {
  T& value;
  std::remove_const_t<T> none;
};
template <class T>
OrNull<T> or_null(T& value, std::type_identity_t<std::remove_const_t<T>> none) {
  return {value, none};
}
inline constexpr std::uint64_t all_ones = ~std::uint64_t{0};

template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

/// A property of a recorder, a parameter of a pattern.
using NamedValue = std::pair<std::string, std::string>;

// clang-format off
template <class F> void fields(Is<NamedValue> auto& s, F&& f) {
  f("name", s.first); f("value", s.second);
}
template <class F> void fields(Is<PatternRun> auto& s, F&& f) {
  f("id", s.id); f("parameters", s.parameters);
}
template <class F> void fields(Is<Clock> auto& s, F&& f) {
  f("ticks_per_second", s.resolution); f("offset", s.offset); f("length", s.length);
  f("realtime_ns", or_null(s.realtime, all_ones));
}
template <class F> void fields(Is<Focus> auto& s, F&& f) {
  f("region", s.region); f("locations", s.locations); f("from", s.from); f("to", or_null(s.to, all_ones));
}
template <class F> void fields(Is<ParadigmDefinition> auto& s, F&& f) {
  f("paradigm", s.paradigm); f("name", s.name); f("class", s.paradigm_class);
}
template <class F> void fields(Is<SystemTreeNode> auto& s, F&& f) {
  f("name", s.name); f("class", s.class_name); f("parent", s.parent);
}
template <class F> void fields(Is<LocationGroup> auto& s, F&& f) {
  f("name", s.name); f("type", s.type); f("system_tree_node", s.parent); f("creator", s.creator);
  f("rank", or_null(s.rank, -1));
}
template <class F> void fields(Is<Location> auto& s, F&& f) {
  f("name", s.name); f("type", s.type); f("process", s.process);
}
template <class F> void fields(Is<LocationSummary> auto& s, F&& f) {
  f("events", s.events); f("first_time", s.first_time); f("last_time", s.last_time);
}
template <class F> void fields(Is<Region> auto& s, F&& f) {
  f("name", s.name); f("canonical_name", s.canonical_name); f("description", s.description); f("file", s.file);
  f("begin_line", s.begin_line); f("end_line", s.end_line); f("paradigm", s.paradigm); f("role", s.role);
  f("region_class", s.region_class);
}
template <class F> void fields(Is<CartDimension> auto& s, F&& f) {
  f("name", s.name); f("size", s.size); f("periodic", s.periodicity);
}
template <class F> void fields(Is<CartTopology> auto& s, F&& f) {
  f("name", s.name); f("communicator", s.comm); f("dimensions", s.dimensions); f("coordinates", s.coordinates);
}
template <class F> void fields(Is<CallPath> auto& s, F&& f) {
  f("parent", s.parent); f("region", s.region); f("program", s.program);
}
template <class F> void fields(Is<MetricInfo> auto& s, F&& f) {  // its parent comes by id
  f("id", s.id); f("title", s.title); f("summary", s.summary); f("unit", s.unit); f("within_parent", s.within_parent);
}
template <class F> void fields(Is<Counter> auto& s, F&& f) {
  f("kind", s.kind); f("timing", s.timing); f("unit", s.unit);
}
template <class F> void fields(Is<WaitStatistics> auto& s, F&& f) {
  f("count", s.count); f("sum", s.sum); f("minimum", s.minimum); f("maximum", s.maximum); f("mean", s.mean);
  f("variance", s.variance); f("quartile25", s.quartile25); f("median", s.median); f("quartile75", s.quartile75);
  f("quantile_error", s.quantile_error);
}
template <class F> void fields(Is<Wait> auto& s, F&& f) {
  f("location", s.location); f("callpath", s.callpath); f("enter", s.enter); f("exit", s.exit); f("begin", s.begin);
  f("ticks", s.ticks); f("culprit", s.culprit); f("culprit_callpath", s.culprit_callpath);
}
template <class F> void fields(Is<CulpritWait> auto& s, F&& f) {  // null if it is not known
  f("ticks", s.ticks); f("most", s.most); f("culprit", s.culprit); f("callpath", s.callpath);
}
template <class F> void fields(Is<OpenCall> auto& s, F&& f) {
  f("location", s.location); f("callpath", s.callpath); f("region", s.region); f("enter", s.enter);
  f("waits", s.waits);
}
template <class F> void fields(Is<OpenWait> auto& s, F&& f) {
  f("kind", s.kind); f("communicator", s.comm); f("target", s.target); f("tag", or_null(s.tag, std::int64_t{-1}));
  f("whom", s.whom); f("any", s.any);
}
template <class F> void fields(Is<MetricTexts> auto& s, F&& f) {
  f("definition", s.definition); f("charged_to", s.charged_to); f("source", s.source); f("diagnosis", s.diagnosis);
}
template <class F> void fields(Is<WaitCause> auto& s, F&& f) {
  f("kind", s.kind); f("sent", or_null(s.sent, all_ones)); f("received", or_null(s.received, all_ones));
  f("bytes", or_null(s.bytes, all_ones)); f("tag", or_null(s.tag, std::int64_t{-1})); f("communicator", s.comm);
  f("operation", or_null(s.operation, WaitCause::no_operation));
  f("culprit_enter", or_null(s.culprit_enter, all_ones)); f("culprit_exit", or_null(s.culprit_exit, all_ones));
}
template <class F> void fields(Is<Phases::Phase> auto& s, F&& f) {  // its waits come by themselves
  f("begin", s.begin); f("end", s.end); f("locations", s.locations); f("ticks", s.ticks); f("longest", s.longest);
  f("computation", s.computation); f("largest_computation", s.largest_computation);
}
template <class F> void fields(Is<WaitContext> auto& s, F&& f) {  // its tables come by themselves
  f("from", s.from); f("to", s.to); f("locations", s.locations); f("shortest", s.shortest);
  f("messages_left_out", s.messages_left_out);
}
template <class F> void fields(Is<QueueProfile> auto& s, F&& f) {
  f("entered", s.entered); f("remaining", s.remaining); f("greatest_length", s.greatest_length);
  f("populated", s.populated); f("total", s.total); f("least", s.least); f("greatest", s.greatest);
  f("search_total", s.search_total); f("search_greatest", s.search_greatest);
  f("source_total", s.source_total); f("source_greatest", s.source_greatest);
}
template <class F> void fields(Is<QueueRow> auto& s, F&& f) {
  f("process", s.process); f("communicator", s.comm); f("posted", s.posted); f("unexpected", s.unexpected);
  f("parts", s.parts);
}
template <class F> void fields(Is<QueuePart> auto& s, F&& f) {
  f("posted_greatest", s.posted_greatest); f("unexpected_greatest", s.unexpected_greatest);
  f("posted_mean", s.posted_mean); f("unexpected_mean", s.unexpected_mean);
}
template <class F> void fields(Is<SevereInstance> auto& s, F&& f) {  // culprit_wait comes by itself
  f("total", s.total); f("waiters", s.waiters); f("longest", s.longest);
}
template <class F> void fields(Is<ChainStep> auto& s, F&& f) {
  f("location", s.location); f("callpath", s.callpath); f("enter", s.enter); f("ticks", s.ticks);
  f("crossing", s.crossing); f("culprit", s.culprit); f("share", s.share);
}
template <class F> void fields(Is<WaitChain> auto& s, F&& f) {
  f("steps", s.steps); f("end", s.end); f("root", s.root); f("root_ticks", s.root_ticks);
  f("root_share", s.root_share); f("waited_share", s.waited_share);
}
template <class F> void fields(Is<DiagnosticPlace> auto& s, F&& f) {
  f("location", s.location); f("time", or_null(s.time, all_ones)); f("text", s.text);
}
// clang-format on

// Enumerations are names; a number where a later OTF2 knows more of them than we do.

template <class E>
std::string_view enum_text(E value) {
  return enum_name(value);
}
inline std::string_view enum_text(RegionClass value) { return name(value); }
inline std::string_view enum_text(MetricKind value) { return name(value); }
inline std::string_view enum_text(Unit value) { return value == Unit::seconds ? "ticks" : name(value); }

/// All names that an enumeration has.
template <class E>
std::vector<std::string_view> enum_names() {
  std::vector<std::string_view> names;
  if constexpr (std::same_as<E, RegionClass>) {
    for (int i = 0; i < region_class_count; ++i) names.push_back(enum_text(static_cast<RegionClass>(i)));
  } else if constexpr (std::same_as<E, Unit>) {
    for (const Unit unit : {Unit::seconds, Unit::occurrences, Unit::bytes, Unit::counter})
      names.push_back(enum_text(unit));
  } else if constexpr (std::same_as<E, MetricKind>) {
    for (int i = 0; i < metric_kind_count; ++i) names.push_back(enum_text(static_cast<MetricKind>(i)));
  } else {
    const auto& all = detail::EnumNames<E>::names;
    names.assign(std::begin(all), std::end(all));
  }
  return names;
}
/// The number of the first of enum_names().
template <class E>
constexpr unsigned first_enum() {
  if constexpr (std::same_as<E, RegionClass> || std::same_as<E, Unit> || std::same_as<E, MetricKind>)
    return 0;
  else
    return detail::EnumNames<E>::first;
}

/// Columns of the tables.
inline constexpr std::string_view severity_columns[] = {"callpath", "location", "value"};
inline constexpr std::string_view pair_columns[] = {"culprit", "waiter", "count", "ticks"};
inline constexpr std::string_view cause_columns[] = {"callpath", "culprit", "count", "ticks"};
inline constexpr std::string_view counter_columns[] = {"callpath", "location", "samples", "weight",
                                                       "least",    "greatest", "rate",    "mean"};
inline constexpr std::string_view interval_columns[] = {"location", "region", "enter", "exit", "depth"};
inline constexpr std::string_view context_message_columns[] = {"sender", "receiver", "sent",        "received",
                                                               "bytes",  "tag",      "communicator"};
inline constexpr std::string_view transfer_columns[] = {"origin",  "target",    "operation",
                                                        "started", "completed", "bytes"};
inline constexpr std::string_view histogram_columns[] = {"from", "to", "count", "ticks"};
inline constexpr std::string_view by_callpath_columns[] = {
    "callpath", "count", "sum", "minimum", "quartile25", "median", "quartile75", "maximum", "mean", "quantile_error"};
inline constexpr std::string_view communication_columns[] = {"sender", "receiver",  "messages", "bytes",
                                                             "puts",   "bytes_put", "gets",     "bytes_got"};
inline constexpr std::string_view message_size_columns[] = {"from", "to", "messages", "bytes"};
inline constexpr std::string_view operation_columns[] = {"communicator", "operation",      "operations", "calls",
                                                         "bytes_sent",   "bytes_received", "ticks",      "wait_ticks"};
inline constexpr std::string_view segment_columns[] = {"location", "from",           "to",       "ticks",
                                                       "callpath", "callpath_ticks", "crossing", "waited_in"};
inline constexpr std::string_view diagnostic_pair_columns[] = {"diagnostic", "sender", "receiver", "count", "largest"};

}  // namespace waitstate::report::json

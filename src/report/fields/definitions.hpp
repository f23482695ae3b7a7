// The fields of the trace itself in a report: its definitions, and the part that was asked for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/fields/enumerations.hpp"
#include "report/fields/field.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A property of a recorder, or a parameter of a pattern.
using NamedValue = std::pair<std::string, std::string>;

template <>
inline constexpr About about<NamedValue>{"NamedValue", "A property or a parameter."};
template <class F>
void fields(Is<NamedValue> auto& v, F&& f) {
  f("name", v.first, Measure::none, "Its name.");
  f("value", v.second, Measure::none, "Its value, as text.");
}

template <>
inline constexpr About about<PatternRun>{"PatternRun", "A pattern that was run."};
template <class F>
void fields(Is<PatternRun> auto& p, F&& f) {
  f("id", p.id, Measure::none, "Id of the pattern's first metric.");
  f("parameters", p.parameters, Measure::none, "All its parameters, with the values that it ran with.");
}

template <>
inline constexpr About about<Clock>{"Clock", "The timer of the trace."};
template <class F>
void fields(Is<Clock> auto& c, F&& f) {
  f("ticks_per_second", c.resolution, Measure::count, "Divide ticks by it to get seconds; at least 1.");
  f("offset", c.offset, Measure::time, "The smallest time stamp, as the recorder says.");
  f("length", c.length, Measure::ticks, "The time from the smallest to the largest time stamp, as the recorder says.");
  f("realtime_ns", or_null(c.realtime, all_ones), Measure::count, "Nanoseconds since 1970 at offset.");
}

template <>
inline constexpr About about<Focus>{"Focus", "The part of the run that was asked for."};
template <class F>
void fields(Is<Focus> auto& s, F&& f) {
  f("region", s.region, Measure::none, "The region; only events inside it count; empty: all events count.");
  f("locations", s.locations, Measure::none, "The locations whose events count; empty: all locations.");
  f("from", s.from, Measure::time, "The time from which on events count.");
  f("to", or_null(s.to, all_ones), Measure::time, "The time up to which events count; null: to the end.");
}

template <>
inline constexpr About about<ParadigmDefinition>{"ParadigmDefinition", "A programming model that the program used."};
template <class F>
void fields(Is<ParadigmDefinition> auto& p, F&& f) {
  f("paradigm", p.paradigm, Measure::none, "As OTF2 calls it, e.g. \"mpi\".");
  f("name", p.name, Measure::none, "As its specification calls it.");
  f("class", p.paradigm_class, Measure::none,
    "\"process\", \"thread_fork_join\", \"thread_create_wait\" or \"accelerator\".");
}

template <>
inline constexpr About about<SystemTreeNode>{"SystemTreeNode", "A part of the machine."};
template <class F>
void fields(Is<SystemTreeNode> auto& n, F&& f) {
  f("name", n.name, Measure::none, "As recorded.");
  f("class", n.class_name, Measure::none, "Its kind, e.g. \"node\".");
  f("parent", n.parent, Measure::none, "The part that it belongs to, as an index of system_tree.");
  f("domains", only_if(!n.domains.empty(), n.domains), Measure::none,
    "The kinds of what its parts share, e.g. \"shared_memory\": then it is a host.");
}

template <class F>
void fields(Is<LocationGroup> auto& p, F&& f) {
  f("name", p.name, Measure::none, "As recorded.");
  f("type", p.type, Measure::none, "\"process\", \"accelerator\" or \"unknown\".");
  f("system_tree_node", p.parent, Measure::none, "The node on which it ran, as an index of system_tree.");
  f("creator", p.creator, Measure::none, "The process that an accelerator belongs to.");
  f("rank", or_null(p.rank, -1), Measure::count,
    "Its rank in MPI_COMM_WORLD, or in the equivalent of another library.");
}
/// A process with those of its properties that are texts.
struct ProcessEntry {
  const LocationGroup& process;
  std::vector<NamedValue> properties;
};
template <>
inline constexpr About about<ProcessEntry>{"Process",
                                           "A process, or the context of an accelerator to which streams belong."};
template <class F>
void fields(const ProcessEntry& p, F&& f) {
  fields(p.process, f);
  f("properties", p.properties, Measure::none,
    "Texts that the recorder noted about it, such as WAITSTATE::CVAR::NAME: a setting of the MPI library that is not "
    "the "
    "same in all processes.");
}

template <class F>
void fields(Is<Location> auto& l, F&& f) {
  f("name", l.name, Measure::none, "As recorded.");
  f("type", l.type, Measure::none, "\"cpu_thread\", \"accelerator_stream\", \"metric\" or \"unknown\".");
  f("process", l.process, Measure::none, "The process that it belongs to.");
}
template <class F>
void fields(Is<LocationSummary> auto& l, F&& f) {
  f("events", l.events, Measure::count, "The number of its events that were read.");
  f("first_time", l.first_time, Measure::time, "The time of the first of these events.");
  f("last_time", l.last_time, Measure::time, "The time of the last of these events.");
  f("last_callpath", only_if(l.last_callpath.valid(), l.last_callpath), Measure::none,
    "The call path that it was in when its events ended; missing if it had left all regions.");
  f("last_enter", only_if(l.last_callpath.valid(), l.last_enter), Measure::time, "When it entered that call path.");
}
/// A location with the numbers and times of its events.
struct LocationEntry {
  const Location& location;
  LocationSummary seen;
};
template <>
inline constexpr About about<LocationEntry>{"Location",
                                            "A thread, a stream of an accelerator, or a recorder of metrics."};
template <class F>
void fields(const LocationEntry& l, F&& f) {
  fields(l.location, f);
  fields(l.seen, f);
}

template <>
inline constexpr About about<Region>{"Region", "A function, a loop, or another piece of code."};
template <class F>
void fields(Is<Region> auto& r, F&& f) {
  f("name", r.name, Measure::none, "As recorded, for people.");
  f("canonical_name", r.canonical_name, Measure::none, "E.g. the mangled name.");
  f("description", r.description, Measure::none, "As recorded.");
  f("file", r.file, Measure::none, "Source file, or the library; empty if unknown.");
  f("begin_line", r.begin_line, Measure::count, "First line in the file, 0 if unknown.");
  f("end_line", r.end_line, Measure::count, "Last line in the file, 0 if unknown.");
  f("paradigm", r.paradigm, Measure::none, "As OTF2 calls it, e.g. \"compiler\", \"mpi\".");
  f("role", r.role, Measure::none, "As OTF2 calls it, e.g. \"function\", \"barrier\".");
  f("region_class", r.region_class, Measure::none, "Id of the time metric that its time belongs to.");
}

template <class F>
void fields(Is<Comm> auto& c, F&& f) {
  f("name", c.name, Measure::none, "Its name as recorded; may be empty.");
  f("self", c.self, Measure::none, "True if it stands for each process by itself (MPI_COMM_SELF).");
  f("members", c.members, Measure::none,
    "Locations by rank; only for communicators of cart_topologies, empty for all others.");
}
template <>
inline constexpr About about<Comm>{"Communicator", "A communicator, or a team of threads."};

template <>
inline constexpr About about<CartDimension>{"CartDimension", "A dimension of a Cartesian topology."};
template <class F>
void fields(Is<CartDimension> auto& d, F&& f) {
  f("name", d.name, Measure::none, "Its name as recorded; may be empty.");
  f("size", d.size, Measure::count, "The number of its coordinates.");
  f("periodic", d.periodicity, Measure::none, "\"true\" if its ends are neighbours, else \"false\".");
}

template <>
inline constexpr About about<CartTopology>{"CartTopology", "A Cartesian topology of processes."};
template <class F>
void fields(Is<CartTopology> auto& t, F&& f) {
  f("name", t.name, Measure::none, "Its name as recorded; may be empty.");
  f("communicator", t.comm, Measure::none, "The communicator that it belongs to.");
  f("dimensions", t.dimensions, Measure::none, "Its dimensions, as indices of cart_dimensions.");
  f("coordinates", t.coordinates, Measure::count,
    "For one process after the other: its rank in the communicator, then its coordinate in each dimension.");
}

template <>
inline constexpr About about<CallPath>{"CallPath", "A call path: a region and the call path that called it."};
template <class F>
void fields(Is<CallPath> auto& c, F&& f) {
  f("parent", c.parent, Measure::none, "The call path that called it, in call_tree.");
  f("region", c.region, Measure::none, "The function that was called last.");
  f("program", c.program, Measure::none, "In programs, if this is the root of a program.");
}

template <>
inline constexpr About about<DiagnosticPlace>{"DiagnosticPlace", "A place where a trace is damaged or odd."};
template <class F>
void fields(Is<DiagnosticPlace> auto& p, F&& f) {
  f("location", p.location, Measure::none, "The location, if the damage belongs to one.");
  f("time", or_null(p.time, all_ones), Measure::time, "Its time, if that is known.");
  f("text", p.text, Measure::none, "The thing itself, e.g. a file or a region.");
}

}  // namespace waitstate::report

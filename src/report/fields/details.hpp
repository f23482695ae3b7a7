// The fields of phases, communication, message queues and counters.
#pragma once

#include <optional>
#include <utility>

#include "report/fields/enumerations.hpp"
#include "report/fields/field.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

// ---- phases ----

template <>
inline constexpr About about<Phases::Places>{"PhasePlaces",
                                             "The places of most of the waits of one wait state in a phase: call paths "
                                             "or locations, each with its ticks, the largest first."};
template <class F>
void fields(Is<Phases::Places> auto& p, F&& f) {
  f("callpaths", sized(p.callpaths, 0, Phases::max_places), Measure::none, "The call paths that waited most.");
  f("locations", sized(p.locations, 0, Phases::max_places), Measure::none, "The locations that waited most.");
}

template <>
inline constexpr About about<Phases::Phase>{
    "Phase",
    "One visit of the phases' region on each location, or several of them (visits_per_phase); or a stretch of time."};
template <class F>
void fields(Is<Phases::Phase> auto& p, F&& f) {
  const auto known = [&](double value) { return p.has_efficiency() ? std::optional(value) : std::nullopt; };
  f("begin", p.begin, Measure::time,
    "The time at which the first location entered the region, or at which the stretch begins.");
  f("end", p.end, Measure::time,
    "The time at which the last location left the region, or at which the next stretch begins.");
  f("locations", p.locations, Measure::count,
    "The number of locations that have such visits, or of CPU threads that are in a region in this stretch.");
  f("ticks", p.ticks, Measure::ticks,
    "Time in these visits, or in regions in this stretch, of all locations together.");
  f("longest", p.longest, Measure::ticks, "The longest such time of a location.");
  f("computation", p.computation, Measure::ticks,
    "The part of the time that was outside of MPI, OpenMP and the other libraries, of all locations together.");
  f("largest_computation", p.largest_computation, Measure::ticks, "The longest such time of a location.");
  f("parallel_efficiency", derived(known(p.parallel_efficiency())), Measure::share,
    "Mean computation / longest; null if unknown.");
  f("load_balance", derived(known(p.load_balance())), Measure::share, "Mean / largest computation; null if unknown.");
  f("communication_efficiency", derived(known(p.communication_efficiency())), Measure::share,
    "Largest computation / longest; null if unknown.");
  f("waits", by_metric(p.waits), Measure::ticks,
    "By wait state: the waits that began in these visits, or the parts of waits in this stretch; zeros are left out.");
  f("places", only_if(!p.places.empty(), by_metric(p.places)), Measure::none,
    "By wait state: the places of most of these waits; missing if no location waited.");
}

template <>
inline constexpr About about<Phases>{
    "Phases",
    "Times, efficiency and waits per visit of one region (--phase REGION), and where most of these waits are. Visits "
    "are counted on each location by itself: the n-th visit of each location is the n-th phase. Or per stretch of "
    "time, all of equal length up to a tick (--phase time:N)."};
template <class F>
void fields(Is<Phases> auto& p, F&& f) {
  f("region", p.region, Measure::none, "The region; null: the phases are stretches of time.");
  f("visits", p.visits, Measure::count, "The largest number of visits on a location, or the number of stretches.");
  f("visits_per_phase", p.visits_per_phase, Measure::count,
    "The number of visits in one phase: 1, or a power of two if there are many.");
  f("phases", lines_behind(sized(p.phases, 0, Phases::max_phases)), Measure::none, "The phases, one after the other.");
}

// ---- communication ----

template <>
inline constexpr About about<Communication::Pair>{"CommunicationPair", "The data that one process sent to another."};
template <class F>
void fields(Is<Communication::Pair> auto& p, F&& f) {
  f("sender", p.sender, Measure::count, "Number of the process, or of the block of processes.");
  f("receiver", p.receiver, Measure::count, "Number of the process, or of the block of processes.");
  f("messages", p.messages, Measure::count, "The number of matched messages that it sent.");
  f("bytes", p.bytes, Measure::bytes, "Their total length.");
  f("puts", p.puts, Measure::count,
    "The number of puts and atomic operations that it started on the receiver's memory.");
  f("bytes_put", p.bytes_put, Measure::bytes, "The bytes that they wrote.");
  f("gets", p.gets, Measure::count, "The number of gets of the receiver from the sender's memory.");
  f("bytes_got", p.bytes_got, Measure::bytes, "The bytes that they read, and that atomic operations brought back.");
}

template <>
inline constexpr About about<Communication::Sizes>{"MessageSizes", "Messages of similar length."};
template <class F>
void fields(Is<Communication::Sizes> auto& s, F&& f) {
  f("from", s.from, Measure::bytes, "The smallest length of the class; 0 or a power of two.");
  f("to", s.to, Measure::bytes, "The smallest length of the next class.");
  f("messages", s.messages, Measure::count, "The number of messages.");
  f("bytes", s.bytes, Measure::bytes, "Their total length.");
}

template <>
inline constexpr About about<Communication::Operations>{
    "CollectiveOperations",
    "Blocking collective operations of one kind on one communicator in which all members took part."};
template <class F>
void fields(Is<Communication::Operations> auto& o, F&& f) {
  f("communicator", o.comm, Measure::none, "The communicator; null: not known.");
  f("operation", o.operation, Measure::none, "Kind of the operation, as OTF2 calls it.");
  f("operations", o.operations, Measure::count, "The number of operations.");
  f("calls", o.calls, Measure::count, "The number of calls that all members together made.");
  f("bytes_sent", o.bytes_sent, Measure::bytes, "The bytes that all members together sent.");
  f("bytes_received", o.bytes_received, Measure::bytes, "The bytes that all members together received.");
  f("ticks", o.ticks, Measure::ticks, "Time in these calls.");
  f("wait_ticks", o.wait_ticks, Measure::ticks,
    "Waits in these calls, by the wait states that were looked for; overlapping ones count twice.");
}

template <>
inline constexpr About about<Communication>{
    "Communication",
    "The data sent between pairs of processes, and collective operations, in the whole trace, whatever the focus is."};
template <class F>
void fields(Is<Communication> auto& c, F&& f) {
  f("processes_per_block", c.processes_per_block, Measure::count,
    "1: pairs are of processes. Otherwise, they are of blocks of this many processes: block b begins with process b * "
    "processes_per_block.");
  f("pairs", table(c.pairs), Measure::none, "The pairs, by sender and receiver; pairs without data are left out.");
  f("sizes", table(c.sizes), Measure::none, "Messages by length, ascending; classes without messages are left out.");
  f("collectives", table(c.collectives), Measure::none, "Collective operations by communicator and kind.");
}

// ---- message queues ----

template <>
inline constexpr About about<QueueProfile>{
    "QueueProfile",
    "One message queue. Places are counted from 1, in the order in which entries entered; entries that remained are "
    "not counted. They are a model of how far a library searches."};
template <class F>
void fields(Is<QueueProfile> auto& q, F&& f) {
  f("entered", q.entered, Measure::count, "The number of entries that were in it for some time.");
  f("remaining", q.remaining, Measure::count, "The number of them that were still there at the end of the run.");
  f("greatest_length", q.greatest_length, Measure::count, "The largest number of entries at once.");
  f("populated", q.populated, Measure::ticks, "The time for which it was not empty.");
  f("total", q.total, Measure::ticks, "The total time that its entries were in it.");
  f("least", q.least, Measure::ticks, "The shortest time of an entry in it; 0 if there was none.");
  f("greatest", q.greatest, Measure::ticks, "The longest time of an entry in it; 0 if there was none.");
  f("search_total", q.search_total, Measure::count,
    "The sum of the places from which entries were taken, among those of their communicator.");
  f("search_greatest", q.search_greatest, Measure::count, "The largest of these places.");
  f("source_total", q.source_total, Measure::count,
    "The sum of the places from which entries were taken, among those of their communicator and sender.");
  f("source_greatest", q.source_greatest, Measure::count, "The largest of these places.");
}

template <>
inline constexpr About about<QueuePart>{"QueuePart", "The state of queues in one of the equal parts of the run."};
template <class F>
void fields(Is<QueuePart> auto& p, F&& f) {
  f("posted_greatest", p.posted_greatest, Measure::count,
    "The largest number of entries in the posted queue of a process.");
  f("unexpected_greatest", p.unexpected_greatest, Measure::count,
    "The largest number of entries in the unexpected queue of a process.");
  f("posted_mean", p.posted_mean, Measure::count,
    "The number of entries in the posted queues of all these processes together, as a mean over time.");
  f("unexpected_mean", p.unexpected_mean, Measure::count,
    "The number of entries in the unexpected queues of all these processes together, as a mean over time.");
}

template <>
inline constexpr About about<QueueRow>{"ProcessQueues", "The message queues of a process."};
template <class F>
void fields(Is<QueueRow> auto& r, F&& f) {
  f("process", needed(r.process), Measure::none, "The process.");
  f("communicator", r.comm, Measure::none, "The communicator of the entries; null: entries of all communicators.");
  f("posted", r.posted, Measure::none, "Receives that were posted before their message was sent.");
  f("unexpected", r.unexpected, Measure::none, "Messages that were sent before their receive was posted.");
  f("parts", r.parts, Measure::none,
    "These queues in each part of the run, for the 256 longest queues; empty for all others.");
}

template <>
inline constexpr About about<MessageQueues>{
    "MessageQueues",
    "The message queues of MPI as the trace bounds them, over the whole run. A receive was in the posted queue at "
    "least from its posting to the start of its send; a message was in the unexpected queue at most from the start of "
    "its send to the posting of its receive."};
template <class F>
void fields(Is<MessageQueues> auto& q, F&& f) {
  f("from", q.from, Measure::time, "The time of the first event.");
  f("to", q.to, Measure::time,
    "The time of the last event; entries that were never received or never completed stay until then.");
  f("profiles", lines(q.rows), Measure::none, "The queues by process and communicator.");
  f("parts", lines(q.parts), Measure::none, "The run in equal parts, of all processes.");
}

}  // namespace waitstate::report

// The fields of single waits, of summaries of all waits of a wait state, and of the causes of waits.
#pragma once

#include <utility>
#include <vector>

#include "report/facts/waits/waiting.hpp"
#include "report/fields/enumerations.hpp"
#include "report/fields/field.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

// ---- one wait ----

template <>
inline constexpr About about<Wait>{
    "Wait", "One wait: the location that waited, in which call and how long, and the location that caused it."};
template <class F>
void fields(Is<Wait> auto& w, F&& f) {
  f("location", w.location, Measure::none, "The location that waited.");
  f("callpath", w.callpath, Measure::none, "The call path of the waiting call.");
  f("enter", w.enter, Measure::time, "When the waiting call was entered.");
  f("exit", w.exit, Measure::time, "When the waiting call was left.");
  f("begin", w.begin, Measure::time, "When the wait began.");
  f("ticks", w.ticks, Measure::ticks, "How long the wait lasted.");
  f("culprit", w.culprit, Measure::none,
    "The location that came too late, the last of those whose events are in the trace; null: no location in particular "
    "caused the wait.");
  f("culprit_callpath", w.culprit_callpath, Measure::none,
    "The call path in which the culprit was meanwhile; null: not known.");
}

template <>
inline constexpr About about<CulpritWait>{
    "CulpritWait",
    "The waiting of a wait's culprit during that wait, by all wait states that were looked for. A culprit that "
    "waited is not the reason."};
template <class F>
void fields(Is<CulpritWait> auto& w, F&& f) {
  f("ticks", w.ticks, Measure::ticks, "How long it waited in total.");
  f("most", w.most, Measure::ticks, "The largest part of that which it waited in one call path for one location.");
  f("culprit", w.culprit, Measure::none, "The location that it waited for there; null: no location in particular.");
  f("callpath", w.callpath, Measure::none, "The call path of these waits.");
}

template <>
inline constexpr About about<WaitCause>{
    "WaitCause", "The thing that a wait waited for. Members that its kind lacks, or that are not known, are null."};
template <class F>
void fields(Is<WaitCause> auto& c, F&& f) {
  f("kind", c.kind, Measure::none,
    "message: point to point. collective: an operation of a communicator or window. transfer: one-sided "
    "communication. lock: of threads or of a window. team: a barrier of threads. task: tasks of a team. device: an "
    "accelerator.");
  f("sent", or_null(c.sent, all_ones), Measure::time, "When the message was sent.");
  f("received", or_null(c.received, all_ones), Measure::time,
    "When the message was received, or a non-blocking receive was complete.");
  f("bytes", or_null(c.bytes, all_ones), Measure::bytes, "Length of the message.");
  f("tag", or_null(c.tag, std::int64_t{-1}), Measure::count, "Tag of the message.");
  f("communicator", c.comm, Measure::none, "The communicator of the message or the operation.");
  f("operation", or_null(c.operation, WaitCause::no_operation), Measure::none,
    "Kind of a collective operation, as OTF2 calls it, e.g. \"allreduce\".");
  f("culprit_enter", or_null(c.culprit_enter, all_ones), Measure::time,
    "When the culprit entered the call or region that ended the wait, or that was late.");
  f("culprit_exit", or_null(c.culprit_exit, all_ones), Measure::time, "When the culprit left it.");
}

// ---- chains of waits ----

template <>
inline constexpr About about<ChainStep>{
    "ChainStep",
    "A wait of a chain: the location that waited, the location that it waited for, and how it depended on it."};
template <class F>
void fields(Is<ChainStep> auto& s, F&& f) {
  f("location", needed(s.location), Measure::none, "The location that waited.");
  f("callpath", needed(s.callpath), Measure::none, "The call path of the waiting call.");
  f("enter", s.enter, Measure::time, "When the waiting call was entered.");
  f("ticks", s.ticks, Measure::ticks, "How long it waited.");
  f("crossing", s.crossing, Measure::none,
    "How it depended on the location that it waited for. late_sender: a receive waited for its send. late_receiver: a "
    "send waited for its receive. barrier, n_to_n, n_to_one: members of a collective operation, or its root, waited "
    "for the last member. one_to_n: members waited for the root. finalize: MPI_Finalize waited for the last process. "
    "fork: "
    "a thread of a team waited for the first one. team_barrier: threads waited for the last one. window: members of a "
    "window waited for the last one, at a fence, or where it was created or freed. epoch: one-sided communication "
    "waited for a post, or for a complete. passive_target: it waited for a lock, or for the target to call MPI. "
    "shmem_collective: members of an operation of SHMEM waited for the last one, or for the root. shmem_pair: a SHMEM "
    "call waited for a lock, or for a write of another process. lock: a thread waited for another one to release a "
    "lock. "
    "task: a thread waited for the creation or the end of a task. device: a host thread waited for a kernel. launch: a "
    "kernel waited for its launch. scan: a member of a prefix reduction waited for one of lower rank. late_root: "
    "a member of an operation waited for the root, which receives. late_members: the root waited for a member, which "
    "receives. creation: a member waited for the last one where a communicator was created. none: it did not "
    "wait.");
  f("culprit", s.culprit, Measure::none, "The location that it waited for: that of the next step. null: not known.");
  f("share", s.share, Measure::share, "The share of the first wait that this wait explains.");
}

template <>
inline constexpr About about<ChainCause>{"ChainCause", "Work of a location that caused a part of a wait."};
template <class F>
void fields(Is<ChainCause> auto& c, F&& f) {
  f("location", needed(c.location), Measure::none, "The location that worked longer than the one that waited for it.");
  f("callpath", needed(c.callpath), Measure::none, "The call path in which it did.");
  f("ticks", c.ticks, Measure::ticks, "How much longer it was there.");
  f("share", c.share, Measure::share, "The share of the first wait that this explains.");
}

template <>
inline constexpr About about<WaitChain>{
    "WaitChain",
    "The reason of a wait, as the pattern critical_path finds it: the wait, the wait of its culprit, and so on."};
template <class F>
void fields(Is<WaitChain> auto& c, F&& f) {
  f("steps", sized(c.steps, 1, WaitChain::max_steps), Measure::none, "The waits, from the first one backwards.");
  f("end", c.end, Measure::none,
    "The reason why the chain ends with the last step. work: its culprit was busy in root. unexplained: it was in a "
    "call there "
    "that waits for others and has no known wait. missing_record: the trace lacks the other half of a message of that "
    "call. missing_member: that call was part of an operation, or a barrier of threads, of which the trace lacks a "
    "member. missing_start: that call completes something whose start the trace lacks. missing_part: that call was of "
    "an epoch, or for a lock, of which the trace lacks a part. no_record: the trace has no record of what that call "
    "did. not_followed: waits in such calls are followed only with the parameter critical_path.all_waits. no_culprit: "
    "it is not known whom it waited for. nothing: it did nothing longer than the location that waited. circle: "
    "locations wait for each other in a circle, because their clocks disagree. left_out: there are more steps.");
  f("root", c.root, Measure::none, "The call path in which the last culprit was late; null: not known.");
  f("root_ticks", c.root_ticks, Measure::ticks,
    "How much longer the last culprit was there than the location that waited for it, since the two had met before.");
  f("root_share", c.root_share, Measure::share, "The share of the first wait that the time in root explains.");
  f("waited_share", c.waited_share, Measure::share,
    "The share of the first wait that is explained by waits of the last culprit which are not followed, because they "
    "are shorter than the time for which it was busy.");
  f("causes", only_if(!c.causes.empty(), sized(c.causes, 0, static_cast<std::size_t>(1 / WaitChain::least_share))),
    Measure::none,
    "All work that explains at least a tenth of the first wait, whether the chain leads there or passes it; the "
    "largest share first.");
}

template <>
inline constexpr About about<CriticalSegment>{"CriticalSegment",
                                              "A stretch of the critical path on one location, without a break."};
template <class F>
void fields(Is<CriticalSegment> auto& s, F&& f) {
  f("location", needed(s.location), Measure::none, "The location.");
  f("from", s.from, Measure::time, "When its wait ended.");
  f("to", s.to, Measure::time, "The time at which it entered the call that lets the next location continue.");
  f("ticks", s.ticks, Measure::ticks, "The part of that time that counts.");
  f("callpath", s.callpath, Measure::none, "The call path in which most of it was spent.");
  f("callpath_ticks", s.callpath_ticks, Measure::ticks, "The time in that call path.");
  f("crossing", s.crossing, Measure::none, "How the path reached this segment, as in chains; none: it begins here.");
  f("waited_in", s.waited_in, Measure::none, "The call path of the call that waited.");
}

template <>
inline constexpr About about<CriticalPath>{"CriticalPath",
                                           "The critical path, which decides how long the run takes: a list of "
                                           "segments in the order of time. Only with the pattern "
                                           "critical_path, and if the trace tells it."};
template <class F>
void fields(Is<CriticalPath> auto& p, F&& f) {
  f("ticks", p.ticks, Measure::ticks, "The length of all segments together: the metric critical_path.");
  f("left_out", p.left_out, Measure::count, "The number of segments that are not listed; the longest 10,000 are.");
  f("ticks_left_out", p.ticks_left_out, Measure::ticks, "The length of these.");
  f("segments", table(p.segments, CriticalPath::max_segments), Measure::none, "The segments, in the order of time.");
}

// ---- the waits of a wait state ----

/// An instance with the call path under which it is kept.
template <class S>
struct InstanceEntry {
  std::conditional_t<std::is_const_v<S>, const CallPathId, CallPathId>& callpath;
  S& instance;
};
template <class S>
inline constexpr About about<InstanceEntry<S>>{
    "SevereInstance",
    "A severe instance of a wait state: one wait, or all waits of one collective operation in one call path together."};
template <class S>
struct Sample<InstanceEntry<S>> {
  static const InstanceEntry<S>& object() {
    static CallPathId callpath;
    static std::remove_const_t<S> instance;
    static const InstanceEntry<S> made{callpath, instance};
    return made;
  }
};
template <class S, class F>
void fields(const InstanceEntry<S>& e, F&& f) {
  S& s = e.instance;
  f("callpath", e.callpath, Measure::none, "The call path of the waiting calls.");
  f("total", s.total, Measure::ticks, "The total duration of all waits of the instance.");
  f("waiters", s.waiters, Measure::count, "The number of locations that waited.");
  f("longest", s.longest, Measure::none, "The longest wait of it.");
  f("members", only_if(!s.members.empty(), sized(s.members, 0, SevereInstance::max_members)), Measure::none,
    "All waits of it, the longest first; missing where longest is the only one, or without details.");
  f("members_left_out", only_if(s.members_left_out != 0, s.members_left_out), Measure::count,
    "The number of its waits that members does not list; missing: none.");
  f("cause", s.cause, Measure::none,
    "The thing that the longest wait waited for; missing where that is not known, or without details.");
  f("chain", s.chain, Measure::none,
    "The reason of the longest wait; only with the pattern critical_path, and for the 50 most severe instances of a "
    "metric. Missing: not looked for, or not known.");
  f("context", only_if(s.context != WaitContext::none, context_reference(s.context)), Measure::none,
    "The events around it, as an index of contexts; missing: not kept.");
  f("culprit_wait", s.culprit_wait, Measure::none,
    "The waiting of the longest wait's culprit; null: there is no culprit, or this is not known.");
}

template <>
inline constexpr About about<WaitStatistics>{"WaitStatistics", "The durations of waits."};
template <class F>
void fields(Is<WaitStatistics> auto& s, F&& f) {
  f("count", s.count, Measure::count, "The number of waits.");
  f("sum", s.sum, Measure::ticks, "Their total duration.");
  f("minimum", s.minimum, Measure::ticks, "The shortest wait.");
  f("maximum", s.maximum, Measure::ticks, "The longest wait.");
  f("mean", s.mean, Measure::ticks, "The mean duration.");
  f("variance", s.variance, Measure::none, "The variance of the sample, in ticks squared; 0 for fewer than two waits.");
  f("quartile25", s.quartile25, Measure::ticks, "The first quartile: a quarter of the waits are shorter.");
  f("median", s.median, Measure::ticks, "The median: half of the waits are shorter.");
  f("quartile75", s.quartile75, Measure::ticks, "The third quartile: three quarters of the waits are shorter.");
  f("quantile_error", s.quantile_error, Measure::share, "Largest relative error of median and quartiles; 0: exact.");
}

using WaitPairEntry = WaitTable<std::pair<LocationId, LocationId>>::value_type;
template <>
inline constexpr About about<WaitPairEntry>{"WaitPair",
                                            "The number and the duration of the waits of one location for another."};
template <class F>
void fields(Is<WaitPairEntry> auto& p, F&& f) {
  f("culprit", p.first.first, Measure::none, "The location that caused the waits; null: no location in particular.");
  f("waiter", p.first.second, Measure::none,
    "The location that waited; null: the members of blocking operations with more than 512 members, together.");
  f("count", p.second.count, Measure::count, "The number of waits.");
  f("ticks", p.second.ticks, Measure::ticks, "Their total duration.");
}

using CulpritCallPathEntry = WaitTable<std::pair<CallPathId, LocationId>>::value_type;
template <>
inline constexpr About about<CulpritCallPathEntry>{"CulpritCallPath",
                                                   "The call path of a culprit while others waited for it."};
template <class F>
void fields(Is<CulpritCallPathEntry> auto& p, F&& f) {
  f("callpath", p.first.first, Measure::none, "The call path in which the culprit was; null: not known.");
  f("culprit", p.first.second, Measure::none, "The location that caused the waits; null: no location in particular.");
  f("count", p.second.count, Measure::count, "The number of waits.");
  f("ticks", p.second.ticks, Measure::ticks, "Their total duration.");
}

template <>
inline constexpr About about<WaitingCulprit>{"WaitingCulprit",
                                             "A call path in which a culprit was while others waited for it, and in "
                                             "which it itself waited: there it is not the only reason."};
template <class F>
void fields(Is<WaitingCulprit> auto& c, F&& f) {
  f("callpath", c.callpath, Measure::none, "The call path in which the culprit was.");
  f("culprit", c.culprit, Measure::none, "The location that caused waits.");
  f("time", c.own.time, Measure::ticks, "How long it was there in the whole run, without what it called.");
  f("waited", c.own.waited, Measure::ticks, "How long of that time it waited.");
}

template <>
inline constexpr About about<DurationClass>{"DurationClass", "The waits whose durations lie between two limits."};
template <class F>
void fields(Is<DurationClass> auto& c, F&& f) {
  f("from", c.from, Measure::ticks, "The shortest duration of the class.");
  f("to", c.to, Measure::ticks, "The shortest duration of the next class.");
  f("count", c.count, Measure::count, "The number of waits.");
  f("ticks", c.ticks, Measure::ticks, "Their total duration.");
}

template <>
inline constexpr About about<CallPathWaits>{"CallPathWaits", "The durations of all waits in calls of one call path."};
template <class F>
void fields(Is<CallPathWaits> auto& w, F&& f) {
  f("callpath", needed(w.callpath), Measure::none, "The call path of the waiting calls.");
  f("count", w.statistics.count, Measure::count, "The number of waits.");
  f("sum", w.statistics.sum, Measure::ticks, "Their total duration.");
  f("minimum", w.statistics.minimum, Measure::ticks, "The shortest wait.");
  f("quartile25", w.statistics.quartile25, Measure::ticks, "The first quartile: a quarter of the waits are shorter.");
  f("median", w.statistics.median, Measure::ticks, "The median: half of the waits are shorter.");
  f("quartile75", w.statistics.quartile75, Measure::ticks,
    "The third quartile: three quarters of the waits are shorter.");
  f("maximum", w.statistics.maximum, Measure::ticks, "The longest wait.");
  f("mean", w.statistics.mean, Measure::ticks, "The mean duration.");
  f("quantile_error", w.statistics.quantile_error, Measure::share,
    "Largest relative error of median and quartiles; 0: exact.");
}

/// The instances of a wait state: a list of InstanceEntry, kept in a map by call path.
template <class S>
struct InstanceList {
  S& severe;
};
template <class S>
InstanceList<S> instance_list(S& severe) {
  return {severe};
}

template <>
inline constexpr About about<WaitSummary>{"WaitSummary", "All that is known of the waits of one wait state."};
template <class F>
void fields(Is<WaitSummary> auto& w, F&& f) {
  f("statistics", w.statistics, Measure::none, "The durations of all waits.");
  f("pairs", table(w.pairs), Measure::none, "Pairs of locations, of which one made the other wait.");
  f("causes", table(w.causes), Measure::none, "The call paths of culprits while others waited for them.");
  f("histogram", only_if(!w.histogram.empty(), table(w.histogram)), Measure::none,
    "Durations in classes, four between a power of two and the next, ascending; classes without waits are left out. "
    "Counts and ticks are exact. Only with details.");
  f("by_callpath",
    only_if(!w.histogram.empty(), table_with_rest(w.by_callpath, w.callpaths_left_out, WaitSummary::max_by_callpath)),
    Measure::none,
    "Durations by call path of the waiting calls, for the 20 call paths with the most ticks; of idle threads, the time "
    "of each thread in a call path of its master. Only with details.");
  f("instances", lines(instance_list(w.severe)), Measure::none,
    "The most severe instances by call path of the waiting calls, at most five each.");
}

// ---- calls that never ended ----

template <>
inline constexpr About about<OpenWait>{"OpenWait", "A thing that a call that never ended waits for."};
template <class F>
void fields(Is<OpenWait> auto& w, F&& f) {
  f("kind", w.kind, Measure::none,
    "receive: for a message. send: for its receiver. collective, window: for members of an operation. lock: for its "
    "owner. thread_lock: for the thread that holds a lock of OpenMP or POSIX threads.");
  f("communicator", w.comm, Measure::none, "The communicator, also that of a window or its lock.");
  f("target", w.target, Measure::none, "The location whose part of a window is locked.");
  f("tag", or_null(w.tag, std::int64_t{-1}), Measure::count, "Tag of a message; null: any, or unknown.");
  f("whom", needed(w.whom), Measure::none, "The locations that it waits for, ascending; empty: unknown.");
  f("any", w.any, Measure::none, "True if one of them is enough: a receive from any source.");
}

template <>
inline constexpr About about<UnreceivedMessages>{
    "UnreceivedMessages", "Messages that were sent to a process and that no receive in the trace has taken."};
template <class F>
void fields(Is<UnreceivedMessages> auto& m, F&& f) {
  f("sender", needed(m.sender), Measure::none, "The location that sent them.");
  f("communicator", m.comm, Measure::none, "Their communicator.");
  f("tag", m.tag, Measure::count, "Their tag.");
  f("count", m.count, Measure::count, "How many there are.");
}

template <>
inline constexpr About about<OpenCall>{
    "OpenCall",
    "A call that waits for others and that its location is still in when the trace ends: the run was killed, or hung. "
    "No wait state includes its wait."};
template <class F>
void fields(Is<OpenCall> auto& c, F&& f) {
  f("location", needed(c.location), Measure::none, "The location that is in the call.");
  f("callpath", c.callpath, Measure::none, "The call path; null: the caller is not known.");
  f("region", needed(c.region), Measure::none, "The function that was called.");
  f("enter", c.enter, Measure::time, "When it was entered.");
  f("waits", c.waits, Measure::none, "All that it waits for; empty if the trace does not tell.");
  f("unreceived", only_if(!c.unreceived.empty(), c.unreceived), Measure::none,
    "Messages that were sent to the process of a call that receives or looks for one, and that nobody received.");
}

// ---- waits over time ----

/// The series of the waits of one wait state in a group of locations.
using GroupSeriesEntry = std::pair<std::uint32_t, std::vector<Ticks>>;
template <>
inline constexpr About about<GroupSeriesEntry>{"GroupSeries", "The waits of a group of locations over time."};
template <class F>
void fields(Is<GroupSeriesEntry> auto& g, F&& f) {
  f("group", g.first, Measure::count, "Number of the group; those without ticks are left out.");
  f("ticks", g.second, Measure::ticks, "The waiting time in each bin of groups.");
}

template <>
inline constexpr About about<WaitSeries::OfMetric>{
    "MetricSeries", "The waits of one wait state over time, without those of the wait states below it."};
template <class F>
void fields(Is<WaitSeries::OfMetric> auto& m, F&& f) {
  f("ticks", m.ticks, Measure::ticks,
    "The waiting time in each bin; together with without_time it adds up to the metric's severities.");
  f("without_time", m.without_time, Measure::ticks, "The ticks that were added without a time.");
  f("groups", lines_behind(m.groups), Measure::none, "The ticks by group of locations.");
}

using LocationRange = std::pair<LocationId, LocationId>;
template <>
inline constexpr About about<WaitSeries>{"WaitSeries",
                                         "Waits over time: how many ticks of each wait state lie in each bin of time."};
template <class F>
void fields(Is<WaitSeries> auto& s, F&& f) {
  f("start", s.start, Measure::time,
    "Start of the first bin; a multiple of bin_ticks * bins_per_group_bin. No location waits before the first bin or "
    "after the last one.");
  f("bin_ticks", s.bin_ticks, Measure::ticks, "The length of a bin; a power of two.");
  f("bins", s.bins, Measure::count, "The number of bins, at most 1024.");
  f("bins_per_group_bin", s.bins_per_group_bin, Measure::count,
    "The number of bins that are one bin in the rows of groups, which have bins / bins_per_group_bin bins, rounded "
    "up.");
  f("groups", sized(s.groups, 0, WaitSeries::max_groups), Measure::none,
    "Groups of neighbouring locations: the first and the last location of each. If there are at most 256 locations, "
    "each is a group.");
  f("metrics", by_metric(s.metrics, MapLayout::lines), Measure::none, "The series of each wait state that has waits.");
}

// ---- what happened around a wait ----

template <>
inline constexpr About about<WaitContext::Interval>{"ContextInterval", "A region instance in a context."};
template <class F>
void fields(Is<WaitContext::Interval> auto& i, F&& f) {
  f("location", needed(i.location), Measure::none, "The location that was in the region.");
  f("region", i.region, Measure::none, "The region; null: not known.");
  f("enter", i.enter, Measure::time, "When it was entered, or the context begins.");
  f("exit", i.exit, Measure::time, "When it was left, or the context ends.");
  f("depth", i.depth, Measure::count, "The number of regions around it.");
}

template <>
inline constexpr About about<WaitContext::Message>{"ContextMessage", "A message between locations of a context."};
template <class F>
void fields(Is<WaitContext::Message> auto& m, F&& f) {
  f("sender", needed(m.sender), Measure::none, "The location that sent it.");
  f("receiver", needed(m.receiver), Measure::none, "The location that received it.");
  f("sent", m.sent, Measure::time, "When it was sent.");
  f("received", m.received, Measure::time, "When it was received.");
  f("bytes", m.bytes, Measure::bytes, "Its length.");
  f("tag", m.tag, Measure::count, "Its tag.");
  f("communicator", m.comm, Measure::none, "Its communicator; null: not known.");
}

template <>
inline constexpr About about<WaitContext::Transfer>{"ContextTransfer", "A one-sided transfer that began in a context."};
template <class F>
void fields(Is<WaitContext::Transfer> auto& t, F&& f) {
  f("origin", needed(t.origin), Measure::none, "The location that started it.");
  f("target", needed(t.target), Measure::none, "The location whose memory it reads or writes.");
  f("operation", t.kind, Measure::none, "put, get or atomic.");
  f("started", t.started, Measure::time, "When it was started.");
  f("completed", or_null(t.completed, WaitContext::Transfer::unknown), Measure::time,
    "The time of its completion, by its last record in the context; null: it has none there.");
  f("bytes", t.bytes, Measure::bytes, "Its length; for an atomic operation, of the data sent.");
}

template <>
inline constexpr About about<WaitContext>{
    "WaitContext",
    "The events around severe waits: the wait and a third of it before and after. Instances that overlap share "
    "one."};
template <class F>
void fields(Is<WaitContext> auto& c, F&& f) {
  f("from", c.from, Measure::time, "When it begins.");
  f("to", c.to, Measure::time, "When it ends.");
  f("locations", sized(needed(c.locations), 0, WaitContext::max_locations), Measure::none,
    "The culprit first, then the locations that waited, the longest first.");
  f("shortest", c.shortest, Measure::ticks,
    "Region instances shorter than this were left out, because there are too many; 0: none were.");
  f("messages_left_out", c.messages_left_out, Measure::count,
    "The number of further messages that were sent or received in this time, or whose halves are not known to belong "
    "together.");
  f("regions", table(c.regions), Measure::none,
    "The region instances of each location, by location, enter and depth; at most 400 of a location.");
  f("messages", table(c.messages, WaitContext::max_messages), Measure::none,
    "Messages between these locations that were sent and received in this time, or that ended a wait in it.");
  f("transfers",
    only_if(!c.transfers.empty(), table_with_rest(c.transfers, c.transfers_left_out, WaitContext::max_transfers)),
    Measure::none, "One-sided transfers between these locations that began in this time, by start; missing: none.");
}

}  // namespace waitstate::report

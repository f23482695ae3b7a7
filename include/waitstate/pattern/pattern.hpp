// How to write a pattern: a class with a callback for each kind of event that it wants to see.
//
//   class TinyMessages : public waitstate::Pattern {
//    public:
//     waitstate::PatternInfo info() const override {
//       return {.metrics = {{.id = "tiny_messages", .parent = "comms_recv", .unit = waitstate::Unit::occurrences,
//                            .title = "Tiny messages", .summary = "Messages of at most 8 bytes."}}};
//     }
//     void completed_receives_callback(const waitstate::CompletedReceives& r, waitstate::Context& c) override {
//       for (const waitstate::Message& m : r.messages)
//         if (m.bytes <= 8) c.add(r.call, 1);
//     }
//   };
//   …
//   waitstate::AnalysisOptions options;
//   options.patterns.push_back(waitstate::make_pattern<TinyMessages>());
//   waitstate::analyze("traces.otf2", options);
//
// The engine matches, the pattern judges: a pattern never keeps queues or stacks or matches events. All callbacks of
// all patterns are called by the thread that called analyze(), in an order that does not depend on how many other
// threads read and match meanwhile; only a pattern that runs in parts is called by several threads. A callback that is
// not overridden costs nothing; the event callbacks (enter, exit, send, recv, metric, event) make the engine bring all
// events of the trace into one order, which takes about as long again as the analysis without them.
//
// A pattern that says `static constexpr bool in_parts = true;` lets the engine divide the trace: several patterns of
// its class receive the events of some of the processes each, and merge() adds up what they have kept beside values
// that they added. Events of one receiving location, and the members of one operation, stay together. Each is called by
// one thread, but different ones at a time: what they share has to be guarded.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "waitstate/pattern/causes.hpp"
#include "waitstate/pattern/compound_events.hpp"
#include "waitstate/pattern/parameters.hpp"
#include "waitstate/result/message_queues.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate {

/// A metric that a pattern computes, with fields as in MetricInfo. `parent` is the id of a metric of the tree (a
/// built-in one, or one that this or another pattern defines, wherever it stands), empty for a root.
struct MetricSpec {
  std::string id{}, parent{};
  Unit unit = Unit::seconds;
  bool within_parent = true;
  std::string title{}, summary{};
  MetricKind kind = MetricKind::other;
  /// For a share of its parent. Wrong Order and Late Sender, both in point-to-point communication, overlap; the wait
  /// for an accelerator is in `execution`, but in the time of CUDA there: elsewhere. Metrics of plug-ins overlap.
  Siblings siblings = Siblings::disjoint;
  /// The engine computes such a metric at the end; the pattern sets PatternInfo::message_queues.
  QueueValue queue_value = QueueValue::none;
};

/// The description of a pattern: the metrics that it computes, and its definition in the words of the report. The id of
/// its first metric is the pattern's id.
struct PatternInfo {
  std::vector<MetricSpec> metrics{};  ///< at least one; a MetricHandle is an index into this list
  std::string severity{};             ///< the formula
  std::string charged_to{};           ///< call path and location
  std::string state{};                ///< the state that the engine keeps for it while the trace is read
  std::string source{};               ///< origin of the definition
  std::string differs{};              ///< how it differs from the source, "no" if it does not
  std::string diagnosis{};            ///< advice to the user
  /// Ids of patterns that have to run too, and before this one, wherever they stand: their compound events reach
  /// published_callback.
  std::vector<std::string> needs{};
  std::vector<ParameterSpec> parameters{};
  /// True if, of the calls that complete sends, only those matter during which one of the receives was posted. Other
  /// calls may then be left out of completed_sends_callback, which speeds up an analysis of many messages.
  bool late_receives_only = false;
  /// The functions of trace() that its event callbacks use: EventSource::stack(), EventSource::queue(). Without these
  /// flags, the calls throw.
  bool needs_stack = false, needs_queue = false;
  /// Makes the analysis keep the message queues of each process: AnalysisResult::queues.
  bool message_queues = false;
};

/// A compound event that another pattern published; valid during the callback only.
struct Published {
  std::string_view pattern;  ///< id of the publisher
  const std::type_info& type;
  const void* data;
  /// The compound event if it is a T, else nullptr.
  template <class T>
  const T* as() const {
    return type == typeid(T) ? static_cast<const T*>(data) : nullptr;
  }
};

class EventSource;  // below

/// The place where a value is charged, and its time: if only a part of the run is to be reported
/// (AnalysisOptions::focus), the time decides whether the value counts. The call or wait that it is made of must live
/// as long.
class Charge {
 public:
  /// Counts if the call was entered in the chosen time.
  Charge(const Call& call) : callpath_(call.callpath), location_(call.location), call_(&call) {}
  /// For a value that belongs to a wait: ticks are a time that begins with the wait, and count as far as they lie in
  /// the chosen time; all else counts if the waiting call was entered in it.
  Charge(const Wait& wait) : callpath_(wait.callpath), location_(wait.location), wait_(&wait) {}
  /// In an event callback, counts if the event is in the chosen time; anywhere else - in wrapup - always counts.
  Charge(CallPathId callpath, LocationId location) : callpath_(callpath), location_(location) {}

  CallPathId callpath() const { return callpath_; }
  LocationId location() const { return location_; }
  const Call* call() const { return call_; }  ///< may be null
  const Wait* wait() const { return wait_; }  ///< may be null

 private:
  CallPathId callpath_;
  LocationId location_;
  const Call* call_ = nullptr;
  const Wait* wait_ = nullptr;
};

/// The services that the engine offers to a pattern during a callback.
class Context {
 public:
  virtual ~Context() = default;

  /// Adds ticks, occurrences or bytes, depending on the unit of the metric. Throws UsageError if the value is below 0.
  /// A share (within_parent) must be at most its parent's value in each call path on each location.
  virtual void add(const Charge& charge, std::int64_t value, MetricHandle metric = first_metric) = 0;
  /// Adds a real number that is whole; throws UsageError for any other, such as NaN.
  template <std::floating_point Real>
  void add(const Charge& charge, Real value, MetricHandle metric = first_metric) {
    add(charge, whole_number(static_cast<double>(value)), metric);
  }
  /// Adds the ticks of a wait, and records the instance: the location that waited, its call path, and the culprit (see
  /// make_wait()).
  virtual void add_wait(const Wait& wait, MetricHandle metric = first_metric) = 0;
  /// Records only the instance of a wait whose ticks are added in another way (add()).
  virtual void add_instance(const Wait& wait, MetricHandle metric = first_metric) = 0;

  /// Delivers a compound event of the pattern's own at once to the published_callback of the patterns that need it. The
  /// engine listens too: to LateSender (late_sender.hpp), ReceiveWait and WatchOvertaking (message.hpp).
  template <class T>
  void publish(const T& compound_event) {
    publish(typeid(T), &compound_event);
  }
  virtual void publish(const std::type_info& type, const void* compound_event) = 0;

  virtual const Definitions& definitions() const = 0;
  virtual const CallTree& call_tree() const = 0;
  /// In wrapup: the values of single locations (time by class of region, visits, messages sent, …) and those that
  /// patterns have added so far, by metrics of metrics(). Throws UsageError before.
  virtual const Severities& severities() const = 0;
  virtual const MetricTree& metrics() const = 0;
  /// During the event callbacks: earlier events, as long as something can point to them, open regions, and messages in
  /// flight. Throws UsageError outside of them.
  virtual const EventSource& trace() const = 0;
  /// In wrapup, of a pattern whose wanted_causes() asks for something: the critical path, what delays cost, waits on an
  /// ideal machine. Throws UsageError before wrapup, and for other patterns.
  virtual const Causes& causes() const = 0;

 private:
  static std::int64_t whole_number(double value);
};

/// Access to events by position, and to the state after the current event, during a pass (Context::trace()).
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// The event at a position: the current one and, of the earlier ones, at least those that open regions, queued
  /// messages and unfinished requests refer to, and the enters of the calls in which these were started, left or not.
  /// Throws std::out_of_range for an event that has been dropped or is still to come.
  virtual Event event(Position pos) const = 0;
  /// Region stack of a location after the current event: positions of the open enters (and program_begin), outermost
  /// first; while the location executes a task, those of that task only. The result is the same as EventTrace::stack()
  /// for this event. Throws UsageError unless the pattern's info() has needs_stack, and outside of event callbacks.
  virtual std::vector<Position> stack(LocationId loc) const = 0;
  /// Message queue after the current event: positions of the sends that have not been received yet, oldest first; only
  /// those sent by `src` and to `dest` where these are given. The result is the same as EventTrace::queue() for this
  /// event. Takes time in proportion to the number of messages on their way to `dest`; without `dest`, of all messages
  /// on their way. Throws UsageError unless the pattern's info() has needs_queue, and outside of event callbacks.
  virtual std::vector<Position> queue(std::optional<LocationId> src = {},
                                      std::optional<LocationId> dest = {}) const = 0;
};

class ReportFacts;    // report_facts.hpp
class TraceEvidence;  // undetermined.hpp
class Undetermined;   // undetermined.hpp

class Pattern {
 public:
  virtual ~Pattern() = default;
  virtual PatternInfo info() const = 0;

  /// Says which causes the engine shall look for, with these parameters. Asked before configure().
  virtual WantedCauses wanted_causes(const Parameters&) const { return {}; }
  /// Called once before everything else, with the values of the parameters named in info().
  virtual void configure(const Parameters&) {}
  /// Called before the first and after the last callback of a trace. init() begins anew: a pattern may be given several
  /// traces, and a trace in which sends were cancelled is read twice, because the first time their messages are taken
  /// for received.
  virtual void init(Context&) {}
  virtual void wrapup(Context&) {}
  /// For a pattern that runs in parts: adds what `other` has kept, a pattern of the same class that has received the
  /// events of another part. Called after the last callback of both and before wrapup(), which `other` does not get.
  virtual void merge(Pattern&) {}
  /// For a pattern that runs in parts and overrides merge(): all that merge() takes of this one, as bytes that mean
  /// something to restore() only. With it the parts may be in several processes, on several machines; a pattern without
  /// it is refused there. Called after the last callback.
  virtual std::string state() { return {}; }
  /// Puts back what state() of the same class has returned in another process, before merge(); throws if it cannot.
  virtual void restore(const std::string&) {}
  /// Confidence that a severity above zero means what the pattern's definition says, 0 to 1 (EXPERT).
  virtual double confidence() const { return 1; }
  /// Called once at the end of an analysis: says which of the pattern's metrics the trace cannot tell in full, and why.
  virtual void undetermined(const TraceEvidence&, Undetermined&) const {}
  /// A line for the top of the report, as "label: text"; "" for none. The result may come from a file.
  virtual std::string headline(const ReportFacts&) const { return {}; }

  // Compound events, as compound_events.hpp lists them, with the type of their argument: lock_acquired_callback(const
  // LockAcquired&, Context&).
#define X(name, Type) \
  virtual void name##_callback(const Type&, Context&) {}
  WAITSTATE_COMPOUND_EVENTS(X)
  WAITSTATE_ANALYSIS_EVENTS(X)
#undef X

  // Events, in the order of the one stream. send and recv include the non-blocking ones (isend; irecv at its
  // completion); metric receives counter records, whose values are Event::tail (for sums per call path see
  // counter.hpp). event_callback receives all other types, and counter records if there is no metric_callback.
#define X(name) \
  virtual void name##_callback(const Event&, Context&) {}
  WAITSTATE_STREAM_EVENTS(X)
#undef X
};

inline constexpr std::string_view built_in_origin = "built-in";

/// A pattern and the events that it wants to see; made by make_pattern().
struct PatternHandle {
  std::shared_ptr<Pattern> pattern{};
  Interests interests = 0;  ///< callbacks that the pattern overrides
  Parameters parameters{};  ///< the parameters of info(), with the values to run with
  /// Makes another pattern like this one, for another part of the trace; empty if it wants all of it in one place.
  std::function<std::shared_ptr<Pattern>()> another{};
  bool travels = true;  ///< parts may be in several processes: there is nothing to merge, or state() has it
  bool idle = false;    ///< the pattern overrides no callback that could add or report anything
  // The origin of the pattern, for messages and reports; a registry sets empty members.
  std::string origin{};      ///< "built-in", or the plug-in; empty for the program that runs the pattern
  std::string class_name{};  ///< class of `pattern`, without namespaces
  std::string place{};       ///< place of that class: file and line in Python, else the file of the plug-in

  /// False for a pattern that a user added: it is in every report, whatever its values.
  bool is_built_in() const { return origin == built_in_origin; }

  /// The id of the pattern's first metric.
  std::string id() const { return pattern->info().metrics.front().id; }
};

/// Makes a pattern of class P, which derives from Pattern and overrides its callbacks publicly.
template <class P, class... Args>
PatternHandle make_pattern(Args&&... args) {
  PatternHandle h;
  if constexpr (requires { P::in_parts; }) {
    if (P::in_parts) h.another = [args...]() -> std::shared_ptr<Pattern> { return std::make_shared<P>(args...); };
  }
  h.travels = std::is_same_v<decltype(&P::merge), decltype(&Pattern::merge)> ||
              !std::is_same_v<decltype(&P::state), decltype(&Pattern::state)>;
  h.pattern = std::make_shared<P>(std::forward<Args>(args)...);
  h.parameters = Parameters(h.pattern->info().parameters);
#define X(name, ...)                                                                       \
  if (!std::is_same_v<decltype(&P::name##_callback), decltype(&Pattern::name##_callback)>) \
    h.interests |= interest_##name;
  WAITSTATE_COMPOUND_EVENTS(X)
  WAITSTATE_ANALYSIS_EVENTS(X)
  WAITSTATE_STREAM_EVENTS(X)
#undef X
  h.idle = h.interests == 0 && std::is_same_v<decltype(&P::wrapup), decltype(&Pattern::wrapup)> &&
           std::is_same_v<decltype(&P::headline), decltype(&Pattern::headline)>;
  return h;
}

/// New objects of all built-in patterns, in the order in which they run.
std::vector<PatternHandle> built_in_patterns();

}  // namespace waitstate

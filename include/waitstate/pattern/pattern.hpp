// How a pattern is written. A pattern is a class with callbacks for what it wants to see and nothing else:
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
// The engine matches, the pattern judges: matching, queues and stacks are never kept by a pattern. All callbacks of all
// patterns are called by the thread that called analyze(), in an order that does not depend on how many other threads
// read and match meanwhile. A callback that is not overridden costs nothing; the event callbacks
// (enter, exit, send, recv, metric, event) make the engine bring all events of the trace into one order, which takes
// about as long again as the analysis without them.
#pragma once

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "waitstate/pattern/compound_events.hpp"
#include "waitstate/pattern/parameters.hpp"
#include "waitstate/pattern/work.hpp"
#include "waitstate/result/message_queues.hpp"
#include "waitstate/result/metrics.hpp"
#include "waitstate/result/severities.hpp"
#include "waitstate/trace/call_tree.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/event.hpp"

namespace waitstate {

/// A metric that a pattern computes. Fields as in MetricInfo; `parent` is the id of a metric of the tree (a built-in
/// one, or one that this or another pattern defines, wherever it stands), empty for a root.
struct MetricSpec {
  std::string id{}, parent{};
  Unit unit = Unit::seconds;
  bool within_parent = true;
  std::string title{}, summary{};
  MetricKind kind = MetricKind::other;
  /// Of a share of its parent. Wrong Order and Late Sender, both in point-to-point communication, overlap; the wait for
  /// an accelerator is in `execution`, but in the time of CUDA there: elsewhere. Those of plug-ins overlap.
  Siblings siblings = Siblings::disjoint;
  /// The engine computes it, at the end; the pattern has PatternInfo::message_queues.
  QueueValue queue_value = QueueValue::none;
};

/// What a pattern is: the metrics that it computes, and its definition in the words of the report. The id of its first
/// metric is the pattern's id.
struct PatternInfo {
  std::vector<MetricSpec> metrics{};  ///< at least one; a MetricHandle is an index into this list
  std::string severity{};             ///< the formula
  std::string charged_to{};           ///< call path and location
  std::string state{};                ///< what the engine keeps for it while the trace is read
  std::string source{};               ///< where the definition comes from
  std::string differs{};              ///< in what it differs from the source, "no" if it does not
  std::string diagnosis{};            ///< what the user should do about it
  /// Ids of patterns that have to run too, and before it, wherever they stand: their compound events reach
  /// published_callback.
  std::vector<std::string> needs{};
  std::vector<ParameterSpec> parameters{};
  /// Of the calls that complete sends only those matter during which one of the receives was posted: others may be left
  /// out of completed_sends_callback, which makes an analysis of many messages faster.
  bool late_receives_only = false;
  /// What it asks trace() for in its event callbacks: EventSource::stack(), EventSource::queue(). Who does not say so
  /// is refused.
  bool needs_stack = false, needs_queue = false;
  /// It makes the analysis keep the message queues of each process too: AnalysisResult::queues.
  bool message_queues = false;
  /// It asks for Context::work() in wrapup.
  bool needs_work = false;
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

/// Where a value is charged, and when that was: if only a part of the run is to be reported (AnalysisOptions::focus),
/// that decides whether the value counts. What it is made of has to live as long as it does.
class Charge {
 public:
  /// Counts if the call was entered in the chosen time.
  Charge(const Call& call) : callpath_(call.callpath), location_(call.location), call_(&call) {}
  /// Beside a wait: ticks are a time that begins with the wait, of which counts what lies in the chosen time; all else
  /// counts if the waiting call was entered in it.
  Charge(const Wait& wait) : callpath_(wait.callpath), location_(wait.location), wait_(&wait) {}
  /// In an event callback, counts if the event is in the chosen time; anywhere else - in wrapup - always.
  Charge(CallPathId callpath, LocationId location) : callpath_(callpath), location_(location) {}

  CallPathId callpath() const { return callpath_; }
  LocationId location() const { return location_; }
  const Call* call() const { return call_; }  ///< or null
  const Wait* wait() const { return wait_; }  ///< or null

 private:
  CallPathId callpath_;
  LocationId location_;
  const Call* call_ = nullptr;
  const Wait* wait_ = nullptr;
};

/// What the engine offers to a pattern during a callback.
class Context {
 public:
  virtual ~Context() = default;

  /// Adds ticks, occurrences or bytes, by the unit of the metric: at least 0, or a UsageError is thrown. A share
  /// (within_parent) is at most what its parent has in each call path on each location.
  virtual void add(const Charge& charge, std::int64_t value, MetricHandle metric = first_metric) = 0;
  /// The same of a real number that is whole; throws UsageError for any other, such as NaN.
  template <std::floating_point Real>
  void add(const Charge& charge, Real value, MetricHandle metric = first_metric) {
    add(charge, whole_number(static_cast<double>(value)), metric);
  }
  /// Adds the ticks of a wait, and records the instance: who waited, where, and who caused it (see make_wait()).
  virtual void add_wait(const Wait& wait, MetricHandle metric = first_metric) = 0;
  /// Records the instance alone, of a wait whose ticks are added in another way (add()).
  virtual void add_instance(const Wait& wait, MetricHandle metric = first_metric) = 0;

  /// Hands a compound event of the pattern's own to the patterns that need it, at once: their published_callback. The
  /// engine listens too: to LateSender (late_sender.hpp), ReceiveWait and WatchOvertaking (message.hpp).
  template <class T>
  void publish(const T& compound_event) {
    publish(typeid(T), &compound_event);
  }
  virtual void publish(const std::type_info& type, const void* compound_event) = 0;

  // As before, for one version.
  [[deprecated("add(call, value, metric)")]] void add(std::size_t m, const Call& call, std::int64_t value) {
    add(call, value, MetricHandle{static_cast<std::uint32_t>(m)});
  }
  [[deprecated("add(wait, value, metric)")]] void add(std::size_t m, const Wait& wait, std::int64_t value) {
    add(wait, value, MetricHandle{static_cast<std::uint32_t>(m)});
  }
  [[deprecated("add({callpath, location}, value, metric)")]] void add(std::size_t m, CallPathId callpath,
                                                                      LocationId location, std::int64_t value) {
    add({callpath, location}, value, MetricHandle{static_cast<std::uint32_t>(m)});
  }
  [[deprecated("add_wait(wait, metric)")]] void add_wait(std::size_t m, const Wait& wait) {
    add_wait(wait, MetricHandle{static_cast<std::uint32_t>(m)});
  }
  [[deprecated("add_instance(wait, metric)")]] void add_instance(std::size_t m, const Wait& wait) {
    add_instance(wait, MetricHandle{static_cast<std::uint32_t>(m)});
  }
  [[deprecated("publish(WatchOvertaking{message, wait})")]] void watch_overtaking(const Message& m, const Wait& wait) {
    publish(WatchOvertaking{m, wait});
  }
  [[deprecated("publish(LateSender{message, wait})")]] void set_receive_wait(Ticks ticks) {
    publish(ReceiveWait{ticks});
  }

  virtual const Definitions& definitions() const = 0;
  virtual const CallTree& call_tree() const = 0;
  /// In wrapup: what single locations tell (time by class of region, visits, messages sent, …) and what patterns have
  /// added so far, by metrics of metrics(). Throws UsageError before.
  virtual const Severities& severities() const = 0;
  virtual const MetricTree& metrics() const = 0;
  /// During the event callbacks: earlier events, as long as something can point to them, open regions, and messages in
  /// flight. Throws UsageError outside.
  virtual const EventSource& trace() const = 0;
  /// In wrapup, of a pattern whose info() has needs_work: what locations did between the points at which they met
  /// others. spill_beyond() may be asked for from init() on. Throws UsageError of other patterns.
  virtual const Work& work() const = 0;

 private:
  static std::int64_t whole_number(double value);
};

/// Access to events by position, and to the state after the event that is delivered, during a pass (Context::trace()).
class EventSource {
 public:
  virtual ~EventSource() = default;
  /// The event at a position: the current one and, of the earlier ones, at least those that open regions, queued
  /// messages and unfinished requests refer to, and the enters of the calls in which these were started, left or not.
  /// Throws std::out_of_range for one that has been let go or is still to come.
  virtual Event event(Position pos) const = 0;
  /// Region stack of a location after the event that is delivered: positions of the open enters (and program_begin),
  /// outermost first; while the location executes a task, those of that task only. What EventTrace::stack() says of the
  /// same event. Throws UsageError unless the pattern's info() has needs_stack, and outside of event callbacks.
  virtual std::vector<Position> stack(LocationId loc) const = 0;
  /// Message queue after the event that is delivered: positions of the sends that have not been received yet, oldest
  /// first; only those sent by `src` and to `dest` where these are given. What EventTrace::queue() says of the same
  /// event. Takes time in proportion to what is on its way to `dest`; without it, to all that is. Throws UsageError
  /// unless the pattern's info() has needs_queue, and outside of event callbacks.
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

  /// Callbacks of those that it overrides for which it has no use with these parameters: what only they need is not
  /// looked for. Asked before configure().
  virtual Interests unused(const Parameters&) const { return 0; }
  /// Of a pattern with needs_work: true if Context::work() shall have what a thread that has not forked its team does
  /// after the enter of its last barrier there, which Scalasca leaves out. It then has that for all patterns.
  virtual bool work_to_end_of_team(const Parameters&) const { return false; }
  /// Before everything else, once: the parameters named in info(), with their values.
  virtual void configure(const Parameters&) {}
  /// Before the first and after the last callback of a trace. init() begins anew: a pattern may be given several
  /// traces, and one in which sends were cancelled is read twice, as their messages would be taken for received the
  /// first time.
  virtual void init(Context&) {}
  virtual void wrapup(Context&) {}
  /// Confidence that a severity above zero means what the pattern says, 0 to 1 (EXPERT).
  virtual double confidence() const { return 1; }
  /// At the end of an analysis, once: which of the pattern's metrics the trace cannot tell in full, and why.
  virtual void undetermined(const TraceEvidence&, Undetermined&) const {}
  /// A line for the top of the report, as "label: text"; "" for none. Asked of a result that may come from a file.
  virtual std::string headline(const ReportFacts&) const { return {}; }

  // Compound events, as compound_events.hpp lists them, with the type that each is given:
  // lock_acquired_callback(const LockAcquired&, Context&).
#define X(name, Type) \
  virtual void name##_callback(const Type&, Context&) {}
  WAITSTATE_COMPOUND_EVENTS(X)
  WAITSTATE_ANALYSIS_EVENTS(X)
#undef X

  // Events, in the order of the one stream. send and recv include the non-blocking ones (isend; irecv at its
  // completion); metric is given counter records, whose values are Event::tail (what they add up to per call path: see
  // counter.hpp). event_callback is given all other types, and counter records if there is no metric_callback.
#define X(name) \
  virtual void name##_callback(const Event&, Context&) {}
  WAITSTATE_STREAM_EVENTS(X)
#undef X
};

inline constexpr std::string_view built_in_origin = "built-in";

/// A pattern and what it wants to see; made by make_pattern().
struct PatternHandle {
  std::shared_ptr<Pattern> pattern;
  Interests interests = 0;  ///< callbacks that it overrides
  Parameters parameters{};  ///< those of info(), with the values to run with
  bool idle = false;        ///< it overrides nothing that could add a value or say something
  // Where it comes from, for messages and reports; a registry sets what is empty.
  std::string origin{};      ///< "built-in", or the plug-in; empty: the program that runs it
  std::string class_name{};  ///< of `pattern`, without namespaces
  std::string place{};       ///< where that class is: file and line in Python, else the file of the plug-in

  /// False of a pattern that a user brought along: it is in every report, whatever its values.
  bool is_built_in() const { return origin == built_in_origin; }

  /// The id of the pattern's first metric.
  std::string id() const { return pattern->info().metrics.front().id; }
};

/// Makes a pattern of class P, which derives from Pattern and overrides its callbacks publicly.
template <class P, class... Args>
PatternHandle make_pattern(Args&&... args) {
  PatternHandle h{std::make_shared<P>(std::forward<Args>(args)...), 0};
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

/// All built-in patterns, in the order in which they run. A new one of each every time.
std::vector<PatternHandle> built_in_patterns();

}  // namespace waitstate

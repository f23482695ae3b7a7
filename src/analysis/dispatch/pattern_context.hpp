// A pattern that takes part in an analysis: the services that it can use during a callback (Context), and how it is
// called.
//
// It knows which metrics are the pattern's own, and accepts only ids that exist in the trace: everything that a pattern
// names is looked up when the report is written. An exception that passes through gets the name of the pattern and of
// the event.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "analysis/dispatch/batch_context.hpp"
#include "analysis/run.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::analysis {

/// A failure whose pattern has been named; patterns may throw PatternError themselves.
class NamedFailure : public PatternError {
 public:
  using PatternError::PatternError;
};

/// The events that a pattern may look at in its event callbacks, according to its declaration.
class EventAccess final : public EventSource {
 public:
  EventAccess(const Run& run, const PatternInfo& info)
      : run_(run), needs_stack_(info.needs_stack), needs_queue_(info.needs_queue) {}
  Event event(Position pos) const override { return run_.events->event(pos); }
  std::vector<Position> stack(LocationId loc) const override;
  std::vector<Position> queue(std::optional<LocationId> src, std::optional<LocationId> dest) const override;

 private:
  const Run& run_;
  const bool needs_stack_, needs_queue_;
};

class PatternContext final : public Context, public BatchContext {
 public:
  /// `number` is the pattern's number in the run; `metrics` are the pattern's metrics in the tree.
  PatternContext(Run& run, std::size_t number, PatternHandle pattern, const PatternInfo& info,
                 std::vector<MetricIndex> metrics)
      : run_(run),
        number_(number),
        pattern_(std::move(pattern)),
        id_(info.metrics.front().id),
        metrics_(std::move(metrics)),
        events_(run, info),
        is_plugin_(!pattern_.is_built_in()),
        wants_causes_(wants_causes(pattern_)),
        watches_overtaking_((pattern_.interests & interest_overtaken) != 0) {
    for (const MetricIndex m : metrics_) waits_.push_back(is_outermost_wait(run.metrics, m));
  }

  const std::string& id() const { return id_; }
  const PatternHandle& pattern() const { return pattern_; }
  /// Adds a pattern that receives the events that this one publishes.
  void add_subscriber(PatternContext& subscriber) { subscribers_.push_back(&subscriber); }

  /// Calls body(pattern, context). Every callback goes through here, so that an exception names the pattern and the
  /// event: `where` makes a text of the latter.
  template <class Body, class Where>
  void call(const char* callback, Body&& body, Where&& where) {
    try {
      body(*pattern_.pattern, *this);
    } catch (const NamedFailure&) {
      throw;  // a pattern that received an event of this one failed
    } catch (...) {
      fail(callback, where());
    }
  }

  void add(const Charge& charge, std::int64_t value, MetricHandle metric) override;
  void add_wait(const Wait& wait, MetricHandle metric) override { charge(metric, wait, true); }
  void add_instance(const Wait& wait, MetricHandle metric) override { charge(metric, wait, false); }
  void publish(const std::type_info& type, const void* data) override;
  const Definitions& definitions() const override { return run_.definitions; }
  const CallTree& call_tree() const override { return run_.call_tree; }
  const Severities& severities() const override;
  const MetricTree& metrics() const override { return run_.metrics; }
  const EventSource& trace() const override;
  const Causes& causes() const override;

  void one_instance_of(std::size_t members) override;
  bool about_event(bool is) override { return std::exchange(run_.in_event, is); }
  void without_place(MetricHandle metric) override { run_.without_place[own(metric)] = true; }

  /// Throws NamedFailure if this is a plug-in and one of its metrics is larger than the metric that it is a share of.
  void check_shares() const;

 private:
  static bool wants_causes(const PatternHandle& pattern) {
    const WantedCauses wanted = pattern.pattern->wanted_causes(pattern.parameters);
    return wanted.waits || wanted.ideal_waits;
  }
  template <class Published>
  void note_cause(const void* data);
  [[noreturn]] void fail(const char* callback, const std::string& where) const;
  MetricIndex own(MetricHandle metric) const;
  static bool is_outermost_wait(const MetricTree& metrics, MetricIndex metric);
  [[noreturn]] static void refuse_negative(const char* what, std::int64_t value);
  void check(CallPathId callpath, LocationId location) const;
  void check_culprit(const Wait& wait) const;
  void charge(MetricHandle metric, const Wait& wait, bool with_severity);
  template <class Body>
  void with_memory_of_the_engine(Body&& body);
  /// How the engine itself uses a published event; WatchOvertaking and ReceiveWait are only for the engine.
  enum class EngineUse : std::uint8_t { none, late_sender, late_receiver, watch_overtaking, receive_wait };
  EngineUse engine_use(const std::type_info& type);

  Run& run_;
  const std::size_t number_;
  const PatternHandle pattern_;
  const std::string id_;
  const std::vector<MetricIndex> metrics_;
  std::vector<bool> waits_;  ///< by metric: its waits are not a share of another metric's waits
  const EventAccess events_;
  const bool is_plugin_;
  const bool wants_causes_;
  const bool watches_overtaking_;
  bool out_of_memory_ = false;  ///< the engine ran out of memory, not the pattern
  std::vector<PatternContext*> subscribers_;
  const std::type_info* last_published_ = nullptr;
  EngineUse last_use_ = EngineUse::none;  ///< the use of last_published_
};

}  // namespace waitstate::analysis

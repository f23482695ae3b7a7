// How the engine calls patterns, and what it offers to them while it does; for its own source files.
#pragma once

#include <utility>

#include "analysis/batch_context.hpp"
#include "analysis/engine.hpp"
#include "waitstate/error.hpp"

namespace waitstate::analysis {

/// A failure whose pattern has been named; patterns may throw PatternError themselves.
class NamedFailure : public PatternError {
 public:
  using PatternError::PatternError;
};

/// The Context of one pattern: knows which metrics are its own.
class Engine::PatternContext : public Context, public Gathering {
 public:
  PatternContext(Engine& engine, std::size_t pattern, std::vector<MetricIndex> metrics)
      : engine_(engine), pattern_(pattern), metrics_(std::move(metrics)) {}

  void add(std::size_t metric, const Call& call, std::int64_t value) override {
    check(call.callpath, call.location);
    if (engine_.focus_.has(call.enter)) engine_.add(own(metric), call.callpath, call.location, value);
  }
  void add(std::size_t metric, CallPathId callpath, LocationId location, std::int64_t value) override {
    check(callpath, location);
    if (engine_.in_event_ && !engine_.focus_.has(engine_.event_time_)) return;
    engine_.add(own(metric), callpath, location, value);
  }
  void add(std::size_t metric, const Wait& wait, std::int64_t value) override {
    check(wait.callpath, wait.location);
    const MetricIndex m = own(metric);
    if (engine_.metrics_[m].unit == Unit::seconds && value > 0) {
      Wait cut = wait;
      cut.ticks = value;
      if (engine_.focus_.cut(cut)) engine_.add(m, cut.callpath, cut.location, cut.ticks);
    } else if (engine_.focus_.has(wait.enter)) {
      engine_.add(m, wait.callpath, wait.location, value);
    }
  }
  void add_wait(std::size_t metric, const Wait& wait) override { book(own(metric), wait, true); }
  void add_instance(std::size_t metric, const Wait& wait) override { book(own(metric), wait, false); }
  void gather_waits(std::size_t members) override {
    engine_.books_.close();
    if (members == 0) members = engine_.operation_members_;
    if (members != 0) engine_.books_.open(members);
  }
  bool about_event(bool is) override { return std::exchange(engine_.in_event_, is); }
  void publish(const std::type_info& type, const void* data) override { engine_.publish(pattern_, type, data); }
  void watch_overtaking(const Message& message, const Wait& wait) override {
    if ((engine_.interests_ & interest_overtaken) != 0)
      engine_.overtaking_.watch(message, wait, static_cast<std::uint32_t>(pattern_));
  }
  void set_receive_wait(Ticks ticks) override { engine_.receive_wait_ = ticks; }
  const Definitions& definitions() const override { return engine_.definitions_; }
  const CallTree& call_tree() const override { return engine_.call_tree_; }
  const Severities& severities() const override {
    if (!engine_.in_wrapup_) throw UsageError("severities are at hand in wrapup only: before it they are not complete");
    return *engine_.severities_;
  }
  const MetricTree& metrics() const override { return engine_.metrics_; }
  const EventSource& trace() const override {
    if (engine_.store_ == nullptr) throw UsageError("events are at hand only for patterns with event callbacks");
    if (!engine_.in_event_) throw UsageError("events are at hand during event callbacks only");
    return *engine_.store_;
  }

 private:
  MetricIndex own(std::size_t metric) const {
    if (metric < metrics_.size()) [[likely]]
      return metrics_[metric];
    throw UsageError("the pattern has " + std::to_string(metrics_.size()) +
                     " metrics, numbered from 0: there is none with the number " + std::to_string(metric));
  }
  // What a pattern names is looked up when the report is written; nothing must be in it that is not there.
  void check(CallPathId callpath, LocationId location) const {
    if (callpath.index() >= engine_.call_tree_.size() || location.index() >= engine_.definitions_.locations.size())
      throw UsageError("a severity needs a call path and a location of the trace");
  }
  void check_culprit(const Wait& w) const {
    if ((w.culprit.valid() && w.culprit.index() >= engine_.definitions_.locations.size()) ||
        (w.culprit_callpath.valid() && w.culprit_callpath.index() >= engine_.call_tree_.size()))
      throw UsageError("the culprit of a wait and its call path have to be of the trace, or none");
  }
  // Only what of it is to be reported.
  void book(MetricIndex metric, const Wait& wait, bool with_severity) {
    check(wait.callpath, wait.location);
    check_culprit(wait);
    Wait cut = wait;
    if (!engine_.focus_.cut(cut)) return;
    if (with_severity) engine_.add(metric, cut.callpath, cut.location, cut.ticks);
    if (engine_.focus_.has(cut.callpath, cut.location)) engine_.books_.add(metric, cut);
  }

  Engine& engine_;
  const std::size_t pattern_;
  std::vector<MetricIndex> metrics_;
};

// Every callback goes through here, so that a pattern that throws is named with what it was given.
template <class Callback, class Place>
void Engine::one(std::size_t i, const char* callback, Callback&& call, Place&& place) {
  try {
    call(*patterns_[i].pattern, *contexts_[i]);
  } catch (const NamedFailure&) {
    throw;  // of a pattern that received what this one published
  } catch (...) {
    fail(i, callback, place());
  }
}

template <class Callback, class Place>
void Engine::each(const std::vector<std::size_t>& patterns, const char* callback, Callback&& call, Place&& place) {
  for (std::size_t i : patterns) one(i, callback, call, place);
}

}  // namespace waitstate::analysis

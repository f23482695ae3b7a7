#include "analysis/dispatch/pattern_context.hpp"

#include <cmath>
#include <new>

#include "analysis/conclusions/shares.hpp"
#include "analysis/dispatch/pattern_set.hpp"
#include "waitstate/pattern/late_sender.hpp"

namespace waitstate {

std::int64_t Context::whole_number(double value) {
  constexpr double beyond = 9223372036854775808.0;  // 2^63
  if (value >= -beyond && value < beyond && value == std::trunc(value)) return static_cast<std::int64_t>(value);
  throw UsageError("a severity is " + (std::isnan(value) ? std::string("NaN") : std::to_string(value)) +
                   ", expected a whole number: round it yourself");
}

}  // namespace waitstate

namespace waitstate::analysis {

// Memory that the engine requests on behalf of a pattern is not the pattern's failure.
template <class Body>
void PatternContext::with_memory_of_the_engine(Body&& body) {
  try {
    body();
  } catch (const std::bad_alloc&) {
    out_of_memory_ = true;
    throw;
  }
}

void PatternContext::fail(const char* callback, const std::string& where) const {
  if (out_of_memory_) throw std::bad_alloc();  // whatever the pattern did with it
  const std::string who = described(pattern_, id_) + " failed in " + callback + where + ": ";
  try {
    throw;
  } catch (const std::bad_alloc&) {
    if (!is_plugin_) throw;
    throw NamedFailure(who + no_memory);
  } catch (const std::exception& e) {
    throw NamedFailure(who + e.what());
  } catch (...) {
    throw NamedFailure(who + "an exception of an unknown type");
  }
}

void PatternContext::check_shares() const {
  if (!is_plugin_) return;
  for (const MetricIndex m : metrics_)
    if (const std::string what = share_too_large(run_, m); !what.empty())
      throw NamedFailure(described(pattern_, id_) + " added " + what);
}

void PatternContext::refuse_negative(const char* what, std::int64_t value) {
  throw UsageError(std::string(what) + " of " + std::to_string(value) + " was added, expected at least 0");
}

MetricIndex PatternContext::own(MetricHandle metric) const {
  if (metric.index < metrics_.size()) [[likely]]
    return metrics_[metric.index];
  throw UsageError("the pattern has " + std::to_string(metrics_.size()) +
                   " metrics, numbered from 0: there is none with the number " + std::to_string(metric.index));
}

void PatternContext::check(CallPathId callpath, LocationId location) const {
  if (callpath.index() >= run_.call_tree.size() || location.index() >= run_.definitions.locations.size())
    throw UsageError("a severity needs a call path and a location of the trace");
}

void PatternContext::check_culprit(const Wait& w) const {
  if ((w.culprit.valid() && w.culprit.index() >= run_.definitions.locations.size()) ||
      (w.culprit_callpath.valid() && w.culprit_callpath.index() >= run_.call_tree.size()))
    throw UsageError("the culprit of a wait and its call path must belong to the trace, or be none");
}

void PatternContext::add(const Charge& charge, std::int64_t value, MetricHandle metric) {
  check(charge.callpath(), charge.location());
  if (value < 0 && is_plugin_) refuse_negative("a severity", value);
  const MetricIndex m = own(metric);
  if (charge.call() != nullptr) {
    if (!run_.focus.has(charge.call()->enter)) return;
  } else if (const Wait* const wait = charge.wait(); wait != nullptr) {
    if (run_.metrics[m].unit == Unit::seconds && value > 0) {
      Wait cut = *wait;
      cut.ticks = value;
      if (run_.focus.cut(cut)) with_memory_of_the_engine([&] { run_.add(m, cut); });
      return;
    }
    if (!run_.focus.has(wait->enter)) return;
  } else if (run_.in_event && !run_.focus.has(run_.event_time)) {
    return;
  }
  with_memory_of_the_engine([&] { run_.add(m, charge.callpath(), charge.location(), value); });
}

bool PatternContext::is_outermost_wait(const MetricTree& metrics, MetricIndex metric) {
  const auto is_wait = [&](MetricIndex m) {
    return metrics[m].kind == MetricKind::wait || metrics[m].kind == MetricKind::completion;
  };
  if (!is_wait(metric)) return false;
  for (MetricIndex m = metric; metrics[m].parent != no_metric; m = metrics[m].parent)
    if (metrics[m].within_parent && is_wait(metrics[m].parent)) return false;
  return true;
}

// Charges only the part that is to be reported. But a location that waited is not the cause of others' waits, wherever
// it waited.
void PatternContext::charge(MetricHandle handle, const Wait& wait, bool with_severity) {
  const MetricIndex metric = own(handle);
  check(wait.callpath, wait.location);
  check_culprit(wait);
  if (wait.ticks < 0 && is_plugin_) refuse_negative("a wait", wait.ticks);
  if (waits_[handle.index]) {
    run_.waits.note(wait);
    if (!run_.in_batch) run_.operation_wait = add_ticks(run_.operation_wait, static_cast<std::uint64_t>(wait.ticks));
  }
  Wait cut = wait;
  if (!run_.focus.cut(cut)) return;
  with_memory_of_the_engine([&] {
    if (with_severity) run_.add(metric, cut);
    if (run_.focus.has(cut.callpath, cut.location)) run_.waits.add(metric, cut);
  });
}

// Types are equal by name, also across plug-ins. Names are compared only when the type changes, which it hardly does.
PatternContext::EngineUse PatternContext::engine_use(const std::type_info& type) {
  if (&type != last_published_) {
    last_published_ = &type;
    last_use_ = type == typeid(LateSender)        ? EngineUse::late_sender
                : type == typeid(WatchOvertaking) ? EngineUse::watch_overtaking
                : type == typeid(ReceiveWait)     ? EngineUse::receive_wait
                : type == typeid(LateReceiver)    ? EngineUse::late_receiver
                                                  : EngineUse::none;
  }
  return last_use_;
}

// Only built-in patterns publish the waits of all messages, each once.
template <class Published>
void PatternContext::note_cause(const void* data) {
  if (is_plugin_ || run_.notes_of_causes == nullptr) return;
  with_memory_of_the_engine([&] { run_.notes_of_causes->note(*static_cast<const Published*>(data)); });
}

void PatternContext::publish(const std::type_info& type, const void* data) {
  switch (engine_use(type)) {
    case EngineUse::late_sender:
      run_.receive_waits.set(static_cast<const LateSender*>(data)->wait.ticks);
      note_cause<LateSender>(data);
      break;
    case EngineUse::late_receiver:
      note_cause<LateReceiver>(data);
      break;
    case EngineUse::watch_overtaking: {
      const auto& watch = *static_cast<const WatchOvertaking*>(data);
      if (watches_overtaking_) run_.overtaking.watch(watch.message, watch.wait, static_cast<std::uint32_t>(number_));
      return;
    }
    case EngineUse::receive_wait:
      run_.receive_waits.set(static_cast<const ReceiveWait*>(data)->ticks);
      return;
    case EngineUse::none:
      break;
  }
  const Published published{id_, type, data};
  for (PatternContext* const subscriber : subscribers_)
    subscriber->call(
        name(Callback::published), [&](Pattern& p, Context& c) { p.published_callback(published, c); },
        [&] { return " of what '" + id_ + "' published"; });
}

void PatternContext::one_instance_of(std::size_t members) {
  run_.waits.close();
  run_.in_batch = members != 0;
  if (members == 0) members = run_.operation_members;
  if (members != 0) run_.waits.open(members);
}

const Severities& PatternContext::severities() const {
  if (!run_.in_wrapup) throw UsageError("severities are available only in wrapup: they are not complete earlier");
  return run_.severities;
}

const EventSource& PatternContext::trace() const {
  if (run_.events == nullptr) throw UsageError("events are available only to patterns with event callbacks");
  if (!run_.in_event) throw UsageError("events are available only during event callbacks");
  return events_;
}

const Causes& PatternContext::causes() const {
  if (!wants_causes_)
    throw UsageError("causes() is available only to patterns that ask for causes: wanted_causes() asks for nothing");
  if (!run_.in_wrapup) throw UsageError("causes are available only in wrapup: they are not known earlier");
  return *run_.engine_of_causes;
}

std::vector<Position> EventAccess::stack(LocationId loc) const {
  if (!needs_stack_)
    throw UsageError(
        "stack() is available only to patterns that ask for it: needs_stack of PatternInfo is false, expected true");
  if (!run_.in_event) throw UsageError("region stacks are available only during event callbacks");
  return run_.merge->stack(loc);
}

std::vector<Position> EventAccess::queue(std::optional<LocationId> src, std::optional<LocationId> dest) const {
  if (!needs_queue_)
    throw UsageError(
        "queue() is available only to patterns that ask for it: needs_queue of PatternInfo is false, expected true");
  if (!run_.in_event) throw UsageError("the message queue is available only during event callbacks");
  return run_.merge->queue(src, dest);
}

}  // namespace waitstate::analysis

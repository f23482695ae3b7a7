#include "analysis/dispatch/dispatcher.hpp"

#include <algorithm>
#include <string>

#include "analysis/dispatch/pattern_set.hpp"
#include "waitstate/error.hpp"

namespace waitstate::analysis {

Dispatcher::Dispatcher(const std::vector<PatternHandle>& patterns, const std::vector<std::vector<MetricIndex>>& metrics,
                       RmaModel rma_model, Run& run, ProfileMetrics& profile_metrics)
    : run_(run), profile_metrics_(profile_metrics) {
  wanted_.late_receives_only = true;  // if all patterns that want sends say so
  wanted_.rma_model = rma_model;
  wanted_.from = run.focus.focus().from;
  wanted_.to = run.focus.focus().to;
  for (const PatternHandle& handle : patterns) {
    const PatternInfo info = handle.pattern->info();
    const Interests wants = handle.interests;
    const std::string& id = info.metrics.front().id;
    if ((info.needs_stack || info.needs_queue) && (wants & (interest_any_event | interest_published)) == 0)
      throw UsageError("pattern '" + id + "' has " + (info.needs_stack ? "needs_stack" : "needs_queue") +
                       ", but no event callback to ask in: expected enter_callback, exit_callback, send_callback, "
                       "recv_callback, metric_callback or event_callback");
    needs_queue_ = needs_queue_ || info.needs_queue;
    wanted_.message_queues = wanted_.message_queues || info.message_queues;
    for (std::size_t m = 0; m < info.metrics.size(); ++m)
      if (const QueueValue v = info.metrics[m].queue_value; v != QueueValue::none)
        run_.queue_metrics.emplace_back(v, metrics[patterns_.size()][m]);
    wanted_causes_ |= handle.pattern->wanted_causes(handle.parameters);
    auto context = std::make_unique<PatternContext>(run_, patterns_.size(), handle, info, metrics[patterns_.size()]);
    wanted_.interests |= wants;
    if ((wants & interest_completed_sends) != 0 && !info.late_receives_only) wanted_.late_receives_only = false;
    for (std::size_t c = 0; c < callback_count; ++c)
      if ((wants & interest(static_cast<Callback>(c))) != 0) lists_[c].push_back(context.get());
    if ((wants & (interest_event | interest_metric)) == interest_event) metrics_as_events_.push_back(context.get());
    for (const std::string& needed : info.needs) {
      const auto found =
          std::find_if(patterns_.begin(), patterns_.end(), [&](const auto& p) { return p->id() == needed; });
      if (found == patterns_.end()) throw UsageError("pattern '" + id + "' needs '" + needed + "', which does not run");
      if ((wants & interest_published) != 0) (*found)->add_subscriber(*context);
    }
    patterns_.push_back(std::move(context));
  }
  if (wanted_.message_queues) wanted_.interests |= interest_completed_receives;
  wanted_.work = wanted_causes_.waits;
  wanted_.work_to_end_of_team = wanted_causes_.plain;
  wanted_.steps = wanted_causes_.ideal_waits;
  wanted_.interests |= causes::Notes::interests(wanted_causes_);
}

void Dispatcher::init() {
  const auto nowhere = [] { return std::string(); };
  for (const auto& context : patterns_) {
    context->call(
        "configure", [&](Pattern& p, Context&) { p.configure(context->pattern().parameters); }, nowhere);
    context->call(
        "init", [](Pattern& p, Context& c) { p.init(c); }, nowhere);
  }
}

void Dispatcher::merge(Dispatcher& other) {
  for (std::size_t i = 0; i < patterns_.size(); ++i)
    patterns_[i]->call(
        "merge", [&](Pattern& p, Context&) { p.merge(*other.patterns_[i]->pattern().pattern); },
        [] { return std::string(); });
}

std::string Dispatcher::state_of(std::size_t pattern) {
  std::string state;
  patterns_[pattern]->call(
      "state", [&](Pattern& p, Context&) { state = p.state(); }, [] { return std::string(); });
  return state;
}

void Dispatcher::restore(std::size_t pattern, const std::string& state) {
  patterns_[pattern]->call(
      "restore", [&](Pattern& p, Context&) { p.restore(state); }, [] { return std::string(); });
}

void Dispatcher::wrapup() {
  run_.in_wrapup = true;
  for (const auto& context : patterns_)
    context->call(
        "wrapup", [](Pattern& p, Context& c) { p.wrapup(c); }, [] { return std::string(); });
}

void Dispatcher::check_shares() const {
  if (!too_large(run_.metrics, run_.severities).empty()) return;  // no value can be trusted
  for (const auto& context : patterns_) context->check_shares();
}

void Dispatcher::overtaken(const Overtaken& overtaken, std::uint32_t watcher) {
  if (run_.causes != nullptr) run_.causes->about(overtaken);
  patterns_[watcher]->call(
      name(Callback::overtaken), [&](Pattern& p, Context& c) { p.overtaken_callback(overtaken, c); },
      [&] { return run_.text(overtaken.where()); });
  if (run_.causes != nullptr) run_.causes->about_nothing();
}

void Dispatcher::event(Position pos, EventType type) {
  switch (type) {
    case EventType::enter:
      return give_event(pos, list(Callback::enter), &Pattern::enter_callback, Callback::enter);
    case EventType::exit:
      return give_event(pos, list(Callback::exit), &Pattern::exit_callback, Callback::exit);
    case EventType::send:
    case EventType::isend:
      return give_event(pos, list(Callback::send), &Pattern::send_callback, Callback::send);
    case EventType::recv:
    case EventType::irecv:
      return give_event(pos, list(Callback::recv), &Pattern::recv_callback, Callback::recv);
    case EventType::metric:
      give_event(pos, list(Callback::metric), &Pattern::metric_callback, Callback::metric);
      return give_event(pos, metrics_as_events_, &Pattern::event_callback, Callback::event);
    default:
      return give_event(pos, list(Callback::event), &Pattern::event_callback, Callback::event);
  }
}

void Dispatcher::give_event(Position pos, const List& to, EventCallback callback, Callback which) {
  if (to.empty()) return;
  const Event e = run_.events->event(pos);
  run_.event_time = e.time;
  run_.in_event = true;
  for (PatternContext* const context : to)
    context->call(
        name(which), [&](Pattern& p, Context& c) { (p.*callback)(e, c); },
        [&] {
          return " at event " + std::to_string(pos) + run_.text({e.loc, e.time});
        });
  run_.in_event = false;
}

}  // namespace waitstate::analysis

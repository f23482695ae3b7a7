#include "analysis/engine.hpp"

#include "waitstate/error.hpp"

namespace waitstate::analysis {

/// The Context of one pattern: knows which metrics are its own.
class Engine::PatternContext : public Context {
 public:
  PatternContext(Engine& engine, std::vector<MetricIndex> metrics) : engine_(engine), metrics_(std::move(metrics)) {}

  void add(std::size_t metric, CallPathId callpath, LocationId location, std::int64_t value) override {
    engine_.severities_->add(metrics_.at(metric), callpath, location, value);
  }
  void add_wait(std::size_t metric, CallPathId callpath, LocationId location, Ticks ticks,
                LocationId culprit) override {
    const MetricIndex m = metrics_.at(metric);
    engine_.severities_->add(m, callpath, location, ticks);
    WaitPair& pair = engine_.waits_[m].find_or_insert({culprit, location});
    ++pair.count;
    pair.ticks = add_ticks(pair.ticks, static_cast<std::uint64_t>(ticks));
  }
  void watch_overtaking(const Message& message, Ticks ticks) override {
    engine_.linker_->watch_overtaking(message, ticks);
  }
  void set_receive_wait(Ticks ticks) override { engine_.linker_->set_receive_wait(ticks); }
  const Definitions& definitions() const override { return engine_.definitions_; }
  const CallTree& call_tree() const override { return engine_.call_tree_; }
  const EventSource& trace() const override {
    if (engine_.store_ == nullptr) throw UsageError("events are at hand only for patterns with event callbacks");
    return *engine_.store_;
  }

 private:
  Engine& engine_;
  std::vector<MetricIndex> metrics_;
};

Engine::Engine(std::vector<PatternHandle> patterns, const Definitions& definitions, const CallTree& call_tree,
               MetricTree& metrics)
    : patterns_(std::move(patterns)), definitions_(definitions), call_tree_(call_tree) {
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    std::vector<MetricIndex> own;
    for (const MetricSpec& m : patterns_[i].pattern->info().metrics)
      own.push_back(metrics.add(m.id, m.parent, m.unit, m.within_parent, m.title, m.summary));
    contexts_.push_back(std::make_unique<PatternContext>(*this, std::move(own)));
    const unsigned wants = patterns_[i].interests;
    interests_ |= wants;
    const std::pair<unsigned, std::vector<std::size_t>*> lists[] = {{interest_completed_receives, &receives_},
                                                                    {interest_completed_sends, &sends_},
                                                                    {interest_overtaken, &overtaken_},
                                                                    {interest_enter, &enter_},
                                                                    {interest_exit, &exit_},
                                                                    {interest_send, &send_},
                                                                    {interest_recv, &recv_},
                                                                    {interest_event, &event_}};
    for (const auto& [interest, list] : lists)
      if ((wants & interest) != 0) list->push_back(i);
  }
  severities_ = std::make_unique<Severities>(metrics.size());
  waits_.resize(metrics.size());
}

Engine::~Engine() = default;

// Every callback goes through here, so that a pattern that throws is named with what it was given.
template <class Call, class Place>
void Engine::each(const std::vector<std::size_t>& patterns, const char* callback, Call&& call, Place&& place) {
  for (std::size_t i : patterns) {
    try {
      call(*patterns_[i].pattern, *contexts_[i]);
    } catch (...) {
      fail(i, callback, place());
    }
  }
}

void Engine::fail(std::size_t i, const char* callback, const std::string& place) const {
  const PatternInfo info = patterns_[i].pattern->info();
  const std::string who =
      "pattern '" + (info.metrics.empty() ? "?" : info.metrics.front().id) + "' failed in " + callback + place + ": ";
  try {
    throw;
  } catch (const std::exception& e) {
    throw PatternError(who + e.what());
  } catch (...) {
    throw PatternError(who + "an exception of an unknown type");
  }
}

std::string Engine::place(LocationId l, Time t) const {
  return " on location " + std::to_string(l.value) + " (" + definitions_[l].name + ") at time " + std::to_string(t);
}

void Engine::init() {
  std::vector<std::size_t> all(patterns_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  each(
      all, "init", [](Pattern& p, Context& c) { p.init(c); }, [] { return std::string(); });
}

void Engine::wrapup() {
  std::vector<std::size_t> all(patterns_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  each(
      all, "wrapup", [](Pattern& p, Context& c) { p.wrapup(c); }, [] { return std::string(); });
}

void Engine::completed_receives(const CompletedReceives& r) {
  each(
      receives_, "completed_receives_callback", [&](Pattern& p, Context& c) { p.completed_receives_callback(r, c); },
      [&] { return place(r.call.location, r.call.exit); });
}

void Engine::completed_sends(const CompletedSends& s) {
  each(
      sends_, "completed_sends_callback", [&](Pattern& p, Context& c) { p.completed_sends_callback(s, c); },
      [&] { return place(s.call.location, s.call.exit); });
}

void Engine::overtaken(const Overtaken& o) {
  each(
      overtaken_, "overtaken_callback", [&](Pattern& p, Context& c) { p.overtaken_callback(o, c); },
      [&] { return " on location " + std::to_string(o.receiver.value) + " (" + definitions_[o.receiver].name + ")"; });
}

void Engine::event(Position pos, EventType type) {
  using Callback = void (Pattern::*)(const Event&, Context&);
  const std::vector<std::size_t>* list = &event_;
  Callback callback = &Pattern::event_callback;
  const char* called = "event_callback";
  switch (type) {
    case EventType::enter:
      list = &enter_, callback = &Pattern::enter_callback, called = "enter_callback";
      break;
    case EventType::exit:
      list = &exit_, callback = &Pattern::exit_callback, called = "exit_callback";
      break;
    case EventType::send:
    case EventType::isend:
      list = &send_, callback = &Pattern::send_callback, called = "send_callback";
      break;
    case EventType::recv:
    case EventType::irecv:
      list = &recv_, callback = &Pattern::recv_callback, called = "recv_callback";
      break;
    default:
      break;
  }
  if (list->empty()) return;
  const Event e = store_->event(pos);
  each(
      *list, called, [&](Pattern& p, Context& c) { (p.*callback)(e, c); },
      [&] { return " at event " + std::to_string(pos) + place(e.loc, e.time); });
}

std::map<MetricIndex, WaitPairs> Engine::waits() {
  std::map<MetricIndex, WaitPairs> result;
  for (MetricIndex m = 0; m < waits_.size(); ++m)
    waits_[m].for_each([&](const PairKey& key, const WaitPair& pair) { result[m][{key.culprit, key.waiting}] = pair; });
  return result;
}

}  // namespace waitstate::analysis

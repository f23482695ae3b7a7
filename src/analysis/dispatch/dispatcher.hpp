// Passes each compound event and each event of the stream to the patterns that want it. There is one list of patterns
// for each callback, made once: a callback that nobody overrides has an empty list and costs nothing. Called from one
// thread.
//
// All other deliveries of linking go to the profile metrics. Cost: one virtual call for each pattern that wants the
// event.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "analysis/dispatch/pattern_context.hpp"
#include "analysis/metrics/profile_metrics.hpp"
#include "analysis/run.hpp"
#include "causes/engine.hpp"
#include "link/listener.hpp"
#include "merge/merge.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::analysis {

class Dispatcher final : public link::Listener, public merge::EventConsumer {
 public:
  /// `metrics`: by pattern, its metrics in the run's tree (add_metrics()). Throws UsageError if a needed pattern is
  /// missing. Patterns run in the given order, in which needed ones come first.
  Dispatcher(const std::vector<PatternHandle>& patterns, const std::vector<std::vector<MetricIndex>>& metrics,
             RmaModel rma_model, Run& run, ProfileMetrics& profile_metrics);

  /// The interests of all patterns together.
  Interests interests() const { return wanted_.interests; }
  bool needs_queue() const { return needs_queue_; }
  /// Adds interests beside those of the patterns; must be called before anything is linked.
  void want(Interests more) { wanted_.interests |= more; }
  /// Configures and initialises all patterns.
  void init();
  /// Adds to each pattern what the same pattern of another part has kept.
  void merge(Dispatcher& other);
  /// Brings what the patterns have kept to the same part of another process.
  template <class Archive>
  void travel(Archive& archive) {
    for (std::size_t i = 0; i < patterns_.size(); ++i) {
      std::string state;
      if constexpr (!Archive::reads) state = state_of(i);
      archive(state);
      if constexpr (Archive::reads) restore(i, state);
    }
  }
  void wrapup();
  /// Throws PatternError if a metric of a plug-in is larger than the metric that it is a share of.
  void check_shares() const;

  link::Wanted wanted() const override { return wanted_; }
#define X(name, Type)                                                                                               \
  void name(const Type& event) override {                                                                           \
    around(event,                                                                                                   \
           [this](const Type& e) { deliver<&Pattern::name##_callback>(list(Callback::name), Callback::name, e); }); \
    if (causes_ != nullptr) causes_->note(event);                                                                   \
  }
  WAITSTATE_COMPOUND_EVENTS(X)
#undef X
  void watermark(ProcessId receiver, Time bound) override { run_.overtaking.watermark(receiver, bound); }
  void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                              std::uint64_t bytes_received) override {
    profile_metrics_.nonblocking_collective(started, op, bytes_sent, bytes_received);
  }
  void rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put, std::uint64_t bytes_got) override {
    profile_metrics_.rma_started(call, kind, bytes_put, bytes_got);
  }
  /// The causes that patterns ask for, all together.
  const WantedCauses& wanted_causes() const { return wanted_causes_; }
  /// Sets the notes of causes, which are told what is delivered; null if no pattern asks for causes.
  void connect(causes::Notes* notes) { causes_ = notes; }
  void work(const link::LocationWork& work) override { causes_->work(work); }
  void incomplete_part(const link::IncompletePart& part) override { causes_->incomplete_part(part); }
  std::uint64_t steps(LocationId l, std::span<const replay::StepRecord> steps) override {
    return causes_->ideal->steps.add(l, steps);
  }
  void other_of_step(std::uint32_t step, std::uint64_t other) override { causes_->ideal->steps.set_other(step, other); }
  void number_of_operation(std::uint64_t number) override { causes_->ideal->announcements.number_next(number); }
  void operation_of_request(std::uint32_t step, const link::RequestedOperation& operation) override {
    causes_->ideal->steps.set_operation(step, operation);
  }
  void number_of_step(std::uint32_t step, std::uint64_t number) override {
    causes_->ideal->steps.set_number(step, number);
  }
  void parallel_region(const link::ParallelRegion& region) override { profile_metrics_.parallel_region(region); }
  void profile(LocationId location, CallPathId callpath, const replay::Profile& profile) override {
    profile_metrics_.profile(location, callpath, profile);
  }
  void counter(CallPathId callpath, const replay::PathCounter& counter) override {
    profile_metrics_.counter(callpath, counter);
  }
  void event(Position pos, EventType type) override;

 private:
  using List = std::vector<PatternContext*>;

  std::string state_of(std::size_t pattern);
  void restore(std::size_t pattern, const std::string& state);
  const List& list(Callback c) const { return lists_[static_cast<std::size_t>(c)]; }

  /// Delivers an event of an operation. If it has several members, the waits that are added meanwhile are one instance.
  template <auto callback, class E>
  void deliver(const List& to, Callback which, const E& e) {
    if (to.empty()) return;
    if (run_.causes != nullptr) run_.causes->about(e);
    if constexpr (requires { e.operation_size(); }) run_.open_operation(e.operation_size());
    for (PatternContext* const context : to)
      context->call(
          name(which), [&](Pattern& p, Context& c) { (p.*callback)(e, c); }, [&] { return run_.text(e.where()); });
    if constexpr (requires { e.operation_size(); }) run_.close_operation();
    if (run_.causes != nullptr) run_.causes->about_nothing();
  }

  /// Does everything else about an event, before and after its delivery.
  template <class E, class Deliver>
  void around(const E& e, const Deliver& deliver) {
    deliver(e);
  }
  template <class Deliver>
  void around(const RmaOperation& o, const Deliver& deliver) {
    if (run_.communication != nullptr) run_.communication->add(o);
    deliver(o);
  }
  template <class Deliver>
  void around(const Collective& c, const Deliver& deliver) {
    run_.operation_wait = 0;
    deliver(c);
    if (run_.communication != nullptr) run_.communication->add(c, run_.operation_wait);
  }
  template <class Deliver>
  void around(const CompletedReceives& r, const Deliver& deliver) {
    if (run_.communication != nullptr) run_.communication->add(r);
    if (run_.messages != nullptr) run_.messages->add(r);
    if (wanted_.watermarks())
      for (const Message& m : r.messages)
        run_.overtaking.received(m, [&](const Overtaken& o, std::uint32_t watcher) { overtaken(o, watcher); });
    if (wanted_.message_queues)
      for (const Message& m : r.messages) run_.note_queued(m);
    run_.receive_waits.begin();
    deliver(r);
    if (wanted_.sends()) run_.receive_waits.keep(r);
  }
  template <class Deliver>
  void around(const CompletedSends& s, const Deliver& deliver) {
    const Ticks receive_wait = run_.receive_waits.take(s);
    if (!s.messages.empty()) deliver(CompletedSends{s.call, s.messages, receive_wait, s.call_number});
  }
  void overtaken(const Overtaken& overtaken, std::uint32_t watcher);

  using EventCallback = void (Pattern::*)(const Event&, Context&);
  void give_event(Position pos, const List& to, EventCallback callback, Callback which);

  Run& run_;
  ProfileMetrics& profile_metrics_;
  link::Wanted wanted_{.interests = 0};
  std::vector<std::unique_ptr<PatternContext>> patterns_;
  std::array<List, callback_count> lists_;
  List metrics_as_events_;  ///< patterns that receive counter records as other events
  bool needs_queue_ = false;
  WantedCauses wanted_causes_;
  causes::Notes* causes_ = nullptr;
};

}  // namespace waitstate::analysis

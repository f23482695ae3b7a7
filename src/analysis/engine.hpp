// Runs patterns: gives each compound event and each event of the stream to those that want it, and keeps their books
// (severities, and of waits who made whom wait, where, how long). One dispatch list a callback, made once: a callback
// that nobody overrides has an empty list and costs nothing. Called from one thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/focus.hpp"
#include "analysis/metrics/counter_metrics.hpp"
#include "analysis/metrics/wait_statistics.hpp"
#include "analysis/overtaking.hpp"
#include "link/listener.hpp"
#include "merge/event_store.hpp"
#include "merge/merge.hpp"
#include "util/flat_map.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::analysis {

class Engine : public link::Listener, public merge::EventConsumer {
 public:
  /// Adds the patterns' metrics to `metrics`; throws UsageError where ids collide or a needed pattern is missing.
  Engine(std::vector<PatternHandle> patterns, const Definitions& definitions, const CallTree& call_tree,
         MetricTree& metrics, FocusFilter& focus);
  ~Engine() override;

  /// True if some pattern has event callbacks.
  bool wants_events() const { return (interests_ & interest_any_event) != 0; }
  /// Before the Linker is made.
  void set_rma_model(RmaModel model) { rma_model_ = model; }
  void connect(const merge::EventStore& store) { store_ = &store; }

  /// Configures and initialises all patterns.
  void init();
  void wrapup();

  MessageInterests message_interests() const override;
  void completed_receives(const CompletedReceives& receives, std::uint32_t call, bool sends_follow) override;
  void completed_sends(const CompletedSends& sends, std::uint32_t call) override;
  void watermark(ProcessId receiver, Time bound) override { overtaking_.watermark(receiver, bound); }
  void collective(const Collective& collective) override;
  void completed_collectives(const CompletedCollectives& completed) override;
  void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                              std::uint64_t bytes_received) override;
  void team_barrier(const TeamBarrier& barrier) override;
  void lock_acquired(const LockAcquired& acquired) override;
  bool watches_task_idle() const override { return !task_idle_.empty(); }
  void task_idle(const TaskIdle& idle) override;
  bool watches_devices() const override { return !device_waits_.empty(); }
  void device_wait(const DeviceWait& wait) override;
  void unused_threads(const UnusedThreads& unused) override;
  RmaInterests rma_interests() const override;
  void rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put, std::uint64_t bytes_got) override;
  void rma_operation(const RmaOperation& operation) override;
  void rma_collective(const RmaCollective& collective) override;
  void rma_access_epoch(const RmaAccessEpoch& epoch) override;
  void rma_exposure_epoch(const RmaExposureEpoch& epoch) override;
  void rma_lock_epoch(const RmaLockEpoch& epoch) override;
  void rma_passive_call(const RmaPassiveCall& passive) override;
  void rma_wait_change(const RmaWaitChange& change) override;
  void parallel_region(const link::ParallelRegion& region) override;
  void profile(LocationId location, CallPathId callpath, const replay::Profile& profile) override;
  void counter(CallPathId callpath, const replay::PathCounter& counter) override;
  void event(Position pos, EventType type) override;

  /// Makes metrics of the counters; before wrapup().
  std::vector<Counter> finish_counters() { return counters_.finish(metrics_, *severities_); }

  /// After wrapup(), once: of the chosen locations. Patterns see those of all, as the cause may lie outside.
  Severities take_severities();
  std::map<MetricIndex, WaitSummary> waits() { return books_.summaries(); }

 private:
  class PatternContext;

  template <class Callback, class Place>
  void each(const std::vector<std::size_t>& patterns, const char* callback, Callback&& call, Place&& place);
  template <class Callback, class Place>
  void one(std::size_t pattern, const char* callback, Callback&& call, Place&& place);
  [[noreturn]] void fail(std::size_t pattern, const char* callback, const std::string& place) const;
  std::string place(LocationId l, Time t) const;
  using EventCallback = void (Pattern::*)(const Event&, Context&);
  void give_event(Position pos, const std::vector<std::size_t>& patterns, EventCallback callback, const char* called);
  void overtaken(const Overtaken& overtaken, std::uint32_t watcher);
  void open_operation(std::size_t members);
  void close_operation();
  void publish(std::size_t pattern, const std::type_info& type, const void* data);
  void add(MetricIndex metric, CallPathId callpath, LocationId location, std::int64_t value) {
    if (focus_.has_callpath(callpath)) severities_->add(metric, callpath, location, value);
  }

  std::vector<PatternHandle> patterns_;
  std::vector<std::string> ids_;  ///< of the patterns
  const Definitions& definitions_;
  const CallTree& call_tree_;
  MetricTree& metrics_;
  FocusFilter& focus_;
  unsigned interests_ = 0;
  bool late_receives_only_ = true;  ///< all that have completed_sends_callback
  std::unique_ptr<Severities> severities_;
  WaitRecorder books_;
  CounterMetrics counters_;
  Overtaking overtaking_;
  struct CallNumber {
    std::uint32_t number = 0;
    bool operator==(const CallNumber&) const = default;
    std::uint64_t hash() const { return number * 0x9e3779b97f4a7c15u; }
  };
  util::FlatMap<CallNumber, Ticks> receive_waits_;  ///< of calls whose sends are still to be delivered
  Ticks receive_wait_ = 0;                          ///< of the call whose receives are being delivered
  std::size_t operation_members_ = 0;               ///< of the operation that is being delivered, 0 outside of one
  std::vector<std::unique_ptr<PatternContext>> contexts_;  ///< one a pattern
  std::vector<std::size_t> receives_, sends_, collectives_, completed_collectives_, enter_, exit_, send_, recv_, event_;
  std::vector<std::vector<std::size_t>> subscribers_;  ///< by pattern: those that need it and have published_callback
  std::vector<std::size_t> metric_,
      metric_or_event_;  ///< METRIC events: those with a callback, and with event_callback only
  std::vector<std::size_t> device_waits_;
  std::vector<std::size_t> team_barriers_, locks_, task_idle_, unused_threads_;
  std::vector<std::size_t> rma_operations_, rma_collectives_, rma_access_epochs_, rma_exposure_epochs_,
      rma_lock_epochs_, rma_passive_calls_, rma_wait_changes_;
  std::vector<MetricIndex> metric_of_class_;  ///< time, by RegionClass
  MetricIndex visits_ = 0, messages_sent_ = 0, empty_sends_ = 0, bytes_sent_ = 0, management_ = 0, fork_ = 0;
  MetricIndex collective_counts_[4] = {}, collective_bytes_out_ = 0, collective_bytes_in_ = 0;
  MetricIndex rma_counts_[3] = {}, bytes_put_ = 0, bytes_get_ = 0, syncs_active_ = 0, syncs_passive_ = 0;
  MetricIndex file_ops_ = 0, file_bytes_ = 0;
  Time event_time_ = 0;  ///< of the event that event callbacks are given
  bool in_event_ = false, in_wrapup_ = false;
  RmaModel rma_model_ = RmaModel::automatic;
  const merge::EventStore* store_ = nullptr;
};

}  // namespace waitstate::analysis

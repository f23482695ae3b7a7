// An analysis in parts: each has patterns and books of its own, and receives what is delivered about its processes. An
// operation of several processes belongs to the part of the location that the event names. At the end all parts become
// one: everything that a part keeps can be merged into another's, and the result is that of one part.
//
// Each of several workers delivers to a part of its own. With one worker there is one part outside of tests, which
// divide traces to show that parts change nothing.
#pragma once

#include <memory>
#include <vector>

#include "analysis/dispatch/dispatcher.hpp"
#include "analysis/metrics/profile_metrics.hpp"
#include "analysis/run.hpp"
#include "link/listener.hpp"

namespace waitstate::analysis {

struct Part {
  Part(const std::vector<PatternHandle>& patterns, const std::vector<std::vector<MetricIndex>>& pattern_metrics,
       RmaModel rma_model, const Definitions& definitions, const CallTree& call_tree, MetricTree& metrics,
       FocusFilter& focus)
      : run(definitions, call_tree, metrics, focus),
        profile_metrics(run),
        dispatcher(patterns, pattern_metrics, rma_model, run, profile_metrics) {}

  void merge(const std::vector<Part*>& others, std::size_t threads) {
    std::vector<Run*> runs;
    for (Part* const other : others) {
      dispatcher.merge(other->dispatcher);  // first: a pattern may have a rest to add to its own part
      profile_metrics.merge(other->profile_metrics);
      runs.push_back(&other->run);
    }
    run.join(runs, threads);
  }

  /// Brings what merge() takes to the same part of another process, which has nothing.
  template <class Archive>
  void travel(Archive& archive) {
    archive(run, profile_metrics, dispatcher);
  }

  Run run;
  ProfileMetrics profile_metrics;
  Dispatcher dispatcher;
};

class Parts final : public link::Listener {
 public:
  explicit Parts(const Definitions& definitions) : definitions_(definitions) {}

  void add(std::unique_ptr<Part> part) { parts_.push_back(std::move(part)); }
  std::size_t size() const { return parts_.size(); }
  Part& operator[](std::size_t part) { return *parts_[part]; }
  /// The one that becomes all.
  Part& first() { return *parts_.front(); }
  const Part& first() const { return *parts_.front(); }
  auto begin() const { return parts_.begin(); }
  auto end() const { return parts_.end(); }
  /// Merges all into the first, which is the only one afterwards. Call it when all messages have been delivered.
  void join(std::size_t threads) {
    for (const auto& part : parts_) part->run.overtaking.forget();
    std::vector<Part*> others;
    for (std::size_t i = parts_.size(); i-- > 1;) others.push_back(parts_[i].get());
    if (!others.empty()) first().merge(others, threads);
    parts_.resize(1);
  }

  // To whom linking delivers.
  link::Wanted wanted() const override { return first().dispatcher.wanted(); }
#define X(name, Type) \
  void name(const Type& event) override { at(event.where().location).name(event); }
  WAITSTATE_COMPOUND_EVENTS(X)
#undef X
  void watermark(ProcessId receiver, Time bound) override { at(receiver).watermark(receiver, bound); }
  void nonblocking_collective(const Call& started, CollectiveOp op, std::uint64_t bytes_sent,
                              std::uint64_t bytes_received) override {
    at(started.location).nonblocking_collective(started, op, bytes_sent, bytes_received);
  }
  void rma_started(const Call& call, RmaOperationKind kind, std::uint64_t bytes_put, std::uint64_t bytes_got) override {
    at(call.location).rma_started(call, kind, bytes_put, bytes_got);
  }
  void parallel_region(const link::ParallelRegion& region) override { at(region.location).parallel_region(region); }
  void work(const link::LocationWork& work) override { at(work.location).work(work); }
  void incomplete_part(const link::IncompletePart& part) override { at(part.call.location).incomplete_part(part); }
  // All parts have the same notes of causes.
  std::uint64_t steps(LocationId l, std::span<const replay::StepRecord> steps) override {
    return first().dispatcher.steps(l, steps);
  }
  void other_of_step(std::uint32_t step, std::uint64_t other) override {
    first().dispatcher.other_of_step(step, other);
  }
  void number_of_operation(std::uint64_t number) override { first().dispatcher.number_of_operation(number); }
  void operation_of_request(std::uint32_t step, const link::RequestedOperation& operation) override {
    first().dispatcher.operation_of_request(step, operation);
  }
  void number_of_step(std::uint32_t step, std::uint64_t number) override {
    first().dispatcher.number_of_step(step, number);
  }
  void profile(LocationId location, CallPathId callpath, const replay::Profile& profile) override {
    at(location).profile(location, callpath, profile);
  }
  void counter(CallPathId callpath, const replay::PathCounter& counter) override {
    at(counter.location).counter(callpath, counter);
  }

 private:
  /// Blocks of processes; locations without one are in the last part.
  Dispatcher& at(ProcessId process) {
    const std::size_t all = definitions_.processes.size();
    const std::size_t n =
        process.valid() && process.index() < all ? process.index() * parts_.size() / all : parts_.size() - 1;
    return parts_[n]->dispatcher;
  }
  Dispatcher& at(LocationId location) { return at(definitions_[location].process); }

  const Definitions& definitions_;
  std::vector<std::unique_ptr<Part>> parts_;
};

}  // namespace waitstate::analysis

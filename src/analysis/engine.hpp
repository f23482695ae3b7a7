// Runs patterns: gives each compound event and each event of the stream to those that want it, and keeps their books
// (severities, who made whom wait). One dispatch list a callback, made once: a callback that nobody overrides has an
// empty list and costs nothing. Called from one thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "trace/event_store.hpp"
#include "trace/flat_map.hpp"
#include "trace/linker.hpp"
#include "trace/merge.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::analysis {

class Engine : public trace::LinkListener, public trace::EventConsumer {
 public:
  /// Adds the patterns' metrics to `metrics`; throws UsageError where ids collide.
  Engine(std::vector<PatternHandle> patterns, const Definitions& definitions, const CallTree& call_tree,
         MetricTree& metrics);
  ~Engine() override;

  /// True if some pattern has event callbacks.
  bool wants_events() const { return (interests_ & interest_any_event) != 0; }
  void connect(trace::Linker& linker) { linker_ = &linker; }
  void connect(const trace::EventStore& store) { store_ = &store; }

  void init();
  void wrapup();

  void completed_receives(const CompletedReceives& receives) override;
  void completed_sends(const CompletedSends& sends) override;
  void overtaken(const Overtaken& overtaken) override;
  void event(Position pos, EventType type) override;

  Severities& severities() { return *severities_; }
  std::map<MetricIndex, WaitPairs> waits();

 private:
  class PatternContext;

  template <class Call, class Place>
  void each(const std::vector<std::size_t>& patterns, const char* callback, Call&& call, Place&& place);
  [[noreturn]] void fail(std::size_t pattern, const char* callback, const std::string& place) const;
  std::string place(LocationId l, Time t) const;

  struct PairKey {
    LocationId culprit, waiting;
    bool operator==(const PairKey&) const = default;
    std::uint64_t hash() const { return (std::uint64_t{culprit.value} << 32 | waiting.value) * 0x9e3779b97f4a7c15u; }
  };

  std::vector<PatternHandle> patterns_;
  const Definitions& definitions_;
  const CallTree& call_tree_;
  unsigned interests_ = 0;
  std::unique_ptr<Severities> severities_;
  std::vector<std::unique_ptr<PatternContext>> contexts_;  ///< one a pattern
  std::vector<std::size_t> receives_, sends_, overtaken_, enter_, exit_, send_, recv_, event_;
  trace::Linker* linker_ = nullptr;
  const trace::EventStore* store_ = nullptr;
  std::vector<trace::FlatMap<PairKey, WaitPair>> waits_;  ///< by metric
};

}  // namespace waitstate::analysis

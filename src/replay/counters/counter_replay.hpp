// Where a METRIC event stands: which call paths its values may belong to, and which segment. Which of them they do
// belong to, and what they add up to, is in replay/counters.hpp. A location without METRIC events has nothing of it; in
// a trace that defines no metrics, exits are not told.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "replay/call_stack.hpp"
#include "replay/counters/counters.hpp"

namespace waitstate::replay {

class CounterReplay {
 public:
  CounterReplay(const ReplayOptions& options, CallStack& stack)
      : options_(options),
        stack_(stack),
        wants_exits_(options.counters && !stack.context.definitions.metrics.empty()) {}

  /// Exits are to be told.
  bool wants_exits() const { return wants_exits_; }
  /// That call path was just left.
  void left(std::uint32_t callpath) { exit_ = {callpath, stack_.profiles.now(), stack_.context.stack_events()}; }
  void record(MetricId metric, std::span<const Value> values);
  /// Moves the sums of the open segment to the end of `to`; returns how many.
  std::uint32_t take_segment(std::vector<PathCounter>& to) {
    return counters_ ? counters_->take(stack_.activity.segment.number, to) : 0;
  }
  /// The sums outside of segments, to be taken once.
  std::vector<PathCounter> take_rest();
  /// See LocationCounters.
  std::vector<std::pair<MetricMemberId, CounterMoves>> take_moves();

 private:
  struct Exit {
    std::uint32_t callpath = 0;
    Time time = ~Time{0};
    std::uint64_t stack_events = 0;  ///< it included
  };

  CounterMoment moment();
  CounterPlace place(std::uint32_t callpath);

  const ReplayOptions& options_;
  CallStack& stack_;
  const bool wants_exits_;
  Exit exit_;                                   ///< the latest
  std::unique_ptr<LocationCounters> counters_;  ///< from the first METRIC event on, if asked for
};

}  // namespace waitstate::replay

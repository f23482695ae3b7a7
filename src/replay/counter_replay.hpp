// Which call path the values of a METRIC event belong to, and which segment; what they add up to is in
// replay/counters.hpp. A location without METRIC events has nothing of it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "replay/call_stack.hpp"
#include "replay/counters.hpp"

namespace waitstate::replay {

class CounterReplay {
 public:
  CounterReplay(const ReplayOptions& options, CallStack& stack) : options_(options), stack_(stack) {}

  void record(MetricId metric, std::span<const Value> values);
  /// Moves the sums of the open segment to the end of `to`; returns how many.
  std::uint32_t take_segment(std::vector<PathCounter>& to) {
    return counters_ ? counters_->take(stack_.activity.segment.number, to) : 0;
  }
  /// The sums outside of segments, to be taken once.
  std::vector<PathCounter> take_rest();

 private:
  const ReplayOptions& options_;
  CallStack& stack_;
  std::unique_ptr<LocationCounters> counters_;  ///< from the first METRIC event on, if asked for
};

}  // namespace waitstate::replay

// Time in which the recorder's measurement was switched off. Nobody knows what the location did then: it is no time of
// the regions that were open, and none of what a recorder may write in spite of it. From off to on - or to the last
// event - it is charged to the call path where the measurement was switched off, apart from that one's own time.
//
// Costs nothing but at the two events.
#pragma once

#include <cstdint>

#include "replay/call_stack.hpp"

namespace waitstate::replay {

class MeasurementSwitch {
 public:
  explicit MeasurementSwitch(CallStack& stack) : stack_(stack) {}

  void off();
  void on();
  /// No event follows; the regions are still open.
  void finish() { on(); }

 private:
  CallStack& stack_;
  std::uint32_t callpath_ = 0, segment_ = 0;  ///< where it was switched off; call path 0: outside of every region
};

}  // namespace waitstate::replay

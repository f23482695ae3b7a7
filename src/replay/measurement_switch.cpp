#include "replay/measurement_switch.hpp"

namespace waitstate::replay {

void MeasurementSwitch::off() {
  stack_.report(DiagnosticId::measurement_off);
  if (stack_.profiles.off()) return;
  const Activity& a = stack_.activity;
  callpath_ = a.current == a.base && !a.in_task() ? 0 : a.current;
  segment_ = a.segment.number;
  stack_.profiles.switch_off();
}

// The profiles of a segment that ended meanwhile have gone to linking: then the time belongs to where it goes on, as
// that of a segment that has begun.
void MeasurementSwitch::on() {
  if (!stack_.profiles.off()) return;
  const Ticks time = stack_.profiles.switch_on();
  if (time <= 0) return;
  const Activity& a = stack_.activity;
  if (segment_ != a.segment.number) callpath_ = a.current == a.base && !a.in_task() ? 0 : a.current;
  if (callpath_ == 0) {
    callpath_ = stack_.child_of(a.base, RegionId::none_value);
    if (a.in_segment()) stack_.profiles.touch(stack_.activity, callpath_);
  }
  Ticks& off = stack_.profiles.counted(callpath_).off;
  off = add_ticks(off, static_cast<std::uint64_t>(time));
}

}  // namespace waitstate::replay

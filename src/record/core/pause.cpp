#include "record/core/pause.hpp"

#include <algorithm>

#include "record/core/recorder.hpp"

namespace waitstate::record {

std::atomic<bool> paused{false};

namespace {

std::atomic<std::uint64_t> switched{0};

}  // namespace

void mute(Thread& t, bool off, std::uint64_t time) {
  t.last = t.events == 0 ? now() : std::max(t.last, time);  // a thread that is new was not there at the switch
  t.record_anyway(OTF2_EvtWriter_MeasurementOnOff, t.last, off ? OTF2_MEASUREMENT_OFF : OTF2_MEASUREMENT_ON);
  t.muted = off;
}

bool follow_switch(Thread& t) {
  const bool off = paused.load(std::memory_order_acquire);
  if (t.muted == off || t.depth != 0 || is_inside(t)) return false;
  mute(t, off, switched.load(std::memory_order_relaxed));
  return true;
}

void switch_recording(bool off) {
  if (paused.load() == off) return;
  switched.store(now(), std::memory_order_relaxed);
  paused.store(off, std::memory_order_release);
  Thread* const t = this_thread;
  if (t == nullptr || !t->begin_writing()) return;
  follow_switch(*t);
  t->end_writing();
}

}  // namespace waitstate::record

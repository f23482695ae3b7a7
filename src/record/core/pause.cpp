// Recording that the program switches off and on again: MPI_Pcontrol(0) and MPI_Pcontrol(1).
//
// The switch is one of the process; each thread follows it where nothing is open in it that has to be recorded as a
// whole: between its calls, and outside of parallel regions. A muted thread goes through its hooks as always, so that
// tables of requests, communicators and locks stay right, and drops its records. Both switches have a record of the
// thread, with the time of the switch or, if it was inside of something then, of the end of that.
//
// Always recorded: definitions, the creation and the end of communicators, windows and threads, and a call that
// completes what was started while recording was on. Regions of the program that were entered before a switch off have
// their leave; those that are entered while recording is off have no records at all.
//
// Cost: a load and a comparison a call, and a branch a record.
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
  t.switched = t.last;
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

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
#pragma once

#include <atomic>
#include <cstdint>

namespace waitstate::record {

struct Thread;

extern std::atomic<bool> paused;

/// Switches recording off or on, in the calling thread at once.
void switch_recording(bool off);

/// The thread, in which nobody else writes, is muted or no longer, from that time on or later.
void mute(Thread& thread, bool off, std::uint64_t time);
/// The thread, which is writing, does as the switch says, if nothing is open in it. True if that changed it. Inline:
/// see follow_pause() in recorder.hpp.
bool follow_switch(Thread& thread);

}  // namespace waitstate::record

#include "link/rma/polls/window_reads.hpp"

#include <utility>

namespace waitstate::link {

// True if no other recorded call lies between the latest one and this, or if it is that.
bool WindowReads::follows(const Reading& r, const Call& call) {
  return is_latest(r, call) || (r.any && call.previous.begin == r.latest.enter && call.previous.end == r.latest.exit);
}

void WindowReads::add_call(Reading& r, CallRef ref) {
  const Call& call = calls_[ref].call;
  if (is_latest(r, call)) return;
  r.any = true;
  r.latest = CallKey(call);
  calls_.keep(ref);
  r.calls.push_back(ref);
}

void WindowReads::forget(Reading& r) {
  for (const CallRef call : r.calls) calls_.release(call);
  r.calls.clear();
  if (r.started != none) calls_.release(std::exchange(r.started, none));
  r.any = false;
  ++r.loop;
}

bool WindowReads::reads(LocationId l, CallRef ref, RmaWinId win, LocationId target, std::uint64_t bytes, Time start) {
  Reading& r = reading_[l.index()];
  const Call& call = calls_[ref].call;
  const ReadMemory memory{win, definitions_[target].process, bytes, call.callpath};
  const bool goes_on = r.started == none && memory == r.memory && follows(r, call);
  if (!goes_on) forget(r);
  if (bytes == 0 || bytes > most_bytes || !memory.owner.valid()) return false;
  r.memory = memory;
  r.start = start;
  r.started = ref;
  calls_.keep(ref);
  add_call(r, ref);
  return goes_on;
}

void WindowReads::assists(LocationId l, CallRef ref) {
  Reading& r = reading_[l.index()];
  if (!r.any) return;
  if (!follows(r, calls_[ref].call)) return forget(r);
  add_call(r, ref);
}

Poll* WindowReads::completed(LocationId l, CallRef started, CallRef completed) {
  Reading& r = reading_[l.index()];
  if (r.started != started) return nullptr;
  assists(l, completed);
  if (r.started != started) return nullptr;
  calls_.release(std::exchange(r.started, none));
  poll_.memory = r.memory, poll_.loop = r.loop, poll_.start = r.start;
  poll_.calls.clear();
  poll_.calls.swap(r.calls);
  return &poll_;
}

void WindowReads::breaks(LocationId l) {
  if (Reading& r = reading_[l.index()]; r.any) forget(r);
}

void WindowReads::finish() {
  for (std::size_t l = 0; l < reading_.size(); ++l)
    if (std::as_const(reading_)[l].any) forget(reading_[l]);
}

}  // namespace waitstate::link

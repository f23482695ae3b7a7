#include "link/threads/locks.hpp"

#include <algorithm>

namespace waitstate::link {

// Locations without a process count as one.
Locks::Locks(const Definitions& definitions, const Processes& processes, Calls& calls, Listener* listener)
    : definitions_(definitions),
      processes_(processes),
      calls_(calls),
      listener_(listener),
      steps_(processes.size()),
      threads_(processes.locations()) {}

void Locks::add(LocationId l, const replay::TeamRecord& r, std::uint32_t call) {
  if (listener_ == nullptr) return;
  const std::uint64_t lock = std::uint64_t{static_cast<std::uint8_t>(r.paradigm)} << 32 | r.lock;
  const std::uint64_t process = std::uint64_t{definitions_[l].process.value} << 32;
  Held& held = held_.find_or_insert({lock, l.value}, [](const Held& h) { return h.depth != 0; });
  if (r.kind == replay::TeamRecord::Kind::acquire) {
    held.last = r.order;
    if (held.depth++ == 0 && r.order != 0) add_step(l, true, {lock, process | (r.order - 1)}, call, r.time);
  } else {
    if (held.depth == 0) held = {1, r.order};  // acquired before the trace began
    if (--held.depth == 0) add_step(l, false, {lock, process | held.last}, call, r.time);
  }
}

void Locks::add_step(LocationId l, bool acquires, const LockKey& key, std::uint32_t call, Time t) {
  calls_.keep(call);
  steps_[processes_.of(l).index()].push({t, acquires, l, sequence_++, key, call});
}

void Locks::processed(LocationId l, Time until, bool last) {
  threads_[l.index()] = {until, last};
  const ProcessId process = processes_.of(l);
  if (std::as_const(steps_)[process.index()].empty()) return;
  Time bound = ~Time{0};
  bool all_ended = true;
  for (const LocationId t : processes_.all(process)) {
    if (definitions_[t].type != LocationType::cpu_thread) continue;
    const Thread& thread = std::as_const(threads_)[t.index()];
    if (thread.ended) continue;
    bound = std::min(bound, thread.processed);
    all_ended = false;
  }
  take_steps(process, bound, all_ended);
}

void Locks::finish() {
  for (std::size_t p = 0; p < processes_.size(); ++p) take_steps(ProcessId{p}, 0, true);
  // Whoever has the first number waits for nobody.
  pairs_.for_each([&](const LockKey& key, const Pair& p) {
    if (p.acquired != none && static_cast<std::uint32_t>(key.who) != 0)
      tell_of_lack(listener_, replay::WorkMark::Kind::without_part, calls_[p.acquired].call);
  });
}

std::vector<HeldThreadLock> Locks::held() const {
  std::vector<HeldThreadLock> all;
  held_.for_each([&](const LockKey& key, const Held& h) {
    if (h.depth != 0)
      all.push_back({LocationId{static_cast<std::size_t>(key.who)}, static_cast<Paradigm>(key.lock >> 32),
                     static_cast<std::uint32_t>(key.lock)});
  });
  std::sort(all.begin(), all.end());
  return all;
}

// Records that are still to come have that time or a later one.
void Locks::take_steps(ProcessId process, Time before, bool all) {
  if (std::as_const(steps_)[process.index()].empty()) return;
  std::priority_queue<Step>& steps = steps_[process.index()];
  while (!steps.empty() && (all || steps.top().time < before)) {
    const Step step = steps.top();
    steps.pop();
    match(step);
    calls_.release(step.call);
  }
}

void Locks::match(const Step& step) {
  Pair& m = pairs_.find_or_insert(step.key);
  // A number that comes twice.
  std::uint32_t& mine = step.acquires ? m.acquired : m.released;
  if (mine != none) calls_.release(mine);
  mine = step.call;
  calls_.keep(mine);
  (step.acquires ? m.acquire_time : m.release_time) = step.time;
  if (m.acquired == none || m.released == none) return;
  const Pair pair = m;
  pairs_.erase(step.key);
  const Call& call = calls_[pair.acquired].call;
  const Call& before = calls_[pair.released].call;
  if (call.location != before.location) listener_->lock_acquired({call, pair.acquire_time, before, pair.release_time});
  calls_.release(pair.acquired);
  calls_.release(pair.released);
}

}  // namespace waitstate::link

#include "link/threads/locks.hpp"

#include <algorithm>

namespace waitstate::link {

// Locations without a process count as one.
Locks::Locks(const Definitions& definitions, Calls& calls, Listener* listener)
    : definitions_(definitions),
      calls_(calls),
      listener_(listener),
      processes_(definitions.processes.size() + 1),
      processed_(definitions.locations.size()) {
  for (std::size_t i = 0; i < processed_.size(); ++i)
    if (definitions.locations[i].type == LocationType::cpu_thread)
      process_of(LocationId{i}).threads.push_back(LocationId{i});
}

Locks::Process& Locks::process_of(LocationId l) {
  const ProcessId p = definitions_[l].process;
  return p.valid() ? processes_[p.index()] : processes_.back();
}

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
  process_of(l).steps.push({t, acquires, l, sequence_++, key, call});
}

void Locks::processed(LocationId l, Time until, bool last) {
  processed_[l.index()] = until;
  Process& process = process_of(l);
  if (last) std::erase(process.threads, l);
  if (process.steps.empty()) return;
  Time bound = ~Time{0};
  for (LocationId t : process.threads) bound = std::min(bound, processed_[t.index()]);
  take_steps(process, bound);
}

void Locks::finish() {
  for (Process& process : processes_) {
    process.threads.clear();
    take_steps(process, ~Time{0});
  }
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

// Records that are still to come have that time or a later one; without threads, none are to come.
void Locks::take_steps(Process& process, Time before) {
  while (!process.steps.empty() && (process.threads.empty() || process.steps.top().time < before)) {
    const Step step = process.steps.top();
    process.steps.pop();
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

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
    if (held.depth++ == 0 && r.order != 0) wait_for_turn(l, true, {lock, process | (r.order - 1)}, call, r.time);
  } else {
    if (held.depth == 0) held = {1, r.order};  // acquired before the trace began
    if (--held.depth == 0) wait_for_turn(l, false, {lock, process | held.last}, call, r.time);
  }
}

void Locks::wait_for_turn(LocationId l, bool acquires, const Key& key, std::uint32_t call, Time t) {
  calls_.hold(call);
  process_of(l).turns.push({t, acquires, l, sequence_++, key, call});
}

void Locks::processed(LocationId l, Time until, bool last) {
  processed_[l.index()] = until;
  Process& process = process_of(l);
  if (last) std::erase(process.threads, l);
  if (process.turns.empty()) return;
  Time bound = ~Time{0};
  for (LocationId t : process.threads) bound = std::min(bound, processed_[t.index()]);
  take_turns(process, bound);
}

void Locks::finish() {
  for (Process& process : processes_) {
    process.threads.clear();
    take_turns(process, ~Time{0});
  }
}

// What is still to come is of that time or later; if there are no threads, nothing is.
void Locks::take_turns(Process& process, Time before) {
  while (!process.turns.empty() && (process.threads.empty() || process.turns.top().time < before)) {
    const Turn turn = process.turns.top();
    process.turns.pop();
    meet(turn);
    calls_.drop(turn.call);
  }
}

void Locks::meet(const Turn& turn) {
  Meeting& m = meetings_.find_or_insert(turn.key);
  // A number that comes twice.
  std::uint32_t& mine = turn.acquires ? m.acquired : m.released;
  if (mine != none) calls_.drop(mine);
  mine = turn.call;
  calls_.hold(mine);
  (turn.acquires ? m.acquire_time : m.release_time) = turn.time;
  if (m.acquired == none || m.released == none) return;
  const Meeting met = m;
  meetings_.erase(turn.key);
  const Call& call = calls_[met.acquired].call;
  const Call& before = calls_[met.released].call;
  if (call.location != before.location) listener_->lock_acquired({call, met.acquire_time, before, met.release_time});
  calls_.drop(met.acquired);
  calls_.drop(met.released);
}

}  // namespace waitstate::link

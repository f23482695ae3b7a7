#include "causes/ideal/epochs.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::causes {

std::uint32_t IdealEpochs::unlocks(const IdealCall& call, Time release_time) {
  const std::uint32_t g = stands(call);
  gates_[g].own = gift(call);
  gates_[g].release_time = release_time;
  return g;
}

void IdealEpochs::epoch(const IdealCall& stands_at, Time until, const IdealCall& own,
                        std::span<const IdealCall> partners) {
  const std::uint32_t g = announced(stands_at);
  for (const IdealCall& partner : partners)
    if (partner.enter < until)
      needs(g, partner, partner.enter);
    else if (!is_forgotten(partner))
      name(gift(partner));
  if (is_forgotten(own)) return;
  const std::uint32_t given = gift(own);
  gifts_[given].users = static_cast<std::int64_t>(partners.size());
  close_if_used(given);
}

void IdealEpochs::waited(const IdealCall& call, bool is_gate, std::span<const Release> releases) {
  if (!is_gate) {
    for (const Release& r : releases) carry(call.location, r);
    return;
  }
  const std::uint32_t g = announced(call);
  if (call.does == IdealCall::unlocks)
    if (const auto carried = carried_.find(call.location); carried != carried_.end()) {
      for (const Release& r : carried->second) needs(g, r.by, r.time);
      carried_.erase(carried);
    }
  for (const Release& r : releases) needs(g, r.by, r.time);
}

void IdealEpochs::give(LocationId l, std::uint32_t number) {
  Gift& gift = gifts_[number];
  gift.at = clocks_.now(l), gift.is_given = true;
  for (const LocationId w : gift.waiting) clocks_.wake(w);
  gift.waiting.clear();
  if (close_if_used(number)) return;
  kept_.emplace(gift.serial, number);
  if (kept_.size() > most_kept) forget(kept_.begin()->second);
}

bool IdealEpochs::passes(LocationId l, const IdealStep& step) {
  Gate& g = gates_[step.number];
  if (!g.is_announced) return false;
  // A lock is free before what its unlock still had to wait for, if that came after the record of the release.
  if (!has(
          l, g, [&](const Need& n) { return g.own == nothing || n.time < g.release_time; }, step.callpath))
    return false;
  if (g.own != nothing) give(l, std::exchange(g.own, nothing));
  if (!has(
          l, g, [](const Need&) { return true; }, step.callpath))
    return false;
  drop_gate(step.number);
  return true;
}

void IdealEpochs::give_up(const IdealStep& step) {
  Gate& g = gates_[step.number];
  if (const std::uint32_t own = std::exchange(g.own, nothing); own != nothing) give(g.call.location, own);
  if (!g.is_announced) forget_half(step.number);
  drop_gate(step.number);
}

// If there are too many, the oldest is dropped: locks are released one after the other, so the last ones matter.
void IdealEpochs::carry(LocationId l, const Release& release) {
  std::vector<Release>& carried = carried_[l];
  if (carried.size() == most_carried) carried.erase(carried.begin()), ++forgotten_needs_;
  carried.push_back(release);
}

// The record or the epoch of a gate: of those of the same call that have the other half only the first, or a new one.
std::uint32_t IdealEpochs::gate(const IdealCall& call, bool is_record) {
  std::vector<std::uint32_t>& halves = halves_[call];
  if (!halves.empty() && gates_[halves.front()].is_recorded != is_record) {
    const std::uint32_t g = halves.front();
    halves.erase(halves.begin());
    if (halves.empty()) halves_.erase(call);
    orphans_.erase(gates_[g].serial);
    gates_[g].is_recorded = true;
    return g;
  }
  const std::uint32_t g = take_unused(gates_, free_gates_);
  halves.push_back(g);
  gates_[g].call = call, gates_[g].serial = ++serial_, gates_[g].is_recorded = is_record;
  return g;
}

std::uint32_t IdealEpochs::announced(const IdealCall& call) {
  const std::uint32_t number = gate(call, false);
  Gate& g = gates_[number];
  g.is_announced = true;
  clocks_.wake(call.location);
  if (!g.is_recorded) orphans_.emplace(g.serial, number);
  if (orphans_.size() > most_orphans) {
    const std::uint32_t oldest = orphans_.begin()->second;
    forget_half(oldest);
    drop_gate(oldest);
  }
  return number;
}

void IdealEpochs::forget_half(std::uint32_t number) {
  const auto found = halves_.find(gates_[number].call);
  if (found == halves_.end()) return;
  std::erase(found->second, number);
  if (found->second.empty()) halves_.erase(found);
}

void IdealEpochs::drop_gate(std::uint32_t number) {
  Gate& g = gates_[number];
  for (const Need& n : g.needs) release(n.gift);
  g.needs.clear();
  orphans_.erase(g.serial);
  free_gates_.push_back(number);
}

void IdealEpochs::needs(std::uint32_t gate_number, const IdealCall& call, Time time) {
  if (is_forgotten(call)) {
    ++forgotten_needs_;
    return;
  }
  const std::uint32_t number = gift(call);
  ++gifts_[number].needed;
  gates_[gate_number].needs.push_back({number, time});
  name(number);
}

bool IdealEpochs::is_forgotten(const IdealCall& call) const {
  const auto latest = forgotten_.find(call.location);
  return latest != forgotten_.end() && call.enter <= latest->second && gift_of_.find(call) == gift_of_.end();
}

std::uint32_t IdealEpochs::gift(const IdealCall& call) {
  const auto [found, is_new] = gift_of_.emplace(call, 0);
  if (is_new) {
    found->second = take_unused(gifts_, free_gifts_);
    gifts_[found->second].call = call, gifts_[found->second].serial = ++serial_;
  }
  return found->second;
}

void IdealEpochs::name(std::uint32_t number) {
  ++gifts_[number].named;
  close_if_used(number);
}

bool IdealEpochs::close_if_used(std::uint32_t number) {
  const Gift& gift = gifts_[number];
  if (!gift.is_given || gift.is_closed || gift.users < 0 || gift.named < gift.users) return false;
  close(number);
  return true;
}

void IdealEpochs::forget(std::uint32_t number) {
  Time& latest = forgotten_[gifts_[number].call.location];
  latest = std::max(latest, gifts_[number].call.enter);
  close(number);
}

void IdealEpochs::close(std::uint32_t number) {
  Gift& gift = gifts_[number];
  gift.is_closed = true;
  kept_.erase(gift.serial);
  gift_of_.erase(gift.call);
  if (gift.needed == 0) free_gifts_.push_back(number);
}

void IdealEpochs::release(std::uint32_t number) {
  Gift& gift = gifts_[number];
  if (--gift.needed == 0 && gift.is_closed) free_gifts_.push_back(number);
}
}  // namespace waitstate::causes

// Epochs and locks of one-sided communication on an ideal machine. A call gives something to others - MPI_Win_post and
// MPI_Win_complete when they are reached, MPI_Win_unlock when the lock is free - or stands at a gate until others have
// given what it needs: MPI_Win_complete the posts of its targets, MPI_Win_wait the completions of its origins,
// MPI_Win_lock and MPI_Win_unlock the locks that they waited for.
//
// A gate or gift is known by the location, what its call does, on which window, and the call's enter. The record in the
// stream and the epoch that names it come in any order; whichever comes first makes it. Who needs a gift is not known
// before all epochs that name it have come: how many, the gift's own epoch tells; of an unlock nobody knows, so the
// last `most_kept` are remembered.
//
// Invariant: what a gate needs was there when the call was left. Cost: a look-up for each call and each partner.
// Memory: epochs that are open somewhere, and `most_kept` gifts of 200 bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causes/ideal/clocks.hpp"

namespace waitstate::causes {

/// A call of one-sided communication.
struct IdealCall {
  enum Does : std::uint8_t { posts, completes, waits, locks, unlocks } does;
  LocationId location;
  RmaWinId win;  ///< none of a lock
  Time enter = 0;
  bool operator==(const IdealCall&) const = default;
};

class IdealEpochs {
 public:
  static constexpr std::uint32_t nothing = IdealClocks::nothing;
  static constexpr std::size_t most_kept = std::size_t{1} << 16, most_carried = 1024;

  explicit IdealEpochs(IdealClocks& clocks) : clocks_(clocks) {}

  void clear() {
    gates_.clear(), gifts_.clear(), free_gates_.clear(), free_gifts_.clear();
    halves_.clear(), gift_of_.clear(), kept_.clear(), orphans_.clear(), carried_.clear();
    serial_ = 0, forgotten_ = 0, given_up_ = 0;
  }

  // ---- records: the number of what the call's step is about ----

  std::uint32_t gives(const IdealCall& call) { return gift(call); }
  std::uint32_t stands(const IdealCall& call) { return gate(call, true); }
  /// The same of a call that releases a lock at that time.
  std::uint32_t unlocks(const IdealCall& call, Time release_time) {
    const std::uint32_t g = stands(call);
    gates_[g].own = gift(call);
    gates_[g].release_time = release_time;
    return g;
  }

  // ---- epochs ----

  /// A call that stands until its partners have come to calls of their own, those that were entered before `until`.
  /// `call_of(partner)` tells which call that is. The epoch also tells how many will name what its call `own` gives.
  template <class Partners, class CallOf>
  void epoch(const IdealCall& stands_at, Time until, const IdealCall& own, const Partners& partners, CallOf&& call_of) {
    const std::uint32_t g = announced(stands_at);
    for (const auto& partner : partners) {
      const IdealCall call = call_of(partner);
      if (call.enter < until)
        needs(g, call, call.enter);
      else if (const auto found = gift_of_.find(call); found != gift_of_.end() || call.enter > forgotten_)
        name(gift(call));
    }
    if (own.enter <= forgotten_ && gift_of_.find(own) == gift_of_.end()) return;
    const std::uint32_t given = gift(own);
    gifts_[given].users = static_cast<std::int64_t>(partners.size());
    close_if_used(given);
  }
  /// A call under a lock, at whose end it was the last that another one had released.
  struct Release {
    IdealCall by;
    Time time;
  };
  /// Of a location in the order of its calls. What others than those that lock and unlock waited for, the unlock needs.
  void waited(const IdealCall& call, bool is_gate, bool unlocks, const Release* release) {
    if (!is_gate) {
      if (release != nullptr) carry(call.location, *release);
      return;
    }
    const std::uint32_t g = announced(call);
    if (unlocks)
      if (const auto carried = carried_.find(call.location); carried != carried_.end()) {
        for (const Release& r : carried->second) needs(g, r.by, r.time);
        carried_.erase(carried);
      }
    if (release != nullptr) needs(g, release->by, release->time);
  }

  // ---- steps ----

  void give(LocationId l, std::uint32_t number) {
    Gift& gift = gifts_[number];
    gift.at = clocks_.now(l), gift.is_given = true;
    for (const LocationId w : gift.waiting) clocks_.wake(w);
    gift.waiting.clear();
    if (close_if_used(number)) return;
    kept_.emplace(gift.serial, number);
    if (kept_.size() > most_kept) forget(kept_.begin()->second);
  }
  bool passes(LocationId l, const IdealStep& step) {
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

  bool is_unknown(const IdealStep& step) const { return !gates_[step.number].is_announced; }
  /// A step at a gate goes on without.
  void give_up(const IdealStep& step) {
    ++given_up_;
    Gate& g = gates_[step.number];
    if (const std::uint32_t own = std::exchange(g.own, nothing); own != nothing) give(g.call.location, own);
    if (!g.is_announced) forget_half(step.number);
    drop_gate(step.number);
  }
  std::int64_t given_up() const { return given_up_; }

 private:
  struct Need {
    std::uint32_t gift;
    Time time;  ///< recorded
  };
  struct Gate {
    IdealCall call;
    std::uint64_t serial = 0;
    bool is_recorded = false, is_announced = false;
    std::uint32_t own = nothing;  ///< of an unlock: what it gives
    Time release_time = 0;
    std::vector<Need> needs{};
  };
  struct Gift {
    IdealCall call;
    std::uint64_t serial = 0;
    Time at = 0;  ///< ideal
    bool is_given = false, is_closed = false;
    std::int64_t users = -1, named = 0;  ///< how many epochs will name it, if that is known; and have done so
    std::uint32_t needed = 0;            ///< by gates
    std::vector<LocationId> waiting{};
  };
  struct HashOfCall {
    std::size_t operator()(const IdealCall& c) const {
      const std::uint64_t h =
          (c.enter ^ std::uint64_t{c.location.value} << 32 ^ (std::uint64_t{c.win.value} << 3 | c.does)) *
          0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };

  // Of many the last matter, as locks are released one after the other.
  void carry(LocationId l, const Release& release) {
    std::vector<Release>& carried = carried_[l];
    if (carried.size() == most_carried) carried.erase(carried.begin()), ++given_up_;
    carried.push_back(release);
  }

  // The record or the epoch of a gate: of those of the same call that have the other half only the first, or a new one.
  std::uint32_t gate(const IdealCall& call, bool is_record) {
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
  std::uint32_t announced(const IdealCall& call) {
    const std::uint32_t number = gate(call, false);
    Gate& g = gates_[number];
    g.is_announced = true;
    clocks_.wake(call.location);
    if (!g.is_recorded) orphans_.emplace(g.serial, number);
    if (orphans_.size() > IdealClocks::most_pending) {
      const std::uint32_t oldest = orphans_.begin()->second;
      forget_half(oldest);
      drop_gate(oldest);
    }
    return number;
  }
  void forget_half(std::uint32_t number) {
    const auto found = halves_.find(gates_[number].call);
    if (found == halves_.end()) return;
    std::erase(found->second, number);
    if (found->second.empty()) halves_.erase(found);
  }
  void drop_gate(std::uint32_t number) {
    Gate& g = gates_[number];
    for (const Need& n : g.needs) release(n.gift);
    g.needs.clear();
    orphans_.erase(g.serial);
    free_gates_.push_back(number);
  }
  void needs(std::uint32_t gate_number, const IdealCall& call, Time time) {
    if (call.enter <= forgotten_ && gift_of_.find(call) == gift_of_.end()) {
      ++given_up_;
      return;
    }
    const std::uint32_t number = gift(call);
    ++gifts_[number].needed;
    gates_[gate_number].needs.push_back({number, time});
    name(number);
  }
  /// Waits for those needs; false if some of them are still to come.
  template <class Which>
  bool has(LocationId l, Gate& g, Which&& which, CallPathId callpath) {
    Time until = 0;
    for (const Need& n : g.needs) {
      if (!which(n)) continue;
      Gift& gift = gifts_[n.gift];
      if (!gift.is_given) {
        if (gift.waiting.empty() || gift.waiting.back() != l) gift.waiting.push_back(l);
        return false;
      }
      until = std::max(until, gift.at);
    }
    clocks_.wait(l, until, callpath);
    return true;
  }

  std::uint32_t gift(const IdealCall& call) {
    const auto [found, is_new] = gift_of_.emplace(call, 0);
    if (is_new) {
      found->second = take_unused(gifts_, free_gifts_);
      gifts_[found->second].call = call, gifts_[found->second].serial = ++serial_;
    }
    return found->second;
  }
  void name(std::uint32_t number) {
    ++gifts_[number].named;
    close_if_used(number);
  }
  bool close_if_used(std::uint32_t number) {
    const Gift& gift = gifts_[number];
    if (!gift.is_given || gift.is_closed || gift.users < 0 || gift.named < gift.users) return false;
    close(number);
    return true;
  }
  void forget(std::uint32_t number) {
    forgotten_ = std::max(forgotten_, gifts_[number].call.enter);
    close(number);
  }
  /// No other epoch will name it.
  void close(std::uint32_t number) {
    Gift& gift = gifts_[number];
    gift.is_closed = true;
    kept_.erase(gift.serial);
    gift_of_.erase(gift.call);
    if (gift.needed == 0) free_gifts_.push_back(number);
  }
  void release(std::uint32_t number) {
    Gift& gift = gifts_[number];
    if (--gift.needed == 0 && gift.is_closed) free_gifts_.push_back(number);
  }

  IdealClocks& clocks_;
  std::vector<Gate> gates_;
  std::vector<Gift> gifts_;
  std::vector<std::uint32_t> free_gates_, free_gifts_;
  std::unordered_map<IdealCall, std::vector<std::uint32_t>, HashOfCall> halves_;  ///< gates without record or epoch
  std::unordered_map<IdealCall, std::uint32_t, HashOfCall> gift_of_;
  std::map<std::uint64_t, std::uint32_t> kept_;     ///< gifts that somebody may still name, by serial number
  std::map<std::uint64_t, std::uint32_t> orphans_;  ///< gates without a record
  std::unordered_map<LocationId, std::vector<Release>, std::hash<LocationId>> carried_;
  std::uint64_t serial_ = 0;
  Time forgotten_ = 0;  ///< enter of the latest call whose gift was forgotten
  std::int64_t given_up_ = 0;
};

}  // namespace waitstate::causes

// Epochs and locks of one-sided communication on an ideal machine. A call gives something to others - MPI_Win_post and
// MPI_Win_complete when they are reached, MPI_Win_unlock when the lock is free - or stands at a gate until others have
// given what it needs: MPI_Win_complete the posts of its targets, MPI_Win_wait the completions of its origins,
// MPI_Win_lock and MPI_Win_unlock the locks that they waited for.
//
// A gate or gift is known by the location, what its call does, on which window, and the call's enter and number. The
// location's step and the epoch that names it come in any order; whichever comes first makes it. Who needs a gift is
// not known before all epochs that name it have come: how many, the gift's own epoch tells; of an unlock nobody knows,
// so the last `most_kept` are remembered.
//
// Invariant: what a gate needs was there when the call was left. Cost: a look-up for each call and each partner.
// Memory: epochs that are open somewhere, and `most_kept` gifts of 200 bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causes/ideal/clocks.hpp"
#include "waitstate/pattern/rma.hpp"

namespace waitstate::causes {

/// A call of one-sided communication.
struct IdealCall {
  enum Does : std::uint8_t { posts, completes, waits, locks, unlocks } does;
  LocationId location;
  RmaWinId win;  ///< none of a lock
  Time enter = 0;
  std::uint16_t number = 0;  ///< as in Call: several may be entered at one time
  bool operator==(const IdealCall&) const = default;
};

class IdealEpochs {
 public:
  static constexpr std::uint32_t nothing = IdealClocks::nothing;
  static constexpr std::size_t most_kept = std::size_t{1} << 16, most_carried = 1024;
  static constexpr std::size_t most_orphans = std::size_t{1} << 18;

  explicit IdealEpochs(IdealClocks& clocks) : clocks_(clocks) {}

  // ---- steps: the number of what the call's step is about ----

  std::uint32_t gives(const IdealCall& call) { return gift(call); }
  std::uint32_t stands(const IdealCall& call) { return gate(call, true); }
  /// Like stands(), for a call that releases a lock at that time.
  std::uint32_t unlocks(const IdealCall& call, Time release_time);

  // ---- epochs ----

  /// A call that stands until its partners have come to these calls of theirs, if they were entered before `until`. The
  /// epoch also tells how many will name what its call `own` gives.
  void epoch(const IdealCall& stands_at, Time until, const IdealCall& own, std::span<const IdealCall> partners);
  /// The last release of a lock before the end of a call that waited for it.
  struct Release {
    IdealCall by;
    Time time;
    bool operator==(const Release&) const = default;
    bool operator<(const Release& o) const {
      const auto order = [](const Release& r) {
        return std::tuple(r.time, r.by.location, r.by.enter, r.by.number, r.by.does);
      };
      return order(*this) < order(o);
    }
  };
  /// For the calls of a location in their order. What others than those that lock and unlock waited for, the unlock
  /// needs.
  void waited(const IdealCall& call, bool is_gate, std::span<const Release> releases);

  // ---- steps ----

  void give(LocationId l, std::uint32_t number);
  bool passes(LocationId l, const IdealStep& step);

  bool is_unknown(const IdealStep& step) const { return !gates_[step.number].is_announced; }
  /// Gates that have been announced, and to which their locations have not come.
  std::size_t announced_ahead() const { return orphans_.size(); }
  /// A step at a gate goes on without.
  void give_up(const IdealStep& step);
  /// How often a call waited for something that was forgotten.
  std::int64_t forgotten_needs() const { return forgotten_needs_; }

 private:
  struct Need {
    std::uint32_t gift;
    Time time;  ///< recorded
  };
  struct Gate {
    IdealCall call;
    std::uint64_t serial = 0;
    bool is_recorded = false, is_announced = false;
    std::uint32_t own = nothing;  ///< the gift of an unlock
    Time release_time = 0;
    std::vector<Need> needs{};
  };
  struct Gift {
    IdealCall call;
    std::uint64_t serial = 0;
    IdealTime at{};
    bool is_given = false, is_closed = false;
    std::int64_t users = -1, named = 0;  ///< how many epochs will name it, if that is known; and have done so
    std::uint32_t needed = 0;            ///< by gates
    std::vector<LocationId> waiting{};
  };
  struct HashOfCall {
    std::size_t operator()(const IdealCall& c) const {
      const std::uint64_t h = (c.enter ^ std::uint64_t{c.number} << 48 ^ std::uint64_t{c.location.value} << 32 ^
                               (std::uint64_t{c.win.value} << 3 | c.does)) *
                              0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };

  void carry(LocationId l, const Release& release);

  std::uint32_t gate(const IdealCall& call, bool is_record);
  std::uint32_t announced(const IdealCall& call);
  void forget_half(std::uint32_t number);
  void drop_gate(std::uint32_t number);
  void needs(std::uint32_t gate_number, const IdealCall& call, Time time);
  /// Waits for those needs; false if some of them are still to come.
  template <class Which>
  bool has(LocationId l, Gate& g, Which&& which, CallPathId callpath) {
    IdealTime until{};
    for (const Need& n : g.needs) {
      if (!which(n)) continue;
      Gift& gift = gifts_[n.gift];
      if (!gift.is_given) {
        if (gift.waiting.empty() || gift.waiting.back() != l) gift.waiting.push_back(l);
        return false;
      }
      until.advance(gift.at);
    }
    clocks_.wait(l, until, callpath);
    return true;
  }

  bool is_forgotten(const IdealCall& call) const;
  std::uint32_t gift(const IdealCall& call);
  void name(std::uint32_t number);
  bool close_if_used(std::uint32_t number);
  void forget(std::uint32_t number);
  /// No other epoch will name it.
  void close(std::uint32_t number);
  void release(std::uint32_t number);

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
  std::unordered_map<LocationId, Time> forgotten_;  ///< enter of the latest call whose gift was forgotten
  std::int64_t forgotten_needs_ = 0;
};

}  // namespace waitstate::causes

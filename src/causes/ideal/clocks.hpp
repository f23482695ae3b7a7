// The clocks of an ideal machine: what all kinds of communication share in the replay (part.hpp).
//
// A location's clock runs with the recorded time outside of MPI, and stands still in it. What a location needs of
// others is a step. A location whose step needs what is not known yet on the ideal machine stands there; who makes that
// known wakes it. Of those that do not stand, the one goes on that is least far, in the time since its process began,
// for some records at a time: so locations stay close together, and little is open at once.
//
// Invariant: no clock is later than the recorded time, if no step needs what was not there when it happened.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "waitstate/trace/ids.hpp"

namespace waitstate::causes {

struct IdealStep {
  enum Kind : std::uint8_t {
    receive,  ///< needs a message
    finish,   ///< needs other members of a collective operation, which it has begun before
    meet,     ///< needs them, and comes to it
    pass      ///< needs something of one-sided communication
  } kind = receive;
  std::uint32_t number = 0;  ///< the number of the message, the membership, or the gate
  CallPathId callpath{};
};

/// A time on the ideal machine.
struct IdealTime {
  Time at = 0;
  bool is_certain = true;  ///< false: there it may be later, since somebody went on without what he needed

  /// The later one of two.
  void advance(const IdealTime& to) { at = std::max(at, to.at), is_certain = is_certain && to.is_certain; }
};

/// Takes an element that is not in use.
template <class T>
std::uint32_t take_unused(std::vector<T>& all, std::vector<std::uint32_t>& unused) {
  if (unused.empty()) {
    all.emplace_back();
    return static_cast<std::uint32_t>(all.size() - 1);
  }
  const std::uint32_t number = unused.back();
  unused.pop_back();
  all[number] = T();
  return number;
}

/// Where a location is.
struct alignas(128) IdealPlace {
  Time ideal = 0;
  Time process_begins = 0, recorded = 0;
  Ticks outside = 0;
  IdealStep step{};
  bool has_step = false;
  bool is_certain = true;  ///< false: the ideal clock may be later (IdealTime)
  bool stands = false;
};

class IdealClocks {
 public:
  static constexpr std::uint32_t nothing = 0xffffffffu;

  /// `places`: by location; only some of them are looked at.
  explicit IdealClocks(std::span<IdealPlace> places) : places_(places) {}

  // ---- a location ----

  /// It begins at that time.
  void begin(LocationId l, Time at) { places_[l.index()].ideal = at; }
  /// It comes to a record: so long it has been outside of MPI since it began.
  void move(LocationId l, Time at, Ticks outside) {
    IdealPlace& place = places_[l.index()];
    place.ideal += static_cast<Time>(outside - place.outside);
    place.outside = outside;
    place.recorded = at;
  }
  /// The record is a step.
  void push(LocationId l, const IdealStep& step) {
    places_[l.index()].step = step;
    places_[l.index()].has_step = true;
  }
  /// The step that it does next; null if it has done what its record is.
  const IdealStep* step(LocationId l) const {
    const IdealPlace& place = places_[l.index()];
    return place.has_step ? &place.step : nullptr;
  }
  void step_done(LocationId l) { places_[l.index()].has_step = false; }

  // ---- in a step ----

  /// The location's clock.
  IdealTime now(LocationId l) const { return {places_[l.index()].ideal, places_[l.index()].is_certain}; }
  /// How long a location whose own clock is not certain waits is not known; of one whose clock is, the wait is at least
  /// that long.
  void wait(LocationId l, const IdealTime& until, CallPathId callpath) {
    IdealPlace& place = places_[l.index()];
    const bool counts = place.is_certain && until.at > place.ideal;
    if (counts && callpath.valid()) {
      Ticks& sum = waits_[std::uint64_t{callpath.value} << 32 | l.value];
      sum = add_ticks(sum, until.at - place.ideal);
    } else if (counts) {
      ++waits_outside_of_calls_;
    }
    place.ideal = std::max(place.ideal, until.at);
    place.is_certain = place.is_certain && until.is_certain;
  }
  /// The location goes on without what it needs.
  void lose(LocationId l) { places_[l.index()].is_certain = false; }

  // ---- who goes on ----

  void stand(LocationId l) { places_[l.index()].stands = true; }
  /// Its step may be possible now.
  void wake(LocationId l) {
    if (std::exchange(places_[l.index()].stands, false)) queue(l);
  }
  bool stands(LocationId l) const { return places_[l.index()].stands; }
  void queue(LocationId l) { ready_.push({since_begin(l), l}); }
  /// The location that goes on, which is no longer queued; none if all stand or have come to their ends.
  LocationId next() {
    if (ready_.empty()) return LocationId::none();
    const LocationId l = ready_.top().location;
    ready_.pop();
    return l;
  }
  /// No other one is behind it.
  bool is_least_far(LocationId l) const { return ready_.empty() || !(ready_.top().behind < since_begin(l)); }
  /// Time since its process began.
  Time since_begin(LocationId l) const { return places_[l.index()].recorded - places_[l.index()].process_begins; }

  /// By call path and location, with the call path in the upper half.
  const std::unordered_map<std::uint64_t, Ticks>& waits() const { return waits_; }
  /// Waits that are not among these: they belong to records outside of every call.
  std::int64_t waits_outside_of_calls() const { return waits_outside_of_calls_; }

 private:
  struct Ready {
    Time behind;  ///< time since the process began
    LocationId location;
    bool operator<(const Ready& o) const { return behind != o.behind ? behind > o.behind : o.location < location; }
  };

  std::span<IdealPlace> places_;  ///< by location
  std::priority_queue<Ready> ready_;
  std::unordered_map<std::uint64_t, Ticks> waits_;  ///< by call path and location
  std::int64_t waits_outside_of_calls_ = 0;
};

}  // namespace waitstate::causes

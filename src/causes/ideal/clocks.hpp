// The clocks of an ideal machine, and the steps that stand before them: what all kinds of communication share in the
// replay (replay.hpp).
//
// A location's clock runs with the recorded time outside of MPI, and stands still in it. What a location gives to
// others or needs of them is a step. A step is done at once if what it needs is known on the ideal machine; else the
// location stands there, and its later steps are queued until others have come so far. Whoever does the steps tells
// how, with three functions of `Replay`:
//
//   bool does(LocationId, IdealStep&)   false if it has to stand
//   bool is_unknown(const IdealStep&)   it stands because what it is part of is not known
//   void give_up(const IdealStep&)      it goes on without
//
// Invariant: no clock is later than the recorded time, if no step needs what was not there when it happened. Memory:
// the queued steps, of which there are at most `most_pending`: then those that stand go on without.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "waitstate/trace/event.hpp"

namespace waitstate::causes {

struct IdealStep {
  enum Kind : std::uint8_t {
    send,     ///< gives a message
    receive,  ///< needs it
    issue,    ///< gives a part in a collective operation
    finish,   ///< needs the parts of others
    part,     ///< both
    give,     ///< gives something of one-sided communication
    pass,     ///< needs it
    lack      ///< needs something that the trace lacks
  } kind;
  std::uint32_t number;  ///< the number of the message, the part, the gift or gate
  CallPathId callpath;
  Ticks work = 0;  ///< outside of MPI before it
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

class IdealClocks {
 public:
  static constexpr std::uint32_t nothing = 0xffffffffu;
  static constexpr std::size_t most_pending = std::size_t{1} << 18;

  struct LocationClock {
    Time last = 0;   ///< recorded
    Time ideal = 0;  ///< before the first step that is not done
    Ticks work = 0;  ///< outside of MPI, since the last step
    bool has_begun = false, in_mpi = false;
    bool is_certain = true;         ///< false: the ideal clock may be later (IdealTime)
    bool watches_exit = false;      ///< the exit of a call that is open may be a step
    std::deque<IdealStep> steps{};  ///< steps that are not done
  };

  void clear(std::size_t locations) {
    places_.assign(locations, {});
    ready_.clear(), waits_.clear();
    waits_outside_of_calls_ = 0, pending_ = 0;
  }

  /// The location's next event.
  LocationClock& move(const Event& e) {
    LocationClock& place = places_[e.loc.index()];
    if (!place.has_begun)
      place.has_begun = true, place.ideal = e.time;
    else if (!place.in_mpi && e.time > place.last)
      place.work = add_ticks(place.work, e.time - place.last);
    place.last = std::max(place.last, e.time);
    return place;
  }

  /// In a step: the location's clock.
  IdealTime now(LocationId l) const { return {places_[l.index()].ideal, places_[l.index()].is_certain}; }
  /// How long a location whose own clock is not certain waits is not known; of one whose clock is, the wait is at least
  /// that long.
  void wait(LocationId l, const IdealTime& until, CallPathId callpath) {
    LocationClock& place = places_[l.index()];
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
  /// In a step: the location goes on without what it needs.
  void lose(LocationId l) { places_[l.index()].is_certain = false; }
  /// Its next step may be possible now.
  void wake(LocationId l) { ready_.push_back(l); }

  template <class Replay>
  void push(LocationId l, IdealStep step, Replay& replay) {
    LocationClock& place = places_[l.index()];
    step.work = std::exchange(place.work, 0);
    place.steps.push_back(step);
    ++pending_;
    if (place.steps.size() == 1) {
      ready_.push_back(l);
      run(replay);
    }
    while (pending_ > most_pending) give_up(replay);
  }
  template <class Replay>
  void run(Replay& replay) {
    while (!ready_.empty()) {
      const LocationId l = ready_.back();
      ready_.pop_back();
      LocationClock& place = places_[l.index()];
      while (!place.steps.empty()) {
        IdealStep& step = place.steps.front();
        place.ideal += static_cast<Time>(std::exchange(step.work, 0));
        if (!replay.does(l, step)) break;
        place.steps.pop_front();
        --pending_;
      }
    }
  }
  /// Everything has been read: whoever stands goes on without.
  template <class Replay>
  void finish(Replay& replay) {
    while (pending_ > 0) give_up(replay);
  }

  /// By call path and location, with the call path in the upper half.
  const std::unordered_map<std::uint64_t, Ticks>& waits() const { return waits_; }
  /// Waits that are not among these: they belong to records outside of every call.
  std::int64_t waits_outside_of_calls() const { return waits_outside_of_calls_; }

 private:
  // Lets all that stand go on: those of which it is not known what they stand for, and if there are none, whoever
  // stands.
  template <class Replay>
  void give_up(Replay& replay) {
    for (const bool unknown : {true, false}) {
      std::vector<LocationId> went_on;
      for (std::size_t l = 0; l < places_.size(); ++l) {
        std::deque<IdealStep>& steps = places_[l].steps;
        if (steps.empty() || (unknown && !replay.is_unknown(steps.front()))) continue;
        lose(LocationId{l});
        replay.give_up(steps.front());
        steps.pop_front();
        --pending_;
        went_on.emplace_back(l);
      }
      ready_.insert(ready_.end(), went_on.begin(), went_on.end());
      run(replay);
      if (!went_on.empty()) return;
    }
  }

  std::vector<LocationClock> places_;               ///< by location
  std::vector<LocationId> ready_;                   ///< locations whose next step may be possible now
  std::unordered_map<std::uint64_t, Ticks> waits_;  ///< by call path and location
  std::int64_t waits_outside_of_calls_ = 0;
  std::size_t pending_ = 0;  ///< steps
};

}  // namespace waitstate::causes

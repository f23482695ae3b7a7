// Times and profiles of one location: how far it has got, what is charged to which call path, and which of it counts if
// only a part of the time was chosen.
//
// All time between two events is charged to one call path, Activity::account, at the later of them. Where the chosen
// time begins, what was counted so far is forgotten; where it ends, a copy of the profiles is kept, to which only late
// additions go. So an event costs one addition and no test of the chosen time: that is one of the unusual cases behind
// a single comparison. Another is a time stamp that runs backwards, which changes nothing. The third is a location that
// has doubled its age, at most 64 times: an interval that is longer than all before it together cannot be missed so.
// The last is time in which the measurement was off, which is kept apart and belongs to no call path until somebody
// takes it.
//
// Invariant: charged times, and those with the measurement off, add up to the last minus the first time, as far as call
// path 0 is counted too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "replay/activity.hpp"
#include "replay/chunk/profile.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::replay {

class Profiles {
 public:
  /// Profiles cover the time in [from, to). There is call path 0, outside of every region.
  explicit Profiles(Time from = 0, Time to = ~Time{0});

  Time now() const { return now_; }  ///< time of the latest event; all ones before the first
  Time first_time() const { return first_time_; }
  bool started() const { return started_; }
  /// The longest of the intervals between two events that were longer than all the time before them; length 0 if there
  /// was none.
  PathInterval longest_jump() const { return jump_.interval(); }

  /// Charges the time until `t`. Returns by how much `t` runs backwards; it is then taken as the previous time.
  Ticks advance(Time t, Activity& a) {
    if (t < now_ || t >= boundary_) [[unlikely]]
      return advance_unusual(t, a);
    charge_until(t, a);
    return 0;
  }
  /// No event follows.
  void finish();

  /// From now on, time is charged to nothing.
  void switch_off();
  /// Time is charged again. Returns what passed since switch_off(), as far as it lies in the chosen time.
  Ticks switch_on();
  bool off() const { return off_; }

  /// The profile of a call path in which calls are entered: for its kind and function, and for visits.
  Profile& operator[](std::uint32_t callpath) { return profiles_[callpath]; }
  const Profile& operator[](std::uint32_t callpath) const { return profiles_[callpath]; }
  /// Number of the next call path.
  Profile& add() { return profiles_.emplace_back(); }
  /// The profile that counts for the report, whatever time it is.
  Profile& counted(std::uint32_t callpath) { return past_window_ ? counted_in_window(callpath) : profiles_[callpath]; }
  /// Like counted(), for what was done in a call; null if that was entered outside of the chosen time.
  Profile* counted(std::uint32_t callpath, Time enter) {
    return enter < from_ || enter >= to_ ? nullptr : &counted(callpath);
  }
  /// Time charged to the call path so far, as far as it counts; grows, whatever has been taken (take_touched()).
  Ticks charged(std::uint32_t callpath) const {
    const Ticks now = windowed_ ? charged_in_window(callpath) : profiles_[callpath].time;
    return callpath < taken_.size() ? add_ticks(now, static_cast<std::uint64_t>(taken_[callpath])) : now;
  }
  /// Moves the time charged to one call path since then to another.
  void move_time(std::uint32_t from, std::uint32_t to, Time since);
  /// The part of [from, to) in the chosen time.
  Ticks in_window(Time from, Time to) const;
  /// By call path, as far as they count.
  std::span<const Profile> all() const { return past_window_ ? window_profiles_ : profiles_; }

  /// Notes that the call path is used in the open segment.
  void touch(Activity& a, std::uint32_t callpath);
  /// Moves the profiles of the call paths that were touched to the end of `to`; returns how many.
  std::uint32_t take_touched(Activity& a, std::vector<PathProfile>& to);

 private:
  void charge_until(Time t, Activity& a) {
    Ticks& time = profiles_[a.account].time;
    const Time interval = t - now_;
    time = add_ticks(time, interval);
    pass_until(t, a);
  }
  void pass_until(Time t, Activity& a) {
    const Time interval = t - now_;
    if (interval > a.longest.length) {
      a.longest.length = interval;
      a.longest.callpath = a.account;
      a.longest.end = t;
    }
    now_ = t;
  }
  Profile& counted_in_window(std::uint32_t callpath);
  Ticks charged_in_window(std::uint32_t callpath) const;
  void charge_unusual(Time t, Activity& a);
  Ticks advance_unusual(Time t, Activity& a);
  void expect_boundary();
  void note_jump(Time t, const Activity& a);
  void cross_window(Activity& a);
  void forget();

  std::vector<Profile> profiles_;
  Time now_ = ~Time{0};
  Time boundary_ = ~Time{0};  ///< the earlier of the following; 0 while the measurement is off
  Time window_ = ~Time{0};    ///< where the chosen time begins, then where it ends
  Time doubled_ = ~Time{0};   ///< where the location is twice as old as when this was last crossed
  LongestInterval jump_;
  Time first_time_ = 0;
  bool started_ = false;
  const Time from_, to_;
  const bool windowed_;  ///< a part of the time was chosen
  bool in_window_ = false, past_window_ = false;
  bool off_ = false;
  Ticks off_time_ = 0;                     ///< since the measurement was switched off, in the chosen time
  std::vector<Profile> window_profiles_;   ///< profiles_ when the chosen time ended
  std::vector<std::uint32_t> touched_in_;  ///< by call path, its latest segment
  std::vector<Ticks> taken_;               ///< by call path, time that take_touched() has taken
};

}  // namespace waitstate::replay

#include "replay/profiles.hpp"

#include <algorithm>
#include <limits>

namespace waitstate::replay {
namespace {

void clear_counts(Profile& profile) {
  const Profile was = profile;
  profile = Profile{};
  profile.kind = was.kind;
  profile.function = was.function;
}

}  // namespace

Profiles::Profiles(Time from, Time to) : profiles_(1), from_(from), to_(to), windowed_(from != 0 || to != ~Time{0}) {
  if (windowed_) window_ = from;
  expect_boundary();
}

// The first event of the location, an event beyond the next boundary of the chosen time, one at which the location has
// doubled its age, a time stamp that runs backwards, or an event while the measurement is off.
Ticks Profiles::advance_unusual(Time t, Activity& a) {
  if (!started_) {
    started_ = true;
    first_time_ = now_ = t;
    doubled_ = t == ~Time{0} ? t : t + 1;
  } else if (t >= doubled_) {
    note_jump(t, a);
  }
  while (t >= window_ && window_ != ~Time{0}) cross_window(a);
  expect_boundary();
  if (t < now_) return static_cast<Ticks>(std::min<Time>(now_ - t, std::numeric_limits<Ticks>::max()));
  charge_unusual(t, a);
  return 0;
}

void Profiles::expect_boundary() { boundary_ = off_ ? 0 : std::min(window_, doubled_); }

void Profiles::charge_unusual(Time t, Activity& a) {
  if (!off_) return charge_until(t, a);
  if (!past_window_) off_time_ = add_ticks(off_time_, t - now_);
  pass_until(t, a);
}

void Profiles::switch_off() {
  off_ = true;
  off_time_ = 0;
  expect_boundary();
}

Ticks Profiles::switch_on() {
  off_ = false;
  expect_boundary();
  return off_time_;
}

void Profiles::note_jump(Time t, const Activity& a) {
  const Time age = t - first_time_;
  if (t - now_ > now_ - first_time_ && t - now_ > jump_.length) {
    jump_.length = t - now_;
    jump_.callpath = a.account;
    jump_.end = t;
  }
  doubled_ = age > ~Time{0} - t ? ~Time{0} : t + age;
}

void Profiles::cross_window(Activity& a) {
  if (window_ > now_) charge_unusual(window_, a);
  if (window_ == from_ && !in_window_) {
    in_window_ = true;
    forget();
    window_ = to_;
  } else {
    past_window_ = true;
    window_profiles_ = profiles_;
    window_ = ~Time{0};
  }
}

void Profiles::finish() {
  if (!started_) first_time_ = now_ = 0;
  if (window_ != ~Time{0} && !in_window_) forget();  // the location ended before the chosen time began
}

void Profiles::forget() {
  for (Profile& p : profiles_) clear_counts(p);
  off_time_ = 0;
}

Profile& Profiles::counted_in_window(std::uint32_t callpath) {
  if (window_profiles_.size() <= callpath) window_profiles_.resize(callpath + 1);
  return window_profiles_[callpath];
}

Ticks Profiles::charged_in_window(std::uint32_t callpath) const {
  if (!in_window_) return 0;
  const std::vector<Profile>& profiles = past_window_ ? window_profiles_ : profiles_;
  return callpath < profiles.size() ? profiles[callpath].time : 0;
}

void Profiles::move_time(std::uint32_t from, std::uint32_t to, Time since) {
  counted(std::max(from, to));  // makes room for both
  Ticks &charged = counted(from).time, &own = counted(to).time;
  const Ticks time = in_window(since, now_);
  if (charged < time) return;
  charged -= time;
  own = add_ticks(own, static_cast<std::uint64_t>(time));
}

Ticks Profiles::in_window(Time from, Time to) const {
  from = std::max(from, from_), to = std::min(to, to_);
  return to > from ? static_cast<Ticks>(to - from) : 0;
}

void Profiles::touch(Activity& a, std::uint32_t callpath) {
  if (touched_in_.size() <= callpath) touched_in_.resize(profiles_.size());
  if (touched_in_[callpath] == a.segment.number) return;
  touched_in_[callpath] = a.segment.number;
  a.touched.push_back(callpath);
}

std::uint32_t Profiles::take_touched(Activity& a, std::vector<PathProfile>& to) {
  std::vector<Profile>& profiles = past_window_ ? window_profiles_ : profiles_;
  std::uint32_t count = 0;
  for (const std::uint32_t path : a.touched) {
    touched_in_[path] = 0;
    if (path >= profiles.size() || (windowed_ && !in_window_)) continue;
    to.push_back({path, profiles[path]});
    ++count;
    if (taken_.size() <= path) taken_.resize(profiles_.size());
    taken_[path] = add_ticks(taken_[path], static_cast<std::uint64_t>(profiles[path].time));
    clear_counts(profiles[path]);
  }
  a.touched.clear();
  return count;
}

}  // namespace waitstate::replay

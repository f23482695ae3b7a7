// Why a location waited: the points at which locations met, and what each of them did between two of its points.
//
// A point is a record at which a location met others: who came later, how long this one waited, and which part of the
// call came after all were there. Points and activities are collected while the trace is read; when all of it is known,
// patterns look back over them: critical_path.cpp from the end of the run, delay.cpp from each wait to its causes.
//
// Between two MPI calls only the time per call path is kept, so the log has a row for each MPI call and one for each
// call path in between, of 16 bytes each. A point takes 72 bytes. All of it stays in memory.
//
// Invariant: points of a location are in the order of their records; a point that waits knows the point that it waited
// for. Definitions: those of Scalasca 2.6.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

using PointId = std::uint32_t;
inline constexpr PointId no_point = 0xffffffffu;

enum class PointKind : std::uint8_t { late_sender, late_receiver, barrier, n2n, one_to_n, n_to_one, init, finalize };

struct Point {
  LocationId location;
  CallPathId callpath;
  Time enter = 0, record = 0;         ///< of the call, of the record in it
  Ticks total = 0;                    ///< time of the call
  Ticks wait = 0;                     ///< 0 if it did not wait
  Ticks completion = 0;               ///< time of the call after all partners had come
  PointId culprit = no_point;         ///< whom it waited for
  std::uint32_t group = 0xffffffffu;  ///< of a collective operation: index into Causes::groups
  LocationId met;                     ///< of a message: the partner; of a one-to-all operation: the root, of a waiter
  std::uint32_t place = 0;            ///< among the points of its location
  PointKind kind{};
};

static_assert(sizeof(Point) == 72);

/// The points of one collective operation.
struct PointGroup {
  std::vector<LocationId> met;     ///< locations with a point, sorted
  std::uint32_t communicator = 0;  ///< index into Causes::communicators
};

/// Times per call path; zero of those that were not touched.
class PathTimes {
 public:
  explicit PathTimes(std::size_t callpaths) : times_(callpaths), is_touched_(callpaths) {}
  void add(CallPathId path, Ticks ticks) {
    if (!is_touched_[path.index()]) is_touched_[path.index()] = true, touched_.push_back(path);
    times_[path.index()] += ticks;
  }
  void set(CallPathId path, Ticks ticks) { times_[path.index()] = ticks; }
  Ticks operator[](CallPathId path) const { return times_[path.index()]; }
  const std::vector<CallPathId>& touched() const { return touched_; }
  void clear() {
    for (const CallPathId p : touched_) times_[p.index()] = 0, is_touched_[p.index()] = false;
    touched_.clear();
  }

 private:
  std::vector<Ticks> times_;
  std::vector<bool> is_touched_;
  std::vector<CallPathId> touched_;
};

/// What one location did: time per call path between the enters of its MPI calls.
class ActivityLog {
 public:
  bool used() const { return started_; }
  Time last_time() const { return last_; }
  /// It is in that call path from now on; `cut`: it enters an MPI call.
  void change(Time t, CallPathId to, bool cut) {
    if (started_ && current_.valid()) charge(static_cast<Ticks>(t - last_));
    started_ = true, last_ = t, current_ = to;
    if (cut) end_segment(t);
  }
  void finish() { end_segment(last_); }
  /// Adds what was done from one enter of an MPI call to another.
  void add(Time from, Time to, PathTimes& times) const { add_segments(cut(from) + 1, cut(to), times); }
  void add_until(Time to, PathTimes& times) const { add_segments(0, cut(to), times); }
  void add_from(Time from, PathTimes& times) const { add_segments(cut(from) + 1, ends_.size() - 1, times); }
  void add_all(PathTimes& times) const { add_segments(0, ends_.size() - 1, times); }

 private:
  struct Share {
    CallPathId callpath;
    Ticks ticks;
  };

  void charge(Ticks ticks);
  void end_segment(Time t) {
    cuts_.push_back(t);
    ends_.push_back(shares_.size());
    open_ = shares_.size();
  }
  std::size_t cut(Time t) const {
    return static_cast<std::size_t>(std::lower_bound(cuts_.begin(), cuts_.end(), t) - cuts_.begin());
  }
  void add_segments(std::size_t first, std::size_t last, PathTimes& times) const {
    if (ends_.empty()) return;
    const std::size_t begin = first == 0 ? 0 : ends_[std::min(first, ends_.size()) - 1];
    const std::size_t end = ends_[std::min(last, ends_.size() - 1)];
    for (std::size_t i = begin; i < end; ++i) times.add(shares_[i].callpath, shares_[i].ticks);
  }

  std::vector<Time> cuts_;         ///< where segments end
  std::vector<std::size_t> ends_;  ///< end of each segment in shares_
  std::vector<Share> shares_;
  std::size_t open_ = 0;  ///< begin of the open segment in shares_
  Time last_ = 0;
  CallPathId current_;
  bool started_ = false;
};

/// Points and activities of a trace.
struct Causes {
  explicit Causes(std::size_t locations) : activities(locations), order(locations) {}

  void late_sender(const Message& m, const Wait& wait);
  void late_receiver(const Message& m, const Wait& wait);
  void collective(const Collective& c);
  /// Puts the points of each location in order; after the last of the above.
  void finish();

  std::size_t locations() const { return activities.size(); }
  const Point& at(PointId p) const { return points[p]; }
  bool has_met(const Point& p, LocationId location) const;
  /// The latest point before p on its location that met the location, no_point if there is none.
  PointId previous(const Point& p, LocationId met) const;
  /// The points strictly between two of one location; a may be no_point: the begin.
  template <class F>
  void between(PointId a, const Point& b, F&& f) const {
    const std::vector<PointId>& of = order[b.location.index()];
    for (std::uint32_t i = a == no_point ? 0 : at(a).place + 1; i < b.place; ++i) f(of[i]);
  }
  /// What the location did between the calls of two of its points, that of the first included.
  void add_activities(PointId a, const Point& b, PathTimes& times) const {
    const ActivityLog& log = activities[b.location.index()];
    if (a == no_point)
      log.add_until(b.enter, times);
    else
      log.add(at(a).enter, b.enter, times);
  }

  std::vector<ActivityLog> activities;      ///< by location
  std::vector<std::vector<PointId>> order;  ///< by location
  std::vector<Point> points;
  std::vector<PointGroup> groups;
  std::vector<std::vector<LocationId>> communicators;
  PointId first_to_end = no_point;  ///< MPI_Finalize of the process that entered it last: there the run ends
  bool has_teams = false;

 private:
  PointId add(PointKind kind, const Call& call, Time record, Ticks wait, Ticks completion);
  std::uint32_t communicator(const Collective& c);
  std::map<CommId, std::uint32_t> communicator_of_;
};

/// Published by critical_path when the trace has been read.
struct CausesFound {
  const Causes& causes;
};

}  // namespace waitstate::patterns

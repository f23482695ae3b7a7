// What delays cost: all waits are judged, location by location, from the end of each location to its begin.
//
// Where a location comes to a point that waits, it tells the culprit's location (Waiter): how long it waited, what of
// later waits it owes, and what it had worked since the two met before. Where a location comes to a point that others
// waited for, all of them have told it so: it charges what it worked longer than they, and its own waits before that,
// back to where the two met, become debts. Such a span is open until the sweep has passed its begin; what all open
// spans ask of a tick of waiting is one sum, so a wait costs the same however many lie over it. A location that has not
// yet been told of all waits at its point lets others go on, the latest in time first.
//
// Nothing but a Waiter passes between locations, and sums are integers: the result does not depend on the order in
// which locations go on. Memory beside the points: 12 bytes a point, spilled; of each location whom it met last; of
// open spans their sums; and of spans of more than 32 points sums by call path of each 32, 1,024, … points, from the
// begin of the earliest open one.
//
// Definitions and peculiarities are those of Scalasca 2.6; see the texts of delay.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causes.hpp"
#include "work_sums.hpp"

namespace waitstate::patterns {

/// By what kind of wait a delay costs.
enum DelayType : std::uint8_t {
  by_late_sender,
  by_late_receiver,
  by_barrier,
  by_n2n,
  by_12n,
  by_n21,
  by_team_barrier,
  by_idle,
  by_rma,
  by_shmem,
  by_lock,
  by_task,
  by_device
};
inline constexpr std::size_t delay_types = 13;

inline DelayType delay_type(PointKind kind) {
  switch (kind) {
    case PointKind::late_receiver:
      return by_late_receiver;
    case PointKind::barrier:
      return by_barrier;
    case PointKind::n2n:
      return by_n2n;
    case PointKind::one_to_n:
      return by_12n;
    case PointKind::n_to_one:
      return by_n21;
    case PointKind::team_barrier:
      return by_team_barrier;
    case PointKind::window:
    case PointKind::epoch:
    case PointKind::passive_target:
      return by_rma;
    case PointKind::shmem_collective:
    case PointKind::shmem_pair:
      return by_shmem;
    case PointKind::lock:
      return by_lock;
    case PointKind::task:
      return by_task;
    case PointKind::device:
      return by_device;
    default:
      return by_late_sender;
  }
}

/// A number of ticks >= 0 in steps of 2^-60, so that a sum is the same in any order and what was added can be taken
/// off. What is more than 2^60 ticks, which only damaged times are, counts as that.
class FixedTicks {
 public:
  FixedTicks() = default;
  explicit FixedTicks(double ticks)
      : steps_(static_cast<Steps>(std::ldexp(std::clamp(ticks, 0.0, 0x1p60), fraction_bits))) {}
  FixedTicks& operator+=(FixedTicks x) { return steps_ += x.steps_, *this; }
  FixedTicks& operator-=(FixedTicks x) { return steps_ -= x.steps_, *this; }
  double ticks() const { return std::ldexp(static_cast<double>(steps_), -fraction_bits); }

 private:
  __extension__ using Steps = unsigned __int128;
  static constexpr int fraction_bits = 60;
  Steps steps_ = 0;
};

class DelaySweep {
 public:
  /// Of a location in a call path.
  enum class Sum : std::uint8_t { now, later, waited, indirect, propagating };
  struct Place {
    CallPathId callpath;
    LocationId location;
    DelayType type;
    Sum sum;
    bool operator==(const Place&) const = default;
  };
  struct HashOfPlace {
    std::size_t operator()(const Place& p) const {
      std::uint64_t h = (std::uint64_t{p.location.value} << 32 | p.callpath.value) * 0x9e3779b97f4a7c15u;
      h = (h ^ h >> 32) + (std::uint64_t{p.type} << 3 | static_cast<std::uint64_t>(p.sum));
      h *= 0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };
  using Sums = std::unordered_map<Place, FixedTicks, HashOfPlace>;

  DelaySweep(const Causes& causes, std::size_t callpaths)
      : all_(causes),
        order_(causes),
        untold_(causes.work->spill_beyond()),
        locations_(causes.locations()),
        work_sums_(causes, order_, callpaths),
        idle_work_(callpaths),
        idle_waits_(callpaths),
        others_work_(callpaths) {}

  /// Short-term costs, long-term costs, and of waits for messages how long they were, indirect and propagating.
  Sums run() {
    prepare();
    while (!ready_.empty()) {
      const LocationId l = ready_.top().location;
      ready_.pop();
      do pass(l);
      while (is_ready(l) && (ready_.empty() || !(ready(l) < ready_.top())));
      if (is_ready(l)) ready_.push(ready(l));
    }
    return std::move(sums_);
  }

 private:
  using Debts = std::array<double, delay_types>;
  /// Of open spans: what a tick of waiting in them owes.
  using Rates = std::array<FixedTicks, delay_types>;

  /// What is told to the location that was waited for.
  struct Waiter {
    LocationId location;
    CallPathId callpath;
    PointKind kind;
    bool of_operation;  ///< of MPI: its members have costs as Scalasca counts them
    Ticks wait;
    Debts debts{};
    WorkSums::Paths worked{};  ///< since the two met before
  };
  struct OfLocation {
    Position at = no_position;                                       ///< of the point that comes next
    std::unordered_map<std::uint32_t, Position> met{};               ///< before it, by partner
    Position operation = no_position, team = no_position;            ///< the last ones before it
    std::map<Position, Rates> open{};                                ///< by their ends: after(), from()
    Rates rates{};                                                   ///< their sum
    std::priority_queue<std::pair<double, Position>> of_messages{};  ///< shares of waits, and the ends of their spans
  };
  struct Ready {
    Time enter;
    LocationId location;
    bool operator<(const Ready& o) const { return enter != o.enter ? enter < o.enter : location < o.location; }
  };
  /// What the location worked from a point to the one that is judged, which its waiters have in common.
  struct Late {
    WorkSums::Paths worked;
    Ticks waited;
  };

  static bool is_operation(const Point& p) {
    return p.group != no_group && !p.met.valid() && p.kind != PointKind::fork;
  }
  static bool is_message(PointKind kind) { return kind == PointKind::late_sender || kind == PointKind::late_receiver; }
  static bool is_of_mpi_operation(const Point& p) {
    return p.group != no_group && delay_type(p.kind) < by_team_barrier;
  }
  static std::uint64_t key(PointId id) { return std::uint64_t{id.location.value} << 32 | id.number; }
  /// Where a span ends: behind that point, or with it.
  static Position after(Position at) { return 2 * at + 1; }
  static Position from(Position at) { return 2 * at; }

  OfLocation& of(LocationId l) { return locations_[l.index()]; }
  Ready ready(LocationId l) { return {order_.point(l, of(l).at).enter, l}; }
  bool is_ready(LocationId l) {
    const Position at = of(l).at;
    return at != no_position && untold_[order_.place(l, Position{order_.id(l, at).number})] == 0;
  }

  // Once back over the points of each location.
  void prepare() {
    untold_.grow(all_.points.size());
    std::unordered_map<std::uint32_t, Position> later;
    for (std::size_t index = 0; index < all_.locations(); ++index) {
      const LocationId l{index};
      OfLocation& own = of(l);
      Position at = order_.size(l) - 1, operation = no_position, team = no_position;
      own.at = at;
      later.clear();
      for (PointId id = all_.last(l); id != no_point; --at) {
        const Point p = all_.at(id);
        order_.set(id, at);
        const auto link = [&](Position& last, Position& next) {
          if (next == no_position)
            last = at;
          else
            order_.set_met_before(l, next, at);
          next = at;
        };
        if (Causes::is_of_team(p))
          link(own.team, team);
        else if (is_operation(p))
          link(own.operation, operation);
        else if (p.met.valid())
          link(own.met.try_emplace(p.met.value, at).first->second,
               later.try_emplace(p.met.value, no_position).first->second);
        if (p.wait > 0 && p.culprit != no_point)
          untold_.change(order_.place(p.culprit.location, Position{p.culprit.number}), [](std::uint32_t& n) { ++n; });
        if (p.wait > 0 && is_message(p.kind))
          sums_[{p.callpath, l, delay_type(p.kind), Sum::waited}] += FixedTicks(static_cast<double>(p.wait));
        id = p.point_before();
      }
    }
    for (const LocationId master : all_.masters())
      if (const auto joined = all_.last_join(master)) {
        all_.work->add(master, *joined, std::nullopt, idle_work_);
        idle(master, all_.last(master));
      }
    for (std::size_t l = 0; l < all_.locations(); ++l)
      if (is_ready(LocationId{l})) ready_.push(ready(LocationId{l}));
  }

  // The point that comes next of the location.
  void pass(LocationId l) {
    OfLocation& own = of(l);
    const Position at = own.at--, before = order_.met_before(l, at);
    const PointId id = order_.id(l, at);
    const Point p = all_.at(id);
    if (Causes::is_of_team(p))
      own.team = before;
    else if (is_operation(p))
      own.operation = before;
    else if (p.met.valid())
      own.met[p.met.value] = before;
    close(own, at);
    if (p.wait > 0) wait(own, at, p);
    if (const auto told = told_.find(key(id)); told != told_.end()) {
      const std::vector<Waiter> waiters = std::move(told->second);
      told_.erase(told);
      judge(own, at, p, waiters);
    }
    if (p.kind == PointKind::fork) before_fork(id, p);
    work_sums_.passed(l, at);
  }

  // The spans of which this point is no part, nor those before it.
  static void close(OfLocation& own, Position at) {
    while (!own.open.empty() && own.open.rbegin()->first > from(at)) {
      for (std::size_t t = 0; t < delay_types; ++t) own.rates[t] -= own.open.rbegin()->second[t];
      own.open.erase(std::prev(own.open.end()));
    }
    while (!own.of_messages.empty() && own.of_messages.top().second > from(at)) own.of_messages.pop();
  }

  void open(OfLocation& own, Position end, DelayType type, double share, const Debts& f) {
    Rates& here = own.open[end];
    for (std::size_t t = 0; t < delay_types; ++t)
      if (const double rate = f[t] + (t == type ? share : 0); rate > 0) {
        here[t] += FixedTicks(rate);
        own.rates[t] += FixedTicks(rate);
      }
  }

  // All that the wait was handed on to is known: its debts go to whom it was for.
  void wait(OfLocation& own, Position at, const Point& q) {
    const auto ticks = static_cast<double>(q.wait);
    if (is_message(q.kind) && !own.of_messages.empty())
      sums_[{q.callpath, q.location, delay_type(q.kind), Sum::propagating}] +=
          FixedTicks(own.of_messages.top().first * ticks);
    if (q.culprit == no_point) return;
    Waiter w{q.location, q.callpath, q.kind, is_of_mpi_operation(q), q.wait};
    for (std::size_t t = 0; t < delay_types; ++t) w.debts[t] = ticks * own.rates[t].ticks();
    const LocationId l = q.culprit.location;
    work_sums_.worked(q.location, previous_meeting(own, q.location, q.kind, l), at, w.worked);
    told_[key(q.culprit)].push_back(std::move(w));
    bool by_all = false;
    untold_.change(order_.place(l, Position{q.culprit.number}), [&](std::uint32_t& n) { by_all = --n == 0; });
    if (by_all && l != q.location && of(l).at != no_position && order_.id(l, of(l).at) == q.culprit)
      ready_.push(ready(l));
  }

  // The latest point before the next one at which the location met the other one; of a team's barrier, the latest one
  // of a team. Threads that ask for a lock or have no task have met where their team began and at its barriers too.
  Position previous_meeting(const OfLocation& own, LocationId l, PointKind kind, LocationId met) const {
    if (kind == PointKind::team_barrier) return own.team;
    const auto found = own.met.find(met.value);
    Position last = found == own.met.end() ? no_position : found->second;
    if (kind == PointKind::lock || kind == PointKind::task) last = std::max(last, own.team);
    for (Position at = own.operation; at > last; at = order_.met_before(l, at))
      if (all_.has_met(order_.point(l, at), met)) return at;
    return last;
  }

  void judge(OfLocation& own, Position at, const Point& p, const std::vector<Waiter>& waiters) {
    std::unordered_map<Position, Late> late_from;
    std::optional<std::vector<Position>> meetings;
    for (const Waiter& w : waiters) {
      const Position a = previous_meeting(own, p.location, w.kind, w.location);
      const auto [found, is_new] = late_from.try_emplace(a);
      Late& late = found->second;
      if (is_new) late.waited = work_sums_.worked(p.location, a, at, late.worked);
      for (const auto& [c, ticks] : w.worked) others_work_.add(c, ticks);
      Ticks worked = 0;
      for (const auto& [c, ticks] : late.worked) worked += std::max<Ticks>(0, ticks - others_work_[c]);
      if (worked + late.waited > 0) {
        const DelayType type = delay_type(w.kind);
        const bool message = is_message(w.kind);
        const auto all = static_cast<double>(worked + late.waited);
        double share = static_cast<double>(w.wait) / all;
        if (w.kind != PointKind::team_barrier && !w.of_operation) share = std::min(share, 1.0);
        Debts f = w.debts;
        for (double& debt : f) debt /= all;
        for (const auto& [c, ticks] : late.worked) {
          const Ticks d = ticks - others_work_[c];
          if (d <= 0) continue;
          sums_[{c, p.location, type, Sum::now}] += FixedTicks(share * static_cast<double>(d));
          for (std::size_t t = 0; t < delay_types; ++t)
            if (f[t] > 0)
              sums_[{c, p.location, static_cast<DelayType>(t), Sum::later}] +=
                  FixedTicks(f[t] * static_cast<double>(d));
        }
        if (late.waited > 0) {
          if (message) {
            sums_[{w.callpath, w.location, type, Sum::indirect}] +=
                FixedTicks(share * static_cast<double>(late.waited));
            own.of_messages.emplace(share, after(a));
          }
          if (const auto end = end_of_debts(own, p, a, meetings)) open(own, *end, type, share, f);
        }
      }
      others_work_.clear();
    }
  }

  // In a collective operation, those that the location met later than the first of the group begin to owe at the next
  // one of these meetings only, as in Scalasca; nothing: none does.
  std::optional<Position> end_of_debts(const OfLocation& own, const Point& p, Position a,
                                       std::optional<std::vector<Position>>& meetings) const {
    if (!is_of_mpi_operation(p)) return after(a);
    if (!meetings) {
      meetings.emplace();
      for (const LocationId l : all_.communicators[all_.groups[p.group].communicator])
        if (l != p.location) meetings->push_back(previous_meeting(own, p.location, p.kind, l));
      std::sort(meetings->begin(), meetings->end());
      meetings->erase(std::unique(meetings->begin(), meetings->end()), meetings->end());
    }
    if (meetings->empty() || meetings->front() >= a) return after(a);
    const auto next = std::upper_bound(meetings->begin(), meetings->end(), a);
    return next == meetings->end() ? std::nullopt : std::optional(from(*next));
  }

  // Outside of parallel regions all other threads of a process are idle: that is charged to what the first does.
  void before_fork(PointId id, const Point& p) {
    const Causes::Fork fork = all_.forks[p.group];
    if (fork.point != id) return;
    all_.work->add(p.location, fork.is_first ? std::nullopt : std::optional(fork.after), fork.time, idle_work_);
    idle(p.location, p.point_before());
  }
  /// What the first thread did is in idle_work_, and ended after that point.
  void idle(LocationId master, PointId last) {
    OfLocation& own = of(master);
    const auto others = static_cast<double>(all_.threads_beside(master));
    if (others > 0) open(own, after(own.team), by_idle, others, {});
    while (last != no_point) {
      const Point y = all_.at(last);
      if (Causes::is_of_team(y)) break;
      if (y.wait > 0) idle_waits_.add(y.callpath, y.wait);
      last = y.point_before();
    }
    for (const CallPathId c : idle_work_.touched())
      if (const Ticks d = idle_work_[c] - idle_waits_[c]; d > 0 && others > 0)
        sums_[{c, master, by_idle, Sum::now}] += FixedTicks(others * static_cast<double>(d));
    idle_work_.clear(), idle_waits_.clear();
  }

  const Causes& all_;
  OrderedPoints order_;
  SpilledVector<std::uint32_t> untold_;  ///< by place of a point: waits for it that have not been told of
  std::vector<OfLocation> locations_;
  WorkSums work_sums_;
  PathTimes idle_work_, idle_waits_, others_work_;
  std::priority_queue<Ready> ready_;
  std::unordered_map<std::uint64_t, std::vector<Waiter>> told_;  ///< by the point that was waited for
  Sums sums_;
};

}  // namespace waitstate::patterns

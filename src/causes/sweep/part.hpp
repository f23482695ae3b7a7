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
// which locations go on. So locations can be judged in parts, each on a thread of its own (delay_sweep.hpp); what is
// told to those of another part goes through boxes (sweep_mail.hpp). Memory beside the points: 28 bytes a point,
// spilled; of each location whom it met last; of open spans their sums; and of spans of more than 32 points sums by
// call path of each 16, 256, … points, from the begin of the earliest open one.
//
// Long because all that is known of a location changes as the sweep passes a point.
//
// Definitions and peculiarities are those of Scalasca 2.6, unless Causes::plain; see the texts of delay.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causes/causes.hpp"
#include "causes/sweep/mail.hpp"
#include "causes/sweep/ordered_points.hpp"
#include "causes/sweep/sums.hpp"
#include "causes/sweep/work_sums.hpp"

namespace waitstate::causes {

/// What is told to the location that was waited for.
struct Waiter {
  PointId culprit{};
  LocationId location{};
  CallPathId callpath{};
  PointKind kind{};
  bool of_operation = false;  ///< of MPI: its members have costs as Scalasca counts them
  std::uint32_t types = 0;    ///< bits: of which debts there are
  Ticks wait = 0;
  Debts debts;
  WorkSums::Paths worked{};  ///< since the two met before
};

/// The sweep of one thread over its locations.
class SweepPart {
 public:
  SweepPart(const Causes& causes, std::size_t callpaths, const std::vector<LocationRange>& parts, std::size_t number,
            SweepMail<Waiter>& mail)
      : all_(causes),
        parts_(parts),
        number_(number),
        range_(parts[number]),
        mail_(mail),
        order_(causes, range_, causes.work->spill_beyond() / parts.size()),
        untold_(causes.work->spill_beyond() / parts.size()),
        locations_(range_.size()),
        work_sums_(causes, order_, range_, callpaths),
        idle_work_(callpaths),
        idle_waits_(callpaths),
        others_work_(callpaths) {}

  DelaySums run() {
    prepare();
    for (;;) {
      take_mail();
      if (ready_.empty()) {
        if (!mail_.wait(number_)) break;
        continue;
      }
      if (!mail_.go_on(number_, ready_.top().enter)) break;
      const LocationId l = ready_.top().location;
      ready_.pop();
      int passed = 0;
      do pass(l);
      while (is_ready(l) && (++passed < most_passed || ready_.empty() || !(ready(l) < ready_.top())) &&
             !mail_.has(number_));
      if (is_ready(l)) ready_.push(ready(l));
    }
    return std::move(sums_);
  }

 private:
  /// Of open spans: what a tick of waiting in them owes.
  using Rates = std::array<FixedTicks, delay_types>;
  using Told = std::unordered_map<std::uint64_t, std::vector<Waiter>>;
  /// Of meetings with one partner, or operations, or what is of a team.
  struct Met {
    std::int32_t last = no_position;   ///< before the point that comes next
    std::int32_t first = no_position;  ///< of those that have been put in order
  };
  struct OfLocation {
    Position at = no_position;  ///< of the point that comes next
    PointId id = no_point;      ///< its name
    Point next{};
    std::int32_t met_before = no_position;
    std::unordered_map<std::uint32_t, Met> met{};  ///< by partner
    Met operation{}, team{};
    std::map<Position, Rates> open{};  ///< by their ends: after(), from()
    Position looked_at = no_position;  ///< the operation that was looked at last
    Point looked_at_point{};
    Rates rates{};                                                   ///< their sum
    std::priority_queue<std::pair<double, Position>> of_messages{};  ///< shares of waits, and the ends of their spans
  };
  struct Ready {
    Time enter;
    LocationId location;
    bool operator<(const Ready& o) const { return enter != o.enter ? enter < o.enter : location < o.location; }
  };
  struct Found {
    DelayPlace place{};
    FixedTicks* sum = nullptr;
  };
  /// What the location worked from a point to the one that is judged, which its waiters have in common.
  struct Late {
    WorkSums::Paths worked{};
    Ticks waited = 0;
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

  // Most are of the same few places as those before; values stay where they are in an unordered_map.
  FixedTicks& sum(const DelayPlace& place) {
    Found& found = found_[HashOfDelayPlace{}(place) % found_.size()];
    if (found.sum == nullptr || !(found.place == place)) found = {place, &sums_[place]};
    return *found.sum;
  }

  OfLocation& of(LocationId l) { return locations_[range_.place(l)]; }
  void go_to(LocationId l, Position at) {
    OfLocation& own = of(l);
    own.at = at;
    own.id = no_point;
    if (at == no_position) return;
    const OrderedPoints::Step step = order_.step(l, at);
    own.id = {l, step.number};
    own.met_before = step.met_before;
    own.next = all_.at(own.id);
    if (at >= ahead) all_.points.prefetch(order_.id(l, at - ahead));
  }
  Ready ready(LocationId l) { return {of(l).next.enter, l}; }
  bool is_ready(LocationId l) {
    const PointId id = of(l).id;
    return id != no_point && untold_[order_.place(l, Position{id.number})] == 0;
  }

  void count(const Point& p) {
    if (p.wait > 0 && range_.has(p.culprit.location))
      untold_.change(order_.place(p.culprit.location, Position{p.culprit.number}), [](std::uint32_t& n) { ++n; });
  }

  // Once back over the points of all locations together, and over those of other parts for waits for these.
  void prepare() {
    untold_.grow(order_.size());
    if (parts_.size() > 1)
      all_.points.each([&](const Point& p) {
        if (!range_.has(p.location)) count(p);
      });
    for (std::size_t l = range_.first; l < range_.last; ++l) {
      of(LocationId{l}).id = all_.last(LocationId{l});
      of(LocationId{l}).at = order_.size(LocationId{l}) - 1;
    }
    all_.points.chunks_back(range_.first, range_.last, [&](PointId first, PointId) {
      OfLocation& own = of(first.location);
      while (own.at >= Position{first.number}) put_in_order(own);
    });
    for (const LocationId master : all_.masters())
      if (const auto joined = range_.has(master) ? all_.last_join(master) : std::nullopt) {
        all_.work->add(master, *joined, std::nullopt, idle_work_);
        idle(master, all_.last(master));
      }
    for (std::size_t l = range_.first; l < range_.last; ++l) {
      go_to(LocationId{l}, order_.size(LocationId{l}) - 1);
      if (is_ready(LocationId{l})) ready_.push(ready(LocationId{l}));
    }
  }

  // And goes on to the one before it.
  void put_in_order(OfLocation& own) {
    const PointId id = own.id;
    all_.points.prefetch_before(id);
    const Point p = all_.at(id);
    order_.set(id, own.at, p);
    const auto link = [&](Met& met) {
      if (met.first != no_position) order_.set_met_before(id.location, met.first, own.at);
      met.first = static_cast<std::int32_t>(own.at);
      if (met.last == no_position) met.last = met.first;
    };
    if (Causes::is_of_team(p))
      link(own.team);
    else if (is_operation(p))
      link(own.operation);
    else if (p.met.valid())
      link(own.met[p.met.value]);
    count(p);
    if (p.wait > 0 && is_message(p.kind))
      sum({p.callpath, id.location, delay_type(p.kind), DelaySum::waited}) += FixedTicks(static_cast<double>(p.wait));
    own.id = p.point_before();
    --own.at;
  }

  // The point that comes next of the location.
  void pass(LocationId l) {
    OfLocation& own = of(l);
    const Position at = own.at;
    const std::int32_t before = own.met_before;
    const PointId id = own.id;
    const Point p = own.next;
    go_to(l, at - 1);
    if (Causes::is_of_team(p))
      own.team.last = before;
    else if (is_operation(p))
      own.operation.last = before;
    else if (p.met.valid())
      own.met[p.met.value].last = before;
    close(own, at);
    if (p.wait > 0) wait(own, at, p);
    if (const auto told = told_.find(key(id)); told != told_.end()) {
      Told::node_type waiters = told_.extract(told);
      judge(own, at, p, waiters.mapped());
      if (parts_.size() > 1)
        mail_.judged(std::count_if(waiters.mapped().begin(), waiters.mapped().end(),
                                   [&](const Waiter& w) { return !range_.has(w.location); }));
      forget(std::move(waiters));
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

  /// `types`: those of which f has something.
  void open(OfLocation& own, Position end, DelayType type, double share, std::uint32_t types, const Debts& f) {
    Rates& here = own.open[end];
    const auto add = [&](std::size_t t, double rate) {
      here[t] += FixedTicks(rate);
      own.rates[t] += FixedTicks(rate);
    };
    add(type, share);
    for_each_type(types, [&](std::size_t t) { add(t, f[t]); });
  }
  template <class F>
  static void for_each_type(std::uint32_t types, F&& f) {
    for (; types != 0; types &= types - 1) f(static_cast<std::size_t>(std::countr_zero(types)));
  }

  // All that the wait was handed on to is known: its debts go to whom it was for.
  void wait(OfLocation& own, Position at, const Point& q) {
    const auto ticks = static_cast<double>(q.wait);
    if (is_message(q.kind) && !own.of_messages.empty())
      sum({q.callpath, q.location, delay_type(q.kind), DelaySum::propagating}) +=
          FixedTicks(own.of_messages.top().first * ticks);
    if (q.culprit == no_point) return;
    const LocationId l = q.culprit.location;
    const bool is_own = range_.has(l);
    Waiter& w = is_own ? told(q.culprit) : outgoing_;
    w.culprit = q.culprit;
    w.location = q.location, w.callpath = q.callpath, w.kind = q.kind, w.wait = q.wait;
    w.of_operation = is_of_mpi_operation(q);
    w.types = 0;
    for (std::size_t t = 0; t < delay_types; ++t)
      if (const double rate = own.rates[t].ticks(); rate > 0) w.types |= 1u << t, w.debts[t] = ticks * rate;
    if (!spare_worked_.empty()) {
      w.worked = std::move(spare_worked_.back());
      spare_worked_.pop_back();
    }
    work_sums_.worked(previous_meeting(own, q.location, q.kind, l), at, q, w.worked);
    if (!is_own)
      mail_.send(part_of(l), std::move(outgoing_));
    else if (by_all(q.culprit) && l != q.location)
      ready_.push(ready(l));
  }
  std::size_t part_of(LocationId l) const {
    std::size_t part = 0;
    while (!parts_[part].has(l)) ++part;
    return part;
  }

  void take_mail() {
    if (!mail_.has(number_)) return;
    mail_.take(number_, incoming_);
    for (Waiter& w : incoming_) {
      const PointId culprit = w.culprit;
      told(culprit) = std::move(w);
      if (by_all(culprit)) ready_.push(ready(culprit.location));
    }
    incoming_.clear();
  }

  /// One more wait for that point is told. True if that was the last, and its location is there.
  bool by_all(PointId culprit) {
    bool all = false;
    untold_.change(order_.place(culprit.location, Position{culprit.number}), [&](std::uint32_t& n) { all = --n == 0; });
    return all && of(culprit.location).id == culprit;
  }

  // One more for the location that was waited for, with the memory of one that has been judged.
  Waiter& told(PointId culprit) {
    const std::uint64_t own = key(culprit);
    auto told = told_.find(own);
    if (told == told_.end() && !spare_told_.empty()) {
      spare_told_.back().key() = own;
      told = told_.insert(std::move(spare_told_.back())).position;
      spare_told_.pop_back();
    } else if (told == told_.end()) {
      told = told_.try_emplace(own).first;
    }
    return told->second.emplace_back();
  }
  void forget(Told::node_type told) {
    for (Waiter& w : told.mapped()) {
      if (spare_worked_.size() == most_spare) break;
      w.worked.clear();
      spare_worked_.push_back(std::move(w.worked));
    }
    told.mapped().clear();
    spare_told_.push_back(std::move(told));
  }

  // The latest point before the next one at which the location met the other one; of a team's barrier, the latest one
  // of a team. Threads that ask for a lock or have no task have met where their team began and at its barriers too.
  Position previous_meeting(OfLocation& own, LocationId l, PointKind kind, LocationId met) const {
    if (kind == PointKind::team_barrier) return own.team.last;
    const auto found = own.met.find(met.value);
    Position last = found == own.met.end() ? no_position : found->second.last;
    if (kind == PointKind::lock || kind == PointKind::task) last = std::max<Position>(last, own.team.last);
    for (Position at = own.operation.last; at > last; at = order_.met_before(l, at)) {
      if (at != own.looked_at) own.looked_at = at, own.looked_at_point = order_.point(l, at);
      if (all_.has_met(own.looked_at_point, met)) return at;
    }
    return last;
  }

  void judge(OfLocation& own, Position at, const Point& p, const std::vector<Waiter>& waiters) {
    late_.worked.clear();
    std::unordered_map<Position, Late> others;  // that begin elsewhere
    Late* late = nullptr;
    Position first_since = no_position, since = no_position;
    std::optional<std::vector<Position>> meetings;
    for (const Waiter& w : waiters) {
      const Position a = previous_meeting(own, p.location, w.kind, w.location);
      if (late == nullptr) {
        late = &late_, first_since = since = a;
        late->waited = work_sums_.worked(a, at, p, late->worked);
      } else if (a != since) {
        since = a;
        const auto [found, is_new] = a == first_since ? std::pair(others.end(), false) : others.try_emplace(a);
        late = a == first_since ? &late_ : &found->second;
        if (is_new) late->waited = work_sums_.worked(a, at, p, late->worked);
      }
      for (const auto& [c, ticks] : w.worked) others_work_.add(c, ticks);
      Ticks worked = 0;
      for (const auto& [c, ticks] : late->worked) worked += std::max<Ticks>(0, ticks - others_work_[c]);
      if (worked + late->waited > 0) {
        const DelayType type = delay_type(w.kind);
        const bool message = is_message(w.kind);
        const auto all = static_cast<double>(worked + late->waited);
        double share = static_cast<double>(w.wait) / all;
        if (all_.plain || (w.kind != PointKind::team_barrier && !w.of_operation)) share = std::min(share, 1.0);
        Debts f;
        for_each_type(w.types, [&](std::size_t t) { f[t] = w.debts[t] / all; });
        for (const auto& [c, ticks] : late->worked) {
          const Ticks d = ticks - others_work_[c];
          if (d <= 0) continue;
          sum({c, p.location, type, DelaySum::now}) += FixedTicks(share * static_cast<double>(d));
          for_each_type(w.types, [&, d = d, c = c](std::size_t t) {
            sum({c, p.location, static_cast<DelayType>(t), DelaySum::later}) +=
                FixedTicks(f[t] * static_cast<double>(d));
          });
        }
        if (late->waited > 0) {
          if (message) {
            sum({w.callpath, w.location, type, DelaySum::indirect}) +=
                FixedTicks(share * static_cast<double>(late->waited));
            own.of_messages.emplace(share, after(a));
          }
          if (const auto end = end_of_debts(own, p, a, meetings)) open(own, *end, type, share, w.types, f);
        }
      }
      others_work_.clear();
    }
  }

  // In a collective operation, those that the location met later than the first of the group begin to owe at the next
  // one of these meetings only, as in Scalasca; nothing: none does. By plain rules all begin at once.
  std::optional<Position> end_of_debts(OfLocation& own, const Point& p, Position a,
                                       std::optional<std::vector<Position>>& meetings) const {
    if (all_.plain || !is_of_mpi_operation(p)) return after(a);
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
    idle(p.location, all_.at(id).point_before());
  }
  /// What the first thread did is in idle_work_, and ended after that point.
  void idle(LocationId master, PointId last) {
    OfLocation& own = of(master);
    const auto others = static_cast<double>(all_.threads_beside(master));
    if (others > 0) open(own, after(own.team.last), by_idle, others, 0, {});
    while (last != no_point) {
      const Point y = all_.at(last);
      if (Causes::is_of_team(y)) break;
      if (y.wait > 0) idle_waits_.add(y.callpath, y.wait);
      last = y.point_before();
    }
    for (const CallPathId c : idle_work_.touched())
      if (const Ticks d = idle_work_[c] - idle_waits_[c]; d > 0 && others > 0)
        sum({c, master, by_idle, DelaySum::now}) += FixedTicks(others * static_cast<double>(d));
    idle_work_.clear(), idle_waits_.clear();
  }

  static constexpr std::size_t most_spare = 4096;
  static constexpr Position ahead = 2;
  static constexpr int most_passed = 16;

  const Causes& all_;
  const std::vector<LocationRange>& parts_;
  const std::size_t number_;  ///< among these
  const LocationRange range_;
  SweepMail<Waiter>& mail_;
  OrderedPoints order_;
  SpilledVector<std::uint32_t> untold_;  ///< by place of a point: waits for it that have not been told of
  std::vector<OfLocation> locations_;
  WorkSums work_sums_;
  PathTimes idle_work_, idle_waits_, others_work_;
  std::priority_queue<Ready> ready_;
  Told told_;  ///< by the point that was waited for
  std::vector<Told::node_type> spare_told_;
  std::vector<WorkSums::Paths> spare_worked_;
  Late late_;
  Waiter outgoing_;
  std::vector<Waiter> incoming_;
  DelaySums sums_;
  std::vector<Found> found_ = std::vector<Found>(std::size_t{1} << 14);  ///< in sums_, by hash: looked at last
};

}  // namespace waitstate::causes

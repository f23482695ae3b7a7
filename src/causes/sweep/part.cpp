#include "causes/sweep/part.hpp"

#include <algorithm>
#include <utility>

namespace waitstate::causes {

namespace {

constexpr PointIndex ahead = 2;  // points are fetched so long before the sweep comes to them
constexpr int most_passed = 16;  // points of a location before others are looked at

/// Costs of MPI operations are counted as Scalasca counts them, unless plain rules are asked for.
bool is_of_mpi_operation(const Point& p) { return p.group != no_group && traits(p.kind).met == Met::mpi_operation; }

}  // namespace

SweepPart::SweepPart(const History& history, const std::vector<LocationRange>& parts, std::size_t number,
                     Mail<Waiter>& mail, AnnouncedWaits& announced)
    : history_(history),
      recorded_(history.recorded),
      parts_(parts),
      number_(number),
      range_(parts[number]),
      mail_(mail),
      announced_(announced),
      order_(history, range_, recorded_.spill_beyond / parts.size()),
      waiters_(order_, recorded_.spill_beyond / parts.size()),
      locations_(range_.size()),
      work_sums_(history, order_, range_),
      idle_work_(recorded_.call_tree.size()),
      idle_waits_(recorded_.call_tree.size()),
      others_work_(recorded_.call_tree.size()) {}

JudgedDelays SweepPart::run() {
  if (!prepare()) return {};
  for (;;) {
    take_mail();
    if (ready_.empty()) {
      if (!mail_.wait(number_)) break;
      continue;
    }
    (*recorded_.stop)();
    if (!mail_.go_on(number_, ready_.top().enter)) break;
    const LocationId l = ready_.top().location;
    ready_.pop();
    int passed = 0;
    do pass(l);
    while (is_ready(l) && (++passed < most_passed || ready_.empty() || !(ready(l) < ready_.top())) &&
           !mail_.has(number_));
    if (is_ready(l)) ready_.push(ready(l));
  }
  return std::move(judged_);
}

// Most costs belong to the same few places as those before; values stay where they are in an unordered_map.
FixedTicks& SweepPart::sum(const DelayPlace& place) {
  FoundSum& found = found_[HashOfDelayPlace{}(place) % found_.size()];
  if (found.sum == nullptr || !(found.place == place)) found = {place, &judged_.sums[place]};
  return *found.sum;
}

void SweepPart::go_to(LocationId l, PointIndex at) {
  LocationState& own = of(l);
  own.at = at;
  own.id = no_point;
  if (at == before_all) return;
  const OrderedPoints::Step step = order_.step(l, at);
  own.id = {l, step.number};
  own.met_before = step.met_before;
  own.next = history_.at(own.id);
  if (at >= ahead) recorded_.points.prefetch(order_.id(l, at - ahead));
}

// ---- before the sweep ----

// Goes back once over the points of all locations. Returns false if the sweep has to stop.
bool SweepPart::prepare() {
  waiters_.begin();
  AnnouncedWaits::Sender to_others(announced_);
  for (std::size_t l = range_.first; l < range_.last; ++l) {
    of(LocationId{l}).id = history_.last(LocationId{l});
    of(LocationId{l}).at = order_.size(LocationId{l}) - 1;
  }
  recorded_.points.chunks_back(range_.first, range_.last, [&](PointId first, PointId) {
    (*recorded_.stop)();
    LocationState& own = of(first.location);
    while (own.at >= PointIndex{first.number}) put_in_order(own, to_others);
  });
  to_others.flush();
  for (const LocationId master : recorded_.teams.masters())
    if (const auto joined = range_.has(master) ? recorded_.teams.last_join(master) : std::nullopt) {
      add_idle_work(master, *joined, std::nullopt);
      charge_idleness(master, history_.last(master));
    }
  if (!mail_.meet()) return false;
  announced_.take(number_, [&](PointId culprit) { waiters_.expect(culprit); });
  for (std::size_t l = range_.first; l < range_.last; ++l) {
    go_to(LocationId{l}, order_.size(LocationId{l}) - 1);
    if (is_ready(LocationId{l})) ready_.push(ready(LocationId{l}));
  }
  return true;
}

// Then steps back to the point before it.
void SweepPart::put_in_order(LocationState& own, AnnouncedWaits::Sender& to_others) {
  const PointId id = own.id;
  recorded_.points.prefetch_before(id);
  const Point p = history_.at(id);
  order_.set(id, own.at, p);
  own.meetings.link(order_, id.location, own.at, p);
  if (p.wait > 0 && range_.has(p.culprit.location))
    waiters_.expect(p.culprit);
  else if (p.wait > 0 && p.culprit != no_point)
    to_others.add(part_of(p.culprit.location), p.culprit);
  if (p.wait > 0 && is_of_message(p.kind))
    sum({p.callpath, id.location, delay_type(p.kind), DelaySum::waited}) += FixedTicks(static_cast<double>(p.wait));
  own.id = p.point_before();
  --own.at;
}

// ---- the sweep ----

// Passes the location's next point on the way back.
void SweepPart::pass(LocationId l) {
  LocationState& own = of(l);
  const PointIndex at = own.at;
  const std::int32_t before = own.met_before;
  const PointId id = own.id;
  const Point p = own.next;
  go_to(l, at - 1);
  own.meetings.pass(p, before);
  own.spans.close(at);
  if (p.wait > 0) tell_culprit(own, at, p);
  waiters_.judge(id, [&](const std::vector<Waiter>& waiters) {
    judge(own, at, p, waiters);
    if (parts_.size() > 1)
      mail_.judged(
          std::count_if(waiters.begin(), waiters.end(), [&](const Waiter& w) { return !range_.has(w.location); }));
  });
  if (p.kind == PointKind::fork) before_fork(id, p);
  work_sums_.passed(l, at);
}

// Now all waits that the wait was handed on to are known: its debts go to the location that it waited for.
void SweepPart::tell_culprit(LocationState& own, PointIndex at, const Point& q) {
  const auto ticks = static_cast<double>(q.wait);
  if (const double share = own.spans.share_of_messages(); is_of_message(q.kind) && share > 0)
    sum({q.callpath, q.location, delay_type(q.kind), DelaySum::propagating}) += FixedTicks(share * ticks);
  if (q.culprit == no_point) return;
  const LocationId l = q.culprit.location;
  const bool is_own = range_.has(l);
  Waiter& w = is_own ? waiters_.add(q.culprit) : outgoing_;
  w.culprit = q.culprit;
  w.location = q.location, w.callpath = q.callpath, w.kind = q.kind, w.wait = q.wait;
  w.of_operation = is_of_mpi_operation(q);
  w.types = 0;
  for (std::size_t t = 0; t < delay_type_count; ++t)
    if (const double rate = own.spans.rate(t); rate > 0) w.types |= 1u << t, w.debts[t] = ticks * rate;
  w.worked = waiters_.take_paths();
  const PointIndex b = previous_meeting(own, q.location, q.kind, l);
  work_sums_.worked(b, at, q, Bound::most, w.worked);
  w.unknown = history_.unknown_of_waiter(order_.id(q.location, b), q);
  w.lacks = recorded_.lacking.has(q.location, q.enter) || recorded_.lacks_targets || recorded_.lacks_member_at(q);
  if (!is_own)
    mail_.send(part_of(l), std::move(outgoing_));
  else if (is_last_told(q.culprit) && l != q.location)
    ready_.push(ready(l));
}

std::size_t SweepPart::part_of(LocationId l) const {
  const auto found = std::partition_point(parts_.begin(), parts_.end(),
                                          [&](const LocationRange& part) { return part.last <= l.index(); });
  return static_cast<std::size_t>(found - parts_.begin());
}

void SweepPart::take_mail() {
  if (!mail_.has(number_)) return;
  mail_.take(number_, incoming_);
  for (Waiter& w : incoming_) {
    const PointId culprit = w.culprit;
    waiters_.add(culprit) = std::move(w);
    if (is_last_told(culprit)) ready_.push(ready(culprit.location));
  }
  incoming_.clear();
}

// Waiters that met the location last at the same point share its work since then.
void SweepPart::judge(LocationState& own, PointIndex at, const Point& p, const std::vector<Waiter>& waiters) {
  std::unordered_map<PointIndex, Late> others;  // since another point than that of the first waiter
  Late* late = nullptr;
  PointIndex first_since = before_all, since = before_all;
  std::optional<std::vector<PointIndex>> meetings;
  for (const Waiter& w : waiters) {
    const PointIndex a = previous_meeting(own, p.location, w.kind, w.location);
    if (late == nullptr) {
      late = &late_, first_since = since = a;
      look_back(a, at, p, *late);
    } else if (a != since) {
      since = a;
      const auto [found, is_new] = a == first_since ? std::pair(others.end(), false) : others.try_emplace(a);
      late = a == first_since ? &late_ : &found->second;
      if (is_new) look_back(a, at, p, *late);
    }
    for (const auto& [c, ticks] : w.worked) others_work_.add(c, ticks);
    charge(own, p, w, a, *late, meetings);
    others_work_.clear();
  }
}

void SweepPart::look_back(PointIndex a, PointIndex at, const Point& p, Late& late) {
  late.worked.clear();
  late.waited = work_sums_.worked(a, at, p, Bound::least, late.worked);
  const PointId id = order_.id(p.location, a);
  late.unknown = history_.unknown_of_culprit(id);
  late.lacks = history_.lacks(id, p) != nullptr;
}

// One waiter, whose work is in others_work_: d, D, W and s are those of sweep.hpp. Where the trace lacks something, d
// is what is certain, and what is not certain makes s smaller; a wait is not judged if the culprit's own waits are not
// known, or if the call that waited lacks something that it may have waited for instead.
void SweepPart::charge(LocationState& own, const Point& p, const Waiter& w, PointIndex since, const Late& late,
                       std::optional<std::vector<PointIndex>>& meetings) {
  const Ticks unknown = late.unknown + w.unknown;
  if (unknown > 0 || late.lacks || w.lacks) judged_.is_complete = false;
  if (late.lacks || w.lacks) return;
  Ticks worked = 0;
  for (const auto& [c, ticks] : late.worked) worked += std::max<Ticks>(0, ticks - others_work_[c]);
  if (worked + late.waited <= 0) return;
  const DelayType type = delay_type(w.kind);
  const auto all = static_cast<double>(worked + late.waited + unknown);
  double share = static_cast<double>(w.wait) / all;
  if (recorded_.wanted.plain || (traits(w.kind).met != Met::team && !w.of_operation)) share = std::min(share, 1.0);
  Debts f;
  for_each_type(w.types, [&](std::size_t t) { f[t] = w.debts[t] / all; });
  for (const auto& [c, ticks] : late.worked) {
    const Ticks d = ticks - others_work_[c];
    if (d <= 0) continue;
    sum({c, p.location, type, DelaySum::short_term}) += FixedTicks(share * static_cast<double>(d));
    for_each_type(w.types, [&, d = d, c = c](std::size_t t) {
      sum({c, p.location, static_cast<DelayType>(t), DelaySum::long_term}) += FixedTicks(f[t] * static_cast<double>(d));
    });
  }
  if (late.waited <= 0) return;
  if (is_of_message(w.kind)) {
    sum({w.callpath, w.location, type, DelaySum::indirect}) += FixedTicks(share * static_cast<double>(late.waited));
    own.spans.open_message(OpenSpans::after(since), share);
  }
  if (const auto end = end_of_debts(own, p, since, meetings)) own.spans.open(*end, type, share, w.types, f);
}

// In a collective operation, those that the location met later than the first of the group begin to owe at the next one
// of these meetings only, as in Scalasca; nothing: none does. By plain rules all begin at once.
std::optional<PointIndex> SweepPart::end_of_debts(LocationState& own, const Point& p, PointIndex a,
                                                  std::optional<std::vector<PointIndex>>& meetings) const {
  if (recorded_.wanted.plain || !is_of_mpi_operation(p)) return OpenSpans::after(a);
  if (!meetings) {
    meetings.emplace();
    for (const LocationId l : recorded_.groups.members(p.group))
      if (l != p.location) meetings->push_back(previous_meeting(own, p.location, p.kind, l));
    std::sort(meetings->begin(), meetings->end());
    meetings->erase(std::unique(meetings->begin(), meetings->end()), meetings->end());
  }
  if (meetings->empty() || meetings->front() >= a) return OpenSpans::after(a);
  const auto next = std::upper_bound(meetings->begin(), meetings->end(), a);
  return next == meetings->end() ? std::nullopt : std::optional(OpenSpans::from(*next));
}

// ---- idle threads ----

// Outside of parallel regions all other threads of a process are idle: that is charged to what the first does.
void SweepPart::before_fork(PointId id, const Point& p) {
  const Teams::Fork fork = recorded_.teams.forks[p.group];
  if (fork.point != id) return;
  add_idle_work(p.location, fork.is_first ? std::nullopt : std::optional(fork.after), fork.time);
  charge_idleness(p.location, history_.at(id).point_before());
}

void SweepPart::add_idle_work(LocationId master, std::optional<Time> from, std::optional<Time> to) {
  recorded_.work.add(master, from, to, idle_work_);
  const std::optional<Time> since = from && *from > 0 ? std::optional(*from - 1) : std::nullopt;
  idle_lacks_ = recorded_.lacking.last_between(master, since, to.value_or(~Time{0})) != nullptr;
}

// The work of the first thread is in idle_work_, and ended after that point.
void SweepPart::charge_idleness(LocationId master, PointId last) {
  LocationState& own = of(master);
  if (idle_lacks_) {
    judged_.is_complete = false;
    idle_work_.clear();
    return;
  }
  const auto others = static_cast<double>(recorded_.threads_beside(master));
  if (others > 0) own.spans.open(OpenSpans::after(own.meetings.of_team()), DelayType::idle, others, 0, {});
  while (last != no_point) {
    const Point y = history_.at(last);
    if (is_of_team(y.kind)) break;
    if (y.wait > 0) idle_waits_.add(y.callpath, y.wait);
    last = y.point_before();
  }
  for (const CallPathId c : idle_work_.touched())
    if (const Ticks d = idle_work_[c] - idle_waits_[c]; d > 0 && others > 0)
      sum({c, master, DelayType::idle, DelaySum::short_term}) += FixedTicks(others * static_cast<double>(d));
  idle_work_.clear(), idle_waits_.clear();
}

}  // namespace waitstate::causes

#include "replay/counters/counters.hpp"

#include <algorithm>
#include <bit>

namespace waitstate::replay {
namespace {

enum class NumberKind { none, natural, integer, real };

NumberKind number_kind(const Value& v) {
  switch (v.type) {
    case ValueType::uint8:
    case ValueType::uint16:
    case ValueType::uint32:
    case ValueType::uint64:
      return NumberKind::natural;
    case ValueType::int8:
    case ValueType::int16:
    case ValueType::int32:
    case ValueType::int64:
      return NumberKind::integer;
    case ValueType::float_:
    case ValueType::double_:
      return NumberKind::real;
    default:
      return NumberKind::none;
  }
}

double real_of(const Value& v) { return std::bit_cast<double>(v.bits); }

Int128 whole_of(const Value& v) {
  return number_kind(v) == NumberKind::integer ? Int128{static_cast<std::int64_t>(v.bits)} : Int128{v.bits};
}

// Damaged values may be as large as they like: what does not fit wraps around.
__extension__ using Unsigned128 = unsigned __int128;
Int128 sum_of(Int128 a, Int128 b) {
  return static_cast<Int128>(static_cast<Unsigned128>(a) + static_cast<Unsigned128>(b));
}
Int128 product_of(Int128 a, std::uint64_t b) { return static_cast<Int128>(static_cast<Unsigned128>(a) * b); }

bool is_number(const Value& v) {
  const NumberKind kind = number_kind(v);
  return kind != NumberKind::none && (kind != NumberKind::real || util::ExactSum::takes(real_of(v)));
}

constexpr double least_fallen = 0.01;  // as a fraction of its rises

double sum_of(Int128 whole, const util::ExactSum& real) { return static_cast<double>(whole) + real.value(); }

/// One step of a counter up or down: the three cases that CounterMoves tells apart.
template <class Number, class Sum>
bool moved(CounterMoves& moves, Number earlier, Number later, const Sum& add_to) {
  if (later >= earlier) {
    if (later == earlier) return false;
    ++moves.rises;
    add_to(true, later, earlier);
    return false;
  }
  if (later >= 0 && later + later < earlier)
    ++moves.restarts;
  else
    add_to(false, earlier, later);
  return true;
}

}  // namespace

bool CounterMoves::add(const Value& earlier, const Value& later) {
  if (number_kind(later) == NumberKind::real)
    return moved(*this, real_of(earlier), real_of(later), [&](bool up, double more, double less) {
      util::ExactSum& sum = up ? real_risen : real_fallen;
      sum.add(more);
      sum.add(-less);
    });
  return moved(*this, whole_of(earlier), whole_of(later), [&](bool up, Int128 more, Int128 less) {
    Int128& sum = up ? whole_risen : whole_fallen;
    sum = sum_of(sum, more - less);
  });
}

void CounterMoves::add(const CounterMoves& other) {
  rises += other.rises;
  restarts += other.restarts;
  whole_risen = sum_of(whole_risen, other.whole_risen);
  whole_fallen = sum_of(whole_fallen, other.whole_fallen);
  real_risen.add(other.real_risen);
  real_fallen.add(other.real_fallen);
  falls.merge(other.falls);
}

bool CounterMoves::level() const {
  const double fallen = sum_of(whole_fallen, real_fallen);
  if (fallen > 0 && fallen >= least_fallen * sum_of(whole_risen, real_risen)) return true;
  return restarts >= 2 && 3 * restarts >= 2 * rises;
}

void CounterSum::count(double value, std::uint64_t ticks) {
  least = samples == 0 ? value : std::min(least, value);
  greatest = samples == 0 ? value : std::max(greatest, value);
  ++samples;
  weight += ticks;
}

void CounterSum::add(const Value& value, const std::uint64_t* ticks) {
  const std::uint64_t times = ticks != nullptr ? *ticks : 1;
  if (number_kind(value) == NumberKind::real) {
    real.add_product(real_of(value), static_cast<double>(times));
    count(real_of(value), times);
  } else {
    whole = sum_of(whole, product_of(whole_of(value), times));
    count(static_cast<double>(whole_of(value)), times);
  }
}

void CounterSum::add_difference(const Value& earlier, const Value& later) {
  if (number_kind(later) == NumberKind::real) {
    real.add(real_of(later));
    real.add(-real_of(earlier));
    count(real_of(later) - real_of(earlier), 1);
  } else {
    const Int128 difference = whole_of(later) - whole_of(earlier);
    whole = sum_of(whole, difference);
    count(static_cast<double>(difference), 1);
  }
}

void CounterSum::add(const CounterSum& other) {
  if (other.samples == 0) return;
  least = samples == 0 ? other.least : std::min(least, other.least);
  greatest = samples == 0 ? other.greatest : std::max(greatest, other.greatest);
  samples += other.samples;
  weight += other.weight;
  whole = sum_of(whole, other.whole);
  real.add(other.real);
}

// Facts about a metric's members are looked up once a location. An instance that records for one other location is
// about that one; if it is about several, no single one can be named, and the value stays with the recorder.
LocationCounters::Source& LocationCounters::source(MetricId metric) {
  const auto [it, added] = sources_.try_emplace(metric);
  Source& s = it->second;
  if (!added) return s;
  s.location = location_;
  const Metric* m = &definitions_.metrics[metric.index()];
  if (m->metric_class.valid()) {
    if (m->scope == MetricScope::location) {
      const auto about = std::find_if(definitions_.locations.begin(), definitions_.locations.end(),
                                      [&](const Location& l) { return l.ref == m->scope_ref; });
      if (about != definitions_.locations.end())
        s.location = LocationId{static_cast<std::size_t>(about - definitions_.locations.begin())};
    }
    m = &definitions_.metrics[m->metric_class.index()];
  }
  for (const MetricMemberId id : m->members) {
    Member& member = s.members.emplace_back();
    member.id = id;
    if (!id.valid()) continue;
    member.kind = counter_kind(definitions_.metric_members[id.index()]);
    member.timing = counter_timing(definitions_.metric_members[id.index()]);
  }
  return s;
}

void LocationCounters::record(MetricId metric, std::span<const Value> values, const CounterMoment& moment,
                              Diagnostics& diagnostics) {
  const Time now = moment.now;
  const auto report = [&](DiagnosticId id, const std::string& what) { diagnostics.add(id, {location_, now, what}); };
  if (metric.index() >= definitions_.metrics.size()) return;  // counted where it was read
  Source& s = source(metric);
  if (values.size() != s.members.size()) report(DiagnosticId::counter_values_differ, "");
  const std::size_t count = std::min(values.size(), s.members.size());
  if (count == 0) return;

  s.after = moment.after_event && (s.last_time != now || s.after);
  const CounterPlace of_time = s.after ? moment.time_before : moment.current;
  const CounterPlace of_point = s.after && moment.after_exit ? moment.time_before : moment.current;
  const auto at = [&](const CounterPlace& place) -> std::vector<Sums>& {
    std::vector<Sums>& found = sums_[{place.segment, place.callpath, metric}];
    if (found.size() < count) found.resize(count);
    return found;
  };
  std::vector<Sums>& time_sums = at(of_time);
  std::vector<Sums>& point_sums = of_point == of_time ? time_sums : at(of_point);
  const bool in_time = now >= from_ && now < to_;
  bool spread = false;
  for (std::size_t i = 0; i < count; ++i) {
    Member& member = s.members[i];
    const Value& value = values[i];
    if (!member.id.valid()) continue;
    const auto name = [&] { return definitions_.metric_members[member.id.index()].name; };
    if (!is_number(value)) {
      report(DiagnosticId::counter_no_number, name());
      continue;
    }
    switch (member.kind) {
      case CounterKind::accumulated:
        if (in_time) point_sums[i].level.add(value, nullptr);
        if (!member.known) break;
        if (number_kind(member.last) != number_kind(value)) {
          report(DiagnosticId::counter_values_differ, name());
        } else if (member.moves.add(member.last, value)) {
          member.moves.falls.add(DiagnosticId::counter_reset, {location_, now, name()});
        } else if (in_time) {
          time_sums[i].sum.add_difference(member.last, value);
          spread = spread || (value.bits != member.last.bits && moment.stack_events - s.stack_events > 1);
        }
        break;
      case CounterKind::absolute:
        if (member.timing == CounterTiming::last || member.timing == CounterTiming::next)
          add_weighted(member, value, now, time_sums[i].sum);
        else if (in_time)
          point_sums[i].sum.add(value, nullptr);
        break;
      case CounterKind::relative:
        if (in_time) (member.timing == CounterTiming::last ? time_sums : point_sums)[i].sum.add(value, nullptr);
        break;
    }
    member.known = true;
    member.last = value;
    member.last_time = now;
  }
  if (spread) report(DiagnosticId::counter_spread, "");
  s.stack_events = moment.stack_events;
  s.last_time = now;
}

void LocationCounters::add_weighted(Member& member, const Value& value, Time now, CounterSum& sum) const {
  if (!member.known) return;
  const Time begin = std::max(member.last_time, from_), end = std::min(now, to_);
  if (begin > end || (begin == end && member.last_time != now)) return;  // outside of the chosen time
  const std::uint64_t ticks = end - begin;
  sum.add(member.timing == CounterTiming::next ? member.last : value, &ticks);
}

std::uint32_t LocationCounters::take(std::uint32_t segment, std::vector<PathCounter>& to) {
  const std::size_t before = to.size();
  const auto begin = sums_.lower_bound({segment, 0, MetricId{0}});
  auto it = begin;
  for (; it != sums_.end() && std::get<0>(it->first) == segment; ++it) {
    const Source& s = sources_.at(std::get<2>(it->first));
    for (std::size_t i = 0; i < it->second.size(); ++i) {
      Sums& sums = it->second[i];
      const std::uint32_t callpath = std::get<1>(it->first);
      if (sums.sum.samples != 0) to.push_back({callpath, s.members[i].id, s.location, std::move(sums.sum)});
      if (sums.level.samples != 0) to.push_back({callpath, s.members[i].id, s.location, std::move(sums.level), true});
    }
  }
  sums_.erase(begin, it);
  return static_cast<std::uint32_t>(to.size() - before);
}

std::vector<std::pair<MetricMemberId, CounterMoves>> LocationCounters::take_moves() {
  std::vector<std::pair<MetricMemberId, CounterMoves>> moves;
  for (auto& [metric, source] : sources_)
    for (Member& m : source.members)
      if (m.id.valid() && m.kind == CounterKind::accumulated) moves.emplace_back(m.id, std::move(m.moves));
  return moves;
}

}  // namespace waitstate::replay

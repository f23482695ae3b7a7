#include "analysis/metrics/counter_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "util/utf8.hpp"

namespace waitstate::analysis {
namespace {

using replay::CounterSum;
using replay::Int128;

constexpr int severity_bits = 62;

// The recorder's factor base^exponent; 1 if it is too large or too small for a double, and then the unit says so.
double recorded_factor(const MetricMember& m) {
  const double factor = std::pow(m.base == Base::binary ? 2.0 : 10.0, static_cast<double>(m.exponent));
  return std::isnormal(factor) && factor < 1e200 && factor > 1e-200 ? factor : 1;
}

std::string recorded_unit(const MetricMember& m) {
  if (m.exponent == 0 || recorded_factor(m) != 1) return m.unit;
  return (m.base == Base::binary ? "2^" : "10^") + std::to_string(m.exponent) + ' ' + m.unit;
}

bool is_whole(double value) { return std::nearbyint(value) == value; }

// Exponent of the quantum: 0 as long as all values are integers that fit. The order of the sums depends on numbers of
// call paths, so they are added up in the order of their sizes.
int quantum_of(const auto& sums) {
  std::vector<double> sizes;
  bool whole = true;
  for (const auto& [place, sum] : sums) {
    const double real = sum.real.value();
    whole = whole && is_whole(real);
    sizes.push_back(std::abs(static_cast<double>(sum.whole)) + std::abs(real));
  }
  std::sort(sizes.begin(), sizes.end());
  const double total = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  if (total == 0) return 0;
  const int exponent = std::ilogb(total) + 1 - severity_bits;
  return whole && exponent < 0 ? 0 : exponent;
}

std::int64_t quanta(const CounterSum& sum, int exponent) {
  const auto real = static_cast<std::int64_t>(std::nearbyint(std::ldexp(sum.real.value(), -exponent)));
  if (exponent == 0) return static_cast<std::int64_t>(sum.whole) + real;
  if (exponent < 0)
    return static_cast<std::int64_t>(sum.whole * (Int128{1} << -std::max(exponent, -severity_bits))) + real;
  return static_cast<std::int64_t>(std::nearbyint(std::ldexp(static_cast<double>(sum.whole), -exponent))) + real;
}

// The id is the same in reports of every format, and on command lines.
std::string id_of(const std::string& name, const MetricTree& metrics) {
  std::string id;
  for (std::string_view rest = name.empty() ? "counter" : std::string_view(name); !rest.empty();) {
    const char c = rest.front();
    const std::size_t length = c == ' ' || c == ',' || c == '"' ? 0 : util::character_length(rest);
    if (length == 0)
      id += '_';
    else
      id += rest.substr(0, length);
    rest.remove_prefix(std::max<std::size_t>(length, 1));
  }
  if (metrics.find(id) == no_metric) return id;
  for (std::size_t n = 2;; ++n)
    if (std::string other = id + '_' + std::to_string(n); metrics.find(other) == no_metric) return other;
}

std::string summary_of(const MetricMember& m, CounterKind kind, bool weighted) {
  std::string text = m.description.empty() || m.description == m.name ? "Counter of the trace" : m.description;
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  if (kind != counter_kind(m))
    return text + ": sum of recorded values. It is recorded as ever growing, but falls and rises: a level.";
  switch (kind) {
    case CounterKind::accumulated:
      return text + ": differences of recorded values, in the call path where they end.";
    case CounterKind::absolute:
      return text + (weighted ? ": recorded values times the time that they hold for." : ": sum of recorded values.");
    case CounterKind::relative:
      break;
  }
  return text + ": sum of recorded differences.";
}

}  // namespace

// Recorders may define a counter once per process.
MetricMemberId CounterMetrics::same_counter(MetricMemberId member) {
  const auto [it, added] = same_.try_emplace(member, member);
  if (!added) return it->second;
  const MetricMember& m = definitions_.metric_members[member.index()];
  const auto first =
      std::find_if(definitions_.metric_members.begin(), definitions_.metric_members.end(), [&](const MetricMember& o) {
        return o.name == m.name && o.unit == m.unit && o.mode == m.mode && o.base == m.base && o.exponent == m.exponent;
      });
  return it->second = MetricMemberId{static_cast<std::size_t>(first - definitions_.metric_members.begin())};
}

void CounterMetrics::add(CallPathId callpath, const replay::PathCounter& counter) {
  auto& sums = counter.as_level ? levels_ : sums_;
  sums[same_counter(counter.member)][{callpath, counter.location}].add(counter.sum);
}

void CounterMetrics::add(MetricMemberId member, const replay::CounterMoves& moves) {
  moves_[same_counter(member)].add(moves);
}

void CounterMetrics::merge(std::map<MetricMemberId, Sums>& sums, const std::map<MetricMemberId, Sums>& more) {
  for (const auto& [member, places] : more)
    for (const auto& [place, sum] : places) sums[member][place].add(sum);
}

void CounterMetrics::merge(const CounterMetrics& other) {
  merge(sums_, other.sums_);
  merge(levels_, other.levels_);
  for (const auto& [member, moves] : other.moves_) moves_[member].add(moves);
}

std::vector<Counter> CounterMetrics::finish(MetricTree& metrics, Severities& severities, Diagnostics& diagnostics) {
  for (const auto& [member, moves] : moves_) {
    const bool level = moves.level();
    if (!level) diagnostics.merge(moves.falls);
    const auto found = levels_.find(member);
    if (!level || found == levels_.end()) continue;
    diagnostics.add(DiagnosticId::counter_level,
                    {LocationId::none(), ~Time{0}, definitions_.metric_members[member.index()].name});
    sums_[member] = std::move(found->second);
  }
  std::vector<Counter> counters;
  for (const auto& [member, sums] : sums_) {
    const MetricMember& m = definitions_.metric_members[member.index()];
    Counter counter;
    const auto moved = moves_.find(member);
    const bool level = moved != moves_.end() && moved->second.level();
    counter.kind = level ? CounterKind::absolute : counter_kind(m);
    counter.timing = level ? CounterTiming::point : counter_timing(m);
    counter.unit = recorded_unit(m);
    const double factor = recorded_factor(m);
    const int exponent = quantum_of(sums);
    counter.metric = metrics.add(id_of(m.name, metrics), "", Unit::counter, false, m.name,
                                 summary_of(m, counter.kind, counter.weighted()));
    double scale = std::ldexp(factor, exponent);
    std::string unit = counter.unit;
    if (counter.weighted()) {
      scale /= static_cast<double>(definitions_.clock.resolution);
      unit = (unit.empty() ? "#" : unit) + "*s";  // a number times seconds is not a time
    }
    metrics.set_scale(counter.metric, std::move(unit), scale);
    severities.grow(metrics.size());
    for (const auto& [place, sum] : sums) {
      severities.add(counter.metric, place.first, place.second, quanta(sum, exponent));
      counter.rows.push_back(
          {place.first, place.second, sum.samples, sum.weight, sum.least * factor, sum.greatest * factor});
    }
    counters.push_back(std::move(counter));
  }
  return counters;
}

}  // namespace waitstate::analysis

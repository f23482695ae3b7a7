#include "report/compare/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "analysis/metrics/metric_names.hpp"
#include "report/compare/comparable.hpp"
#include "report/facts/completeness.hpp"
#include "report/facts/totals.hpp"
#include "report/facts/waits/waiting.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/efficiency.hpp"
#include "report/words/patterns_run.hpp"
#include "report/words/scope.hpp"
#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::report {
namespace {

[[noreturn]] void cannot_tell(const Gate& gate, const AnalysisResult& result, const std::string& why) {
  throw UsageError(fmt::format("gate '{}' cannot be judged on {}: {}", gate.text, printable(result.path), why));
}

// ---- the metric ----

MetricIndex metric_of(const Gate& gate, const AnalysisResult& result) {
  const MetricIndex metric = analysis::find_metric(result.metrics, gate.metric);
  if (metric != no_metric) return metric;
  if (const auto sign = gate.metric.rfind('@'); sign != std::string::npos)
    throw UsageError(fmt::format("gate '{}': the @ is followed by '{}', expected {} or {}", gate.text,
                                 gate.metric.substr(sign + 1), name(Scope::whole), name(Scope::without_init_exit)));
  std::vector<std::string_view> factors;
  for (const EfficiencyFactor& factor : efficiency_factors) factors.push_back(factor.id);
  for (const IdealFactor& factor : ideal_factors) factors.push_back(factor.id);
  if (const std::string near = util::nearest(gate.metric, factors); !near.empty())
    throw UsageError(
        fmt::format("gate '{}': no metric has the id '{}': did you mean '{}'?", gate.text, gate.metric, near));
  throw UsageError(fmt::format("gate '{}': {}", gate.text, why_no_metric(result, gate.metric)));
}

/// Refuses a limit in a unit that the metric does not have.
void check_unit(const Gate& gate, const MetricInfo& metric) {
  const bool time = metric.unit == Unit::seconds;
  if (gate.measure == Gate::Measure::seconds && !time)
    throw UsageError(fmt::format("gate '{}': '{}' is counted in {}, not in seconds", gate.text, metric.id,
                                 metric.unit == Unit::bytes     ? "bytes"
                                 : metric.unit == Unit::counter ? "a unit of its own"
                                                                : "occurrences"));
  if (gate.measure == Gate::Measure::number && time)
    throw UsageError(
        fmt::format("gate '{}': '{}' is a time: give its limit a unit, s, ms, us or %", gate.text, metric.id));
  if (gate.measure == Gate::Measure::share && !gate.growth && !metric.sums())
    throw UsageError(
        fmt::format("gate '{}': '{}' is a {} and has no share of the total time; give {}, or growth in per "
                    "cent (+5%)",
                    gate.text, metric.id, enum_name(metric.aggregation), time ? "a time (5ms)" : "a number"));
  if (gate.measure == Gate::Measure::share && !gate.growth && !time)
    throw UsageError(
        fmt::format("gate '{}': '{}' is not a time and has no share of the total time; give a number, or "
                    "growth in per cent (+5%)",
                    gate.text, metric.id));
}

std::string unit_name(const MetricInfo& metric) {
  return metric.unit == Unit::counter ? metric.unit_name : std::string(name(metric.unit));
}

/// Refuses growth from a value in one unit to a value in another.
void check_same_unit(const Gate& gate, const MetricInfo& before, const MetricInfo& after) {
  if (before.unit != after.unit || unit_name(before) != unit_name(after))
    throw UsageError(fmt::format("gate '{}': '{}' is measured in {} in A and in {} in B", gate.text, after.id,
                                 printable(unit_name(before)), printable(unit_name(after))));
}

// ---- its value ----

/// A value of one run in the gate's unit, exact or the least that it can be.
struct Known {
  double value = 0;
  double error = 0;  ///< by how much the value may be wrong in either direction, as the clocks disagree
  bool at_least = false;
  std::string why{};      ///< the reason why the value may be larger
  std::string without{};  ///< see Verdict
};

/// By how much the clocks' disagreement may have changed a wait state, or an account of waiting, in seconds: each of
/// its waits, and each message that was received before it was sent, by as much as the clocks disagree at most.
double clock_uncertainty(MetricIndex metric, const AnalysisResult& result) {
  const Ticks error = Completeness(result).clock_error();
  const bool is_account = result.metrics[metric].kind >= MetricKind::account;
  if (error <= 0 || !(is_account || is_wait(result, metric))) return 0;
  std::uint64_t waits = result.diagnostics[DiagnosticId::clock_violation].count +
                        result.diagnostics[DiagnosticId::collective_clock_violation].count;
  for (MetricIndex m = 0; m < result.metrics.size(); ++m) {
    bool inside = is_account;
    for (MetricIndex above = m; above != no_metric && !inside; above = result.metrics[above].parent)
      inside = above == metric;
    if (inside && result.waits.contains(m)) waits += result.waits.at(m).statistics.count;
  }
  return result.seconds(error) * static_cast<double>(waits);
}

/// The value of a metric. Complains if it is unknown.
Known value_of(const Gate& gate, MetricIndex metric, const AnalysisResult& result) {
  const RunTotals run(result);
  const Totals& totals = run.of(gate.scope());
  const Completeness completeness(result);
  const MetricInfo& info = result.metrics[metric];
  const bool is_time = info.unit == Unit::seconds, is_share = gate.measure == Gate::Measure::share && !gate.growth;
  Known known{.value = is_time ? result.seconds(totals.of(metric)) : info.scaled(totals.of(metric)),
              .error = clock_uncertainty(metric, result),
              .at_least = completeness.is_lower_bound(metric),
              .why = completeness.why(metric)};
  if (completeness.means_nothing(metric)) cannot_tell(gate, result, known.why);
  if (is_time && !is_share && result.diagnostics[DiagnosticId::clock_without_resolution].count != 0)
    cannot_tell(gate, result, "its clock has no resolution, so that it is not known how long a tick is");
  if (!is_share) return known;
  if (totals.time() <= 0)
    throw UsageError(fmt::format("gate '{}': {} has no total time of which '{}' could be a share", gate.text,
                                 printable(result.path), gate.metric));
  if (completeness.is_lower_bound(totals.time_metric()))
    cannot_tell(gate, result, completeness.why(totals.time_metric()));
  known.value /= result.seconds(totals.time());
  known.error /= result.seconds(totals.time());
  if (!gate.asked) known.without = without_text(run);
  return known;
}

/// The value of a factor. Complains if it is unknown, as it is if the end of a location is missing.
double factor_of(const Gate& gate, const AnalysisResult& result) {
  if (gate.measure == Gate::Measure::seconds)
    throw UsageError(fmt::format("gate '{}': '{}' is a ratio: give its limit in per cent, or as a number from 0 to 1",
                                 gate.text, gate.metric));
  const RunTotals run(result);
  const Totals& totals = run.of(gate.scope());
  const Efficiency e = efficiency(result, totals);
  const Completeness completeness(result);
  if (!e.known()) cannot_tell(gate, result, why_unknown(result, e.unknown));
  if (completeness.is_lower_bound(totals.time_metric()))
    cannot_tell(gate, result, completeness.why(totals.time_metric()));
  if (const EfficiencyFactor* factor = efficiency_factor(gate.metric)) return e.*factor->value;
  const IdealMachine m = ideal_machine(result, totals);
  if (!m.was_asked)
    cannot_tell(gate, result, "it is known only with the waits of an ideal machine: --pattern mpi_ideal_wait");
  if (!m.known()) cannot_tell(gate, result, why_unknown(result, m));
  return m.*ideal_factor(gate.metric)->value;
}

/// Growth from one value to another: in per cent of the first, or absolute.
double growth(const Gate& gate, double from, double to) {
  const double difference = to - from;
  if (gate.measure != Gate::Measure::share || difference == 0) return difference;
  return from == 0 ? std::copysign(std::numeric_limits<double>::infinity(), difference) : difference / std::abs(from);
}

// ---- as text ----

/// As many digits, four at least, as show on which side of the limit a value lies.
int digits_of(const Gate& gate, double value) {
  constexpr int fewest = 4, most = 15;
  for (int digits = fewest; digits < most; ++digits)
    if (gate.holds(std::stod(fmt::format("{:.{}e}", value, digits - 1))) == gate.holds(value)) return digits;
  return most;
}

std::string text_of(const Gate& gate, double value, Unit unit) {
  const char* sign = gate.growth && value > 0 ? "+" : "";
  if (std::isinf(value)) return "from nothing to something";
  const int digits = digits_of(gate, value);
  if (gate.measure == Gate::Measure::share) return fmt::format("{}{:.{}g} %", sign, 100 * value, digits);
  if (unit == Unit::seconds) return sign + duration_text(value, digits);
  if (unit == Unit::counter && (std::abs(value) >= 0x1p53 || std::trunc(value) != value))
    return fmt::format("{}{:.6g}", sign, value);
  return sign + grouped(std::llround(value)) + (unit == Unit::bytes ? " bytes" : "");
}

/// A factor and its growth, in per cent or as numbers from 0 to 1.
std::string factor_text(const Gate& gate, double value) {
  const char* sign = gate.growth && value > 0 ? "+" : "";
  if (std::isinf(value)) return "from nothing to something";
  const int digits = digits_of(gate, value);
  return gate.measure == Gate::Measure::share ? fmt::format("{}{:.{}g} %", sign, 100 * value, digits)
                                              : fmt::format("{}{:.{}g}", sign, value, digits);
}

// ---- one condition ----

/// The value that a condition compares with its limit.
struct Measured {
  double value = 0;
  std::string text{};
  bool at_least = false;
  std::string without{};  ///< see Verdict
};

/// Complains if the gate holds for one of two values, between which the true one lies, and not for the other.
void expect_decided(const Gate& gate, const AnalysisResult& result, double least, double most, Unit unit) {
  if (gate.holds(least) == gate.holds(most)) return;
  cannot_tell(gate, result,
              fmt::format("its clocks disagree by up to {}, which decides it: the true value may be anything "
                          "from {} to {}",
                          duration_text(result.seconds(Completeness(result).clock_error())), text_of(gate, least, unit),
                          text_of(gate, most, unit)));
}

Measured measure(const Gate& gate, const AnalysisResult& result) {
  require_no_growth(gate);
  if (is_factor(gate.metric)) {
    const double value = factor_of(gate, result);
    return {.value = value, .text = factor_text(gate, value)};
  }
  const MetricIndex metric = metric_of(gate, result);
  const Unit unit = result.metrics[metric].unit;
  check_unit(gate, result.metrics[metric]);
  const Known known = value_of(gate, metric, result);
  if (known.at_least) {
    // The true value may be larger: such a value is decided only if it already lies beyond the limit.
    const bool greater = gate.op == Gate::Operator::greater || gate.op == Gate::Operator::greater_equal;
    if (greater != gate.holds(known.value)) cannot_tell(gate, result, known.why);
  }
  expect_decided(gate, result, std::max(0., known.value - known.error), known.value + known.error, unit);
  return {.value = known.value,
          .text = (known.at_least ? "at least " : "") + text_of(gate, known.value, unit),
          .at_least = known.at_least,
          .without = known.without};
}

Measured measure(const Gate& gate, const AnalysisResult& before, const AnalysisResult& after) {
  if (!gate.growth) return measure(gate, after);
  if (is_factor(gate.metric)) {
    const double grown = growth(gate, factor_of(gate, before), factor_of(gate, after));
    return {.value = grown, .text = factor_text(gate, grown)};
  }
  const MetricIndex old_metric = metric_of(gate, before), metric = metric_of(gate, after);
  const MetricInfo& info = after.metrics[metric];
  check_same_unit(gate, before.metrics[old_metric], info);
  check_unit(gate, info);
  const Known from = value_of(gate, old_metric, before), to = value_of(gate, metric, after);
  if (from.at_least) cannot_tell(gate, before, from.why);
  if (to.at_least) cannot_tell(gate, after, to.why);
  if (const std::string why = why_not_comparable(before, after); info.sums() && !why.empty())
    throw UsageError(
        fmt::format("gate '{}' cannot be judged: {}; compare shares or efficiency factors", gate.text, why));
  expect_decided(gate, Completeness(before).clock_error() > Completeness(after).clock_error() ? before : after,
                 growth(gate, from.value + from.error, std::max(0., to.value - to.error)),
                 growth(gate, std::max(0., from.value - from.error), to.value + to.error), info.unit);
  const double grown = growth(gate, from.value, to.value);
  return {.value = grown, .text = text_of(gate, grown, info.unit)};
}

// ---- the verdict ----

/// The condition as the gate states it, without a value.
JudgedCondition condition_of(const Gate& gate, const AnalysisResult& result) {
  using Growth = JudgedCondition::Growth;
  const MetricIndex metric = analysis::find_metric(result.metrics, gate.metric);
  const bool is_share = gate.measure == Gate::Measure::share;
  const Unit unit = gate.measure == Gate::Measure::seconds ? Unit::seconds
                    : metric != no_metric                  ? result.metrics[metric].unit
                                                           : Unit::counter;
  return {.metric = gate.metric,
          .comparison = std::string(gate.comparison()),
          .limit = gate.limit,
          .unit = is_share || is_factor(gate.metric) ? "ratio" : std::string(name(unit)),
          .growth = !gate.growth ? Growth::none
                    : is_share   ? Growth::relative
                                 : Growth::absolute,
          .base = gate.scope()};
}

template <class Visit>
void for_each_condition(const Gate& gate, Visit&& visit) {
  visit(gate);
  for (const Gate& other : gate.others) visit(other);
}

/// The verdict on the run or the runs; units are those of the last one.
template <class... Runs>
Verdict verdict(const Gate& gate, const AnalysisResult& last, const Runs&... runs) {
  Verdict verdict{.gate = gate.whole_text(), .value = "", .outcome = Verdict::Outcome::failed};
  for_each_condition(gate, [&](const Gate& condition) {
    const Measured measured = measure(condition, runs...);
    JudgedCondition judged = condition_of(condition, last);
    if (std::isfinite(measured.value)) judged.value = measured.value;
    judged.at_least = measured.at_least;
    if (!condition.holds(measured.value)) verdict.outcome = Verdict::Outcome::passed;
    if (verdict.without.empty()) verdict.without = measured.without;
    verdict.value += (verdict.conditions.empty() ? "" : " and ") + measured.text;
    verdict.conditions.push_back(std::move(judged));
  });
  return verdict;
}

template <class... Runs>
std::vector<Verdict> verdicts(const std::vector<Gate>& gates, const AnalysisResult& last, const Runs&... runs) {
  std::vector<Verdict> all;
  for (const Gate& gate : gates) try {
      all.push_back(verdict(gate, last, runs...));
    } catch (const UsageError& complaint) {
      Verdict open{.gate = gate.whole_text(), .value = "", .outcome = Verdict::Outcome::undecided};
      for_each_condition(gate, [&](const Gate& c) { open.conditions.push_back(condition_of(c, last)); });
      open.why_undecided = complaint.what();
      all.push_back(std::move(open));
    }
  return all;
}

}  // namespace

Verdict judge(const Gate& gate, const AnalysisResult& result) { return verdict(gate, result, result); }

Verdict judge(const Gate& gate, const AnalysisResult& before, const AnalysisResult& after) {
  return verdict(gate, after, before, after);
}

std::vector<Verdict> judge_all(const std::vector<Gate>& gates, const AnalysisResult& result) {
  return verdicts(gates, result, result);
}

std::vector<Verdict> judge_all(const std::vector<Gate>& gates, const AnalysisResult& before,
                               const AnalysisResult& after) {
  return verdicts(gates, after, before, after);
}

}  // namespace waitstate::report

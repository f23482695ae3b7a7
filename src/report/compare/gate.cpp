#include "report/compare/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "analysis/metrics/metric_names.hpp"
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

constexpr std::string_view blanks = " \t";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

struct UnitName {
  std::string_view name;
  Gate::Measure measure;
  double factor;
};
constexpr UnitName units[] = {
    {"", Gate::Measure::number, 1},           {"%", Gate::Measure::share, 0.01},
    {"s", Gate::Measure::seconds, 1},         {"ms", Gate::Measure::seconds, 1e-3},
    {"us", Gate::Measure::seconds, 1e-6},     {"KiB", Gate::Measure::number, 1024},
    {"MiB", Gate::Measure::number, 1048576.}, {"GiB", Gate::Measure::number, 1073741824.},
};

/// Value of a metric as a gate sees it: exact, the least that it can be, or neither.
struct Known {
  double value;
  bool at_least, unknown;
  std::string why;
  std::string without;  ///< see Verdict
};

Known value_of(const Gate& gate, MetricIndex metric, const AnalysisResult& result) {
  const RunTotals run(result);
  const Totals& totals = run.of(gate.scope());
  const Completeness completeness(result);
  Known known{result.metrics[metric].unit == Unit::seconds ? result.seconds(totals.of(metric))
                                                           : result.metrics[metric].scaled(totals.of(metric)),
              completeness.is_lower_bound(metric), false, completeness.why(metric), ""};
  known.unknown = completeness.means_nothing(metric);
  if (!known.unknown && gate.measure == Gate::Measure::share && !gate.growth) {
    if (totals.time() <= 0)
      throw UsageError(fmt::format("gate '{}': {} has no total time of which '{}' could be a share", gate.text,
                                   printable(result.path), gate.metric));
    known.value = known.value / result.seconds(totals.time());
    known.unknown = completeness.is_lower_bound(totals.time_metric());
    if (known.unknown) known.why = completeness.why(totals.time_metric());
    if (!gate.asked) known.without = without_text(run);
  }
  return known;
}

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

bool holds(Gate::Operator op, double value, double limit) {
  switch (op) {
    case Gate::Operator::greater:
      return value > limit;
    case Gate::Operator::greater_equal:
      return value >= limit;
    case Gate::Operator::less:
      return value < limit;
    case Gate::Operator::less_equal:
      break;
  }
  return value <= limit;
}

std::string text_of(const Gate& gate, double value, Unit unit) {
  const char* sign = gate.growth && value > 0 ? "+" : "";
  if (std::isinf(value)) return "from nothing to something";
  if (gate.measure == Gate::Measure::share) return fmt::format("{}{:.4g} %", sign, 100 * value);
  if (unit == Unit::seconds) return fmt::format("{}{:.6g} s", sign, value);
  if (unit == Unit::counter && (std::abs(value) >= 0x1p53 || std::trunc(value) != value))
    return fmt::format("{}{:.6g}", sign, value);
  return sign + grouped(std::llround(value)) + (unit == Unit::bytes ? " bytes" : "");
}

/// A factor and its growth, in per cent or as numbers from 0 to 1.
std::string factor_text(const Gate& gate, double value) {
  const char* sign = gate.growth && value > 0 ? "+" : "";
  if (std::isinf(value)) return "from nothing to something";
  return gate.measure == Gate::Measure::share ? fmt::format("{}{:.4g} %", sign, 100 * value)
                                              : fmt::format("{}{:.4g}", sign, value);
}

/// Growth from one value to another: in per cent of the first, or absolute.
double growth(const Gate& gate, double from, double to) {
  const double difference = to - from;
  if (gate.measure != Gate::Measure::share || difference == 0) return difference;
  return from == 0 ? std::copysign(std::numeric_limits<double>::infinity(), difference) : difference / std::abs(from);
}

[[noreturn]] void cannot_tell(const Gate& gate, const AnalysisResult& result, const Known& known) {
  throw UsageError(fmt::format("gate '{}' cannot be judged on {}: {}", gate.text, printable(result.path), known.why));
}

/// The value of a factor; it is unknown if the end of a location is missing.
double factor_of(const Gate& gate, const AnalysisResult& result) {
  if (gate.measure == Gate::Measure::seconds)
    throw UsageError(fmt::format("gate '{}': '{}' is a ratio: give its limit in per cent, or as a number from 0 to 1",
                                 gate.text, gate.metric));
  const RunTotals run(result);
  const Totals& totals = run.of(gate.scope());
  const Efficiency e = efficiency(result, totals);
  const Completeness completeness(result);
  if (!e.known()) cannot_tell(gate, result, {0, false, true, why_unknown(result, e.unknown), ""});
  if (completeness.is_lower_bound(totals.time_metric()))
    cannot_tell(gate, result, {0, false, true, completeness.why(totals.time_metric()), ""});
  if (const EfficiencyFactor* factor = efficiency_factor(gate.metric)) return e.*factor->value;
  const IdealMachine m = ideal_machine(result, totals);
  if (!m.was_asked)
    cannot_tell(gate, result,
                {0, false, true, "it is known only with the waits of an ideal machine: --pattern mpi_ideal_wait", ""});
  if (!m.known()) cannot_tell(gate, result, {0, false, true, why_unknown(result, m), ""});
  return m.*ideal_factor(gate.metric)->value;
}

}  // namespace

namespace {

std::string text_of_all(const Gate& gate) {
  std::string text = gate.text;
  for (const Gate& other : gate.others) text += " and " + other.text;
  return text;
}

std::size_t process_count(const AnalysisResult& result) {
  const auto& all = result.definitions.processes;
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const LocationGroup& p) {
    return p.type == LocationGroupType::process && !p.locations.empty();
  }));
}

/// By how much the clocks' disagreement may have changed a wait state, in the gate's unit: each of its waits, and each
/// message that was received before it was sent, by as much as the clocks disagree at most.
double uncertainty(const Gate& gate, MetricIndex metric, const AnalysisResult& result) {
  const Ticks error = Completeness(result).clock_error();
  if (error <= 0 || gate.growth || !is_wait(result, metric)) return 0;
  std::uint64_t waits = result.diagnostics[DiagnosticId::clock_violation].count +
                        result.diagnostics[DiagnosticId::collective_clock_violation].count;
  for (MetricIndex m = 0; m < result.metrics.size(); ++m)
    for (MetricIndex above = m; above != no_metric; above = result.metrics[above].parent)
      if (above == metric && result.waits.contains(m)) waits += result.waits.at(m).statistics.count;
  const double seconds = result.seconds(error) * static_cast<double>(waits);
  if (gate.measure != Gate::Measure::share) return seconds;
  const RunTotals run(result);
  return seconds / result.seconds(run.of(gate.scope()).time());
}

/// A gate of one condition.
Gate parse_condition(std::string_view text) {
  const auto fail = [&](const std::string& what) -> UsageError {
    return UsageError(
        fmt::format("gate '{}': {}; expected e.g. 'mpi_latesender>5%', 'time>+0.5s' or 'visits>=1000'", text, what));
  };
  Gate gate;
  gate.text = trimmed(text);
  const auto at = gate.text.find_first_of("<>");
  if (at == std::string::npos) throw fail("there is no > or <");
  gate.metric = trimmed(std::string_view(gate.text).substr(0, at));
  if (const auto sign = gate.metric.rfind('@'); sign != std::string::npos) {  // names of counters may have one
    gate.asked = scope_of(trimmed(std::string_view(gate.metric).substr(sign + 1)));
    if (gate.asked) gate.metric = trimmed(std::string_view(gate.metric).substr(0, sign));
  }
  if (gate.metric.empty()) throw fail("there is no metric before the comparison");
  const bool greater = gate.text[at] == '>', equal = at + 1 < gate.text.size() && gate.text[at + 1] == '=';
  gate.op = greater ? (equal ? Gate::Operator::greater_equal : Gate::Operator::greater)
                    : (equal ? Gate::Operator::less_equal : Gate::Operator::less);

  std::string_view limit = trimmed(std::string_view(gate.text).substr(at + 1 + equal));
  if (limit.empty()) throw fail("there is no limit after the comparison");
  gate.growth = limit[0] == '+' || limit[0] == '-';
  if (limit.starts_with("+-")) throw fail("the limit has two signs");
  if (limit[0] == '+') limit.remove_prefix(1);
  const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), gate.limit);
  if (error != std::errc{} || !std::isfinite(gate.limit))
    throw fail(fmt::format("'{}' does not begin with a number", limit));
  const std::string_view unit = trimmed(limit.substr(static_cast<std::size_t>(end - limit.data())));
  const auto* known =
      std::find_if(std::begin(units), std::end(units), [&](const UnitName& u) { return u.name == unit; });
  if (known == std::end(units))
    throw fail(fmt::format("'{}' is not a unit; units are %, s, ms, us, KiB, MiB, GiB", unit));
  gate.measure = known->measure;
  gate.limit *= known->factor;
  if (!std::isfinite(gate.limit)) throw fail(fmt::format("'{}' is too large", limit));
  return gate;
}

/// The first condition's verdict, with those of the others.
Verdict with_others(const Gate& gate, Verdict verdict, const std::function<Verdict(const Gate&)>& judge_other) {
  for (const Gate& other : gate.others) {
    const Verdict also = judge_other(other);
    verdict.value += " and " + also.value;
    verdict.failed = verdict.failed && also.failed;
  }
  if (!gate.others.empty()) verdict.gate = text_of_all(gate);
  return verdict;
}

/// Growth of sums says nothing about runs of different sizes.
void require_same_size(const Gate& gate, const AnalysisResult& before, const AnalysisResult& after) {
  const std::size_t old_size = process_count(before), size = process_count(after);
  if (old_size != size)
    throw UsageError(
        fmt::format("gate '{}': the runs have {} and {} processes, so that growth of sums means nothing; "
                    "compare shares or efficiency factors",
                    gate.text, old_size, size));
}

}  // namespace

Gate parse_gate(std::string_view text) {
  constexpr std::string_view word = " and ";
  const auto at = text.find(word);
  Gate gate = parse_condition(text.substr(0, at));
  if (at == text.npos) return gate;
  for (std::string_view rest = text.substr(at + word.size());;) {
    const auto next = rest.find(word);
    gate.others.push_back(parse_condition(rest.substr(0, next)));
    if (next == rest.npos) return gate;
    rest.remove_prefix(next + word.size());
  }
}

void require_no_growth(const Gate& gate) {
  for (const Gate& other : gate.others) require_no_growth(other);
  if (gate.growth)
    throw UsageError(
        fmt::format("gate '{}' is about growth, which takes two reports: use 'waitstate diff', or leave "
                    "the sign out",
                    gate.text));
}

namespace {

Verdict judge_condition(const Gate& gate, const AnalysisResult& result) {
  require_no_growth(gate);
  if (is_factor(gate.metric)) {
    const double value = factor_of(gate, result);
    return {gate.text, factor_text(gate, value), holds(gate.op, value, gate.limit), gate.scope()};
  }
  const MetricIndex metric = metric_of(gate, result);
  check_unit(gate, result.metrics[metric]);
  const Known known = value_of(gate, metric, result);
  if (known.unknown) cannot_tell(gate, result, known);
  const bool failed = holds(gate.op, known.value, gate.limit);
  if (known.at_least) {
    // The true value may be larger: such a value is decided only if it already lies beyond the limit.
    const bool greater = gate.op == Gate::Operator::greater || gate.op == Gate::Operator::greater_equal;
    if (greater != failed) cannot_tell(gate, result, known);
  }
  if (gate.measure == Gate::Measure::seconds && result.diagnostics[DiagnosticId::clock_without_resolution].count != 0)
    cannot_tell(gate, result,
                {0, false, true, "its clock has no resolution, so that it is not known how long a tick is", ""});
  if (const double error = uncertainty(gate, metric, result); error > 0)
    if (holds(gate.op, known.value - error, gate.limit) != holds(gate.op, known.value + error, gate.limit))
      cannot_tell(
          gate, result,
          {0, false, true,
           fmt::format("the clocks disagree by up to {:.3g} s, which decides it: the value is {} give or take {}",
                       result.seconds(Completeness(result).clock_error()),
                       text_of(gate, known.value, result.metrics[metric].unit),
                       text_of(gate, error, result.metrics[metric].unit)),
           ""});
  return {gate.text, (known.at_least ? "at least " : "") + text_of(gate, known.value, result.metrics[metric].unit),
          failed, gate.scope(), known.without};
}

Verdict judge_condition(const Gate& gate, const AnalysisResult& before, const AnalysisResult& after) {
  if (!gate.growth) return judge_condition(gate, after);
  if (is_factor(gate.metric)) {
    const double grown = growth(gate, factor_of(gate, before), factor_of(gate, after));
    return {gate.text, factor_text(gate, grown), holds(gate.op, grown, gate.limit), gate.scope()};
  }
  const MetricIndex old_metric = metric_of(gate, before), metric = metric_of(gate, after);
  check_unit(gate, after.metrics[metric]);
  const Known from = value_of(gate, old_metric, before), to = value_of(gate, metric, after);
  if (from.at_least) cannot_tell(gate, before, from);
  if (to.at_least) cannot_tell(gate, after, to);
  if (after.metrics[metric].sums()) require_same_size(gate, before, after);
  const double grown = growth(gate, from.value, to.value);
  return {gate.text, text_of(gate, grown, after.metrics[metric].unit), holds(gate.op, grown, gate.limit), gate.scope()};
}

}  // namespace

Verdict judge(const Gate& gate, const AnalysisResult& result) {
  return with_others(gate, judge_condition(gate, result),
                     [&](const Gate& other) { return judge_condition(other, result); });
}

Verdict judge(const Gate& gate, const AnalysisResult& before, const AnalysisResult& after) {
  return with_others(gate, judge_condition(gate, before, after),
                     [&](const Gate& other) { return judge_condition(other, before, after); });
}

std::string verdicts_text(const std::vector<Verdict>& verdicts, const Style& style) {
  if (verdicts.empty()) return "";
  std::size_t gates = 4, values = 5, failed = 0;
  for (const Verdict& v : verdicts) {
    gates = std::max(gates, columns(v.gate));
    values = std::max(values, columns(v.value));
    failed += v.failed;
  }
  std::string text = left("gate", gates + 2) + right("value", values) + "  verdict\n";
  for (const Verdict& v : verdicts)
    text += left(printable(v.gate), gates + 2) + right(v.value, values) + "  " + (v.failed ? "fails" : "ok") + '\n';
  text += failed == 0
              ? "No gate fails.\n"
              : fmt::format("{} of {} fail{}.\n", failed,
                            count(static_cast<std::int64_t>(verdicts.size()), "gate", "gates"), failed == 1 ? "s" : "");
  const auto without =
      std::find_if(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return !v.without.empty(); });
  if (without != verdicts.end())
    text += paragraph("",
                      fmt::format("Shares are of the time without {}; METRIC@whole is the share of the total time.",
                                  without->without),
                      style.width);
  return text;
}

}  // namespace waitstate::report

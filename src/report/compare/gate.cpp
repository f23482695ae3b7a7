#include "report/compare/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

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
    {"us", Gate::Measure::seconds, 1e-6},     {"µs", Gate::Measure::seconds, 1e-6},
    {"ns", Gate::Measure::seconds, 1e-9},     {"KiB", Gate::Measure::number, 1024},
    {"MiB", Gate::Measure::number, 1048576.}, {"GiB", Gate::Measure::number, 1073741824.},
};

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
    throw fail(fmt::format("'{}' is not a unit; units are %, s, ms, us, ns, KiB, MiB, GiB", unit));
  gate.measure = known->measure;
  gate.limit *= known->factor;
  if (!std::isfinite(gate.limit)) throw fail(fmt::format("'{}' is too large", limit));
  return gate;
}

}  // namespace

std::string Gate::whole_text() const {
  std::string whole = text;
  for (const Gate& other : others) whole += " and " + other.text;
  return whole;
}

std::string_view Gate::comparison() const {
  constexpr std::string_view signs[] = {">", ">=", "<", "<="};
  return signs[static_cast<std::size_t>(op)];
}

bool Gate::holds(double value) const {
  switch (op) {
    case Operator::greater:
      return value > limit;
    case Operator::greater_equal:
      return value >= limit;
    case Operator::less:
      return value < limit;
    case Operator::less_equal:
      break;
  }
  return value <= limit;
}

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

}  // namespace waitstate::report

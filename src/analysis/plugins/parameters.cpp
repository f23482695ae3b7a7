// Parameters of patterns. The type of a parameter is that of its fallback; text becomes a value in set() and nowhere
// else, independent of the locale, and value_text() writes what set() reads, so that analyses can be repeated from
// their reports. A pattern reads its parameters once, in configure(), so look-ups are linear.
#include "waitstate/pattern/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate {
namespace {

constexpr std::size_t none = ~std::size_t{0};

std::size_t find(const std::vector<ParameterSpec>& specs, std::string_view name) {
  const auto it = std::find_if(specs.begin(), specs.end(), [&](const ParameterSpec& s) { return s.name == name; });
  return it == specs.end() ? none : static_cast<std::size_t>(it - specs.begin());
}

// Reads a text that is a number of type T as a whole.
template <class T>
bool read(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && stop == end;
}

template <class Number>
std::string number_text(Number number) {
  char buffer[32];  // the shortest text that reads back as the same double has at most 24 characters
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

std::string wrong(const ParameterSpec& spec, const char* expected, std::string_view text) {
  const std::string range = range_text(spec);
  return "parameter '" + spec.name + "' takes " + expected + (spec.unit.empty() ? "" : " in " + spec.unit) +
         (range.empty() ? "" : " (" + range + ")") + ", not '" + std::string(text) + "'";
}

bool is_in_range(const ParameterSpec& spec, double value) {
  return (!spec.minimum || value >= *spec.minimum) && (!spec.maximum || value <= *spec.maximum);
}

std::string unknown(const std::vector<ParameterSpec>& specs, std::string_view name) {
  std::vector<std::string_view> known;
  std::string list;
  for (const ParameterSpec& s : specs) {
    known.push_back(s.name);
    list += (list.empty() ? "" : ", ") + s.name;
  }
  std::string message = "no parameter has the name '" + std::string(name) + "'";
  if (specs.empty()) return message + ": there are none";
  const std::string near = util::nearest(name, known);
  return near.empty() ? message + "; known: " + list : message + ": did you mean '" + near + "'?";
}

}  // namespace

std::string range_text(const ParameterSpec& spec) {
  if (spec.minimum && spec.maximum) return number_text(*spec.minimum) + " to " + number_text(*spec.maximum);
  if (spec.minimum) return "at least " + number_text(*spec.minimum);
  return spec.maximum ? "at most " + number_text(*spec.maximum) : "";
}

Parameters::Parameters(std::vector<ParameterSpec> specs) : specs_(std::move(specs)) {
  for (const ParameterSpec& s : specs_) values_.push_back(s.fallback);
}

void Parameters::set(std::string_view name, std::string_view text) {
  const std::size_t i = find(specs_, name);
  if (i == none) throw UsageError(unknown(specs_, name));
  if (auto* integer = std::get_if<std::int64_t>(&values_[i])) {
    std::int64_t value = 0;
    if (!read(text, value) || !is_in_range(specs_[i], static_cast<double>(value)))
      throw UsageError(wrong(specs_[i], "a whole number", text));
    *integer = value;
  } else if (auto* number = std::get_if<double>(&values_[i])) {
    double value = 0;
    if (!read(text, value) || !std::isfinite(value) || !is_in_range(specs_[i], value))
      throw UsageError(wrong(specs_[i], "a number", text));
    *number = value;
  } else {
    values_[i] = std::string(text);
  }
}

std::size_t Parameters::index(std::string_view name) const {
  const std::size_t i = find(specs_, name);
  if (i == none) throw std::out_of_range(unknown(specs_, name));
  return i;
}

std::int64_t Parameters::integer(std::string_view name) const {
  const auto* value = std::get_if<std::int64_t>(&values_[index(name)]);
  if (value == nullptr) throw std::out_of_range("parameter '" + std::string(name) + "' is not a whole number");
  return *value;
}

double Parameters::number(std::string_view name) const {
  const auto* value = std::get_if<double>(&values_[index(name)]);
  if (value == nullptr) throw std::out_of_range("parameter '" + std::string(name) + "' is not a real number");
  return *value;
}

const std::string& Parameters::text(std::string_view name) const {
  const auto* value = std::get_if<std::string>(&values_[index(name)]);
  if (value == nullptr) throw std::out_of_range("parameter '" + std::string(name) + "' is not a text");
  return *value;
}

std::string Parameters::value_text(std::size_t i) const {
  if (const auto* integer = std::get_if<std::int64_t>(&values_.at(i))) return number_text(*integer);
  if (const auto* number = std::get_if<double>(&values_[i])) return number_text(*number);
  return std::get<std::string>(values_[i]);
}

}  // namespace waitstate

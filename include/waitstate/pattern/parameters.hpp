// The typed parameters of patterns - thresholds, regions, locations - that a user may set (--set ID.PARAM=VALUE).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace waitstate {

/// A whole number, a real number, or text; the type of the default is the type of the parameter.
using ParameterValue = std::variant<std::int64_t, double, std::string>;

struct ParameterSpec {
  std::string name;         ///< e.g. "threshold"
  ParameterValue fallback;  ///< its value unless the user sets one
  std::string unit;         ///< e.g. "s", "bytes"; empty for pure numbers and text
  std::string summary;      ///< one sentence
  /// Smallest and largest value of a number, if it has such limits. Exact up to 2^53.
  std::optional<double> minimum{}, maximum{};
};

/// The range as words: "0 to 1", "at least 0", "at most 5"; empty if there is none.
std::string range_text(const ParameterSpec& spec);

/// The parameters of one pattern with their values.
class Parameters {
 public:
  Parameters() = default;
  /// Sets all parameters to their fallbacks.
  explicit Parameters(std::vector<ParameterSpec> specs);

  /// Throws UsageError with the nearest name if there is no such parameter, or if the text is not a value of its type
  /// and range.
  void set(std::string_view name, std::string_view text);

  // These throw std::out_of_range if there is no parameter of this name and type.
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;

  const std::vector<ParameterSpec>& specs() const { return specs_; }
  const ParameterValue& value(std::size_t i) const { return values_[i]; }
  /// The value as text that set() reads.
  std::string value_text(std::size_t i) const;

 private:
  std::size_t index(std::string_view name) const;
  std::vector<ParameterSpec> specs_;
  std::vector<ParameterValue> values_;
};

}  // namespace waitstate

// Fields of tables of comma-separated values, as RFC 4180 has them: quoted only where they need it.
//
// A call path is written in full in each row, so deep recursion would make a table whose size is the square of the
// depth. Of a call path that is longer than any without recursion, only the outermost and innermost regions are
// written, with its number in the call tree of the JSON report, so that no two are the same, and its depth:
//
//   main/f/f/…/[call path 20003 of depth 20000]/…/f/f
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Composes the paths of call paths as fields; a path that is asked for again at once is not composed again.
class CsvPaths {
 public:
  /// `result` must outlive it.
  explicit CsvPaths(const AnalysisResult& result);
  /// The path as a field; "" for none. Valid until the next call.
  const std::string& operator()(CallPathId id);
  /// The path as text, without quotes. `where` stands behind the depth of a path that is shortened.
  std::string path(CallPathId id, std::string_view where = "") const;

  /// Longest paths, in bytes, that are written in full, and the limit for paths of more than `deep` regions; `ends` is
  /// the number of regions that are kept at either end of a path that is shortened.
  static constexpr std::size_t longest_deep = 4096, longest = 65536, deep = 256, ends = 8;

 private:
  std::string shortened(CallPathId id, std::string_view where) const;

  const AnalysisResult& result_;
  std::vector<std::size_t> length_;   ///< length of the path in bytes, by call path
  std::vector<std::uint32_t> depth_;  ///< from 1
  std::vector<std::uint32_t> number_;
  std::vector<CallPathId> outer_;  ///< the call path above it at depth `ends`
  CallPathId last_;
  std::string text_;
};

/// The text as a field, in quotes where it needs them, of printable characters. A text that spreadsheets would run as a
/// formula, because it begins with = + - or @, gets an apostrophe in front.
std::string csv_field(std::string_view text);
/// A value of a metric as tables show it: seconds, and counters that are no integers, with twelve significant digits,
/// all else as an integer.
std::string csv_number(const AnalysisResult& result, const MetricInfo& metric, std::int64_t value);

}  // namespace waitstate::report

// The severity table as CSV, in the form that reference results of this field are exchanged in:
//
//   metric,callpath,location,value
//   mpi_latesender,p2p/main/late_sender/MPI_Recv,1,0.0501234567891
//
// Of a trace that has counters there are two more columns, empty for all else: `rate`, of a counter whose values add
// up, per second of the time in that call path on that location; `mean`, of one that is a state.
//
// Inclusive along the metric tree, exclusive along the call tree; rows that are zero are left out. Seconds have twelve
// significant digits, counts and bytes are integers; fields are quoted only where CSV needs it (RFC 4180).
//
// A call path is written in full in each row, so deep recursion would make a table whose size is the square of the
// depth. Of one that is longer than any program's that is no recursion, only the outermost and innermost regions are
// written, and which call path it is (its number in the call tree of the JSON report, so that no two are the same) and
// how deep:
//
//   main/f/f/…/[call path 20003 of depth 20000]/…/f/f
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

void write_csv(const AnalysisResult& result, std::ostream& out);

/// Composes the paths of call paths as fields; what is asked for again at once is not composed again.
class CsvPaths {
 public:
  /// `result` must outlive it.
  explicit CsvPaths(const AnalysisResult& result);
  /// "" for none. Valid until the next call.
  const std::string& operator()(CallPathId id);
  /// The same, not as a field. `where` stands behind the depth of what is shortened.
  std::string path(CallPathId id, std::string_view where = "") const;

  /// Bytes of paths that are written in full: of deep ones, of all. Regions from which a path is deep; and at either
  /// end of what is shortened.
  static constexpr std::size_t longest_deep = 4096, longest = 65536, deep = 256, ends = 8;

 private:
  std::string shortened(CallPathId id, std::string_view where) const;

  const AnalysisResult& result_;
  std::vector<std::size_t> length_;   ///< of the path, in bytes, by call path
  std::vector<std::uint32_t> depth_;  ///< from 1
  std::vector<std::uint32_t> number_;
  std::vector<CallPathId> outer_;  ///< what it is below, at depth `ends`
  CallPathId last_;
  std::string text_;
};

/// The text as a field, in quotes where it needs them, of printable characters.
std::string csv_field(std::string_view text);
/// A value as the table shows it: seconds, and counters that are no integers, with twelve
/// significant digits, else an integer.
std::string csv_number(const AnalysisResult& result, const MetricInfo& metric, std::int64_t value);

}  // namespace waitstate::report

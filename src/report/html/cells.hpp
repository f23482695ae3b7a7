// The severities of one metric as two binary sections of the page; src/report/page/src/sections.ts reads them. All
// numbers are little endian.
//
//   sum:ID    "WSS1", callpaths u32, locations u32; then a float64 per call path and per location: exact sums
//   cells:ID  "WSC1", callpaths u32, locations u32, rows u32, cells u32, coded u32, bytes of gaps u32, 0 u32; then
//             rows × u32   call path (as the JSON report numbers them), ascending
//             rows × u32   number of cells; as many as there are locations: all of them, and no gaps
//             rows × f64   the smallest value, 0 if not coded
//             gaps         LEB128 of the distances of locations in the rows that lack some, the first from -1
//             values       not coded: cells × f64; coded: the high bytes of all steps, then the low bytes
//
// A coded value is smallest × 1.001^step: 0.05 % at most beside the true one, in two bytes that compress well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Of the values of the metric itself, from which it can be told whether Cells are worth their memory.
struct CellSums {
  std::size_t values = 0;    ///< that are not 0
  bool can_be_coded = true;  ///< all of them are positive
  std::vector<std::int64_t> by_callpath, by_location;

  /// `places`: by id of a call path, its number in the report.
  CellSums(const AnalysisResult& result, MetricIndex metric, std::span<const std::uint32_t> places);
};

/// The values of the metric itself that are not 0, row by row.
struct Cells {
  struct Row {
    std::uint32_t callpath;
    std::size_t begin, end;  ///< in locations and values
  };
  std::vector<Row> rows;
  std::vector<std::uint32_t> locations;
  std::vector<std::int64_t> values;

  /// `places`: by id of a call path, its number in the report.
  Cells(const AnalysisResult& result, MetricIndex metric, std::span<const std::uint32_t> places);
};

void write_sums(const CellSums& sums, std::ostream& out);
void write_cells(const Cells& cells, std::size_t callpaths, std::size_t locations, bool coded, std::ostream& out);

}  // namespace waitstate::report

// The severities of one metric as two binary sections of the page, which src/report/page/src/data/severity_sections.ts
// reads. All numbers are little endian.
//
//   sum:ID    "WSS1", callpaths u32, locations u32; then a float64 per call path and per location: exact sums
//   cells:ID  "WSC2", callpaths u32, locations u32, rows u32, values u32, coding u32, bytes of gaps u32, locations of a
//             group u32; then
//             rows × u32   call path (as the JSON report numbers them), ascending
//             rows × u32   number of values; as many as there are locations: all of them, and no gaps; 2^32 - 1: groups
//             rows × f64   the smallest value that is not 0; 0 if not coded
//             gaps         LEB128 of the distances of locations in the rows that lack some, the first from -1
//             values       coding 0: values × f64; else the high bytes of all codes, then the low bytes
//
// A code is 0 of the value 0, else 1 + step of smallest × base^step. The base is 1.001 with coding 1 (0.05 % at most
// beside the true value), 1.01 with coding 2 (0.5 %): two bytes that compress well. A row of groups has three values
// for each group of neighbouring locations: the smallest, the mean, the largest of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The values of the metric itself that are not 0, row by row.
struct Cells {
  struct Row {
    std::uint32_t callpath;
    std::size_t begin, end;  ///< in locations and values
  };
  std::vector<Row> rows;
  std::vector<std::uint32_t> locations;
  std::vector<std::int64_t> values;

  /// `places`: by id of a call path, its number in the report. `count`: of the values.
  Cells(const AnalysisResult& result, MetricIndex metric, std::span<const std::uint32_t> places, std::size_t count);
  /// False where there is a value that is not positive.
  bool can_be_coded() const;
};

enum class Coding : std::uint32_t { exact, fine, coarse };

/// How the values of one metric are written.
struct CellForm {
  static constexpr std::size_t most_groups = 256;

  Coding coding = Coding::exact;
  double grouped_below = 0;  ///< rows that have a smaller share of the metric are groups, where locations are many
};

/// The contents of section sum:ID.
std::string sums_section(const Cells& cells, std::size_t callpaths, std::size_t locations, Aggregation aggregation);

/// The contents of section cells:ID.
struct CellsSection {
  std::string contents;
  std::size_t grouped = 0;  ///< rows that are groups
};
CellsSection cells_section(const Cells& cells, std::size_t callpaths, std::size_t locations, const CellForm& form);

}  // namespace waitstate::report

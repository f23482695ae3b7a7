// The report as one HTML file that needs no network and no server (src/report/page): everything that the JSON report
// has, so each value that it shows is that of the JSON report.
//
//   s:meta       the JSON report without its severities (json_writer.hpp)
//   s:sum:N      of metric N (its place in the JSON report's metrics) the sums by call path and by location (cells.hpp)
//   s:cells:N    its single values
//
// What changed from one run to another is the same page with other data:
//
//   s:diff              what `diff --format json` writes
//   s:before, s:after   as s:meta, of the two
//
// Each is base64 of a zlib stream (section_stream.hpp). A metric without values has neither. Values are put
// together for one metric at a time, and only where they fit into max_bytes; all else needs no memory but for sums.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "report/compare/diff.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct HtmlOptions {
  std::string summary{};               ///< text, shown where there are no scripts
  std::size_t max_bytes = 40'000'000;  ///< single values that do not fit are left out, and the page says so
};

/// Where there are more values than `exact_cells`, single ones are written to 0.05 %; sums are always exact.
inline constexpr std::size_t exact_cells = 200'000;

/// A failed write is the stream's to report.
void write_html(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options);
/// `summary`: text, shown where there are no scripts.
void write_diff_html(const Difference& d, const std::vector<Verdict>& verdicts, std::string_view summary,
                     std::ostream& out);

}  // namespace waitstate::report

// The report as one HTML file that needs no network and no server (src/report/page): everything that the JSON report
// has, so each value that it shows is that of the JSON report. Both are put together in report/pages.hpp.
//
//   s:meta       the JSON report without its severities (json_writer.hpp)
//   s:sum:N      of metric N (its place in the JSON report's metrics) the sums by call path and by location (cells.hpp)
//   s:cells:N    its single values
//   s:reduced    what does not fit, as sentences: an array of JSON
//
// A page larger than its limit has less, in this order, until it fits: contexts of 10 instances; single values to
// 0.05 % (if they were exact), then to 0.5 %; those of the smallest rows by groups of locations, then of larger ones;
// series without locations; at last single values of metrics only that fit. Sums are always there. What is packed is
// kept until it is known to fit: a page takes no more memory than it may be large, and only one that does not fit is
// packed more than once.
//
// What changed from one run to another is the same page with other data:
//
//   s:diff       what `diff --format json` writes
//   s:meta, s:sum:N, s:cells:N, s:reduced   as above, of the difference, B less A (compare/delta.hpp)
//
// Each is base64 of a zlib stream (sections.hpp). A metric without values has neither. Single values stand behind the
// page's script: of a large report they are most of the file, and the trees are drawn while a browser still reads them.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct HtmlOptions {
  std::string summary{};               ///< text, shown where there are no scripts
  std::size_t max_bytes = 40'000'000;  ///< a page that would be larger is reduced, and says so
  /// Where there are more values, single ones are written to 0.05 %; sums are always exact.
  std::size_t exact_cells = 200'000;
  std::size_t threads = 1;  ///< how many may pack a large report
};

/// How much the meta section has of the parts that take most of a large report.
struct MetaParts {
  std::size_t contexts = WaitContext::max_contexts;  ///< number of the most severe instances that have theirs
  bool series_by_location = true;
  friend bool operator==(const MetaParts&, const MetaParts&) = default;
};
using MetaText = std::function<std::string(const MetaParts&)>;

struct PageContents {
  std::string title;             ///< behind which " - waitstate" stands
  const AnalysisResult& values;  ///< the page has its severities
  MetaText meta;                 ///< makes the JSON report without its severities
  std::string diff{};            ///< the JSON of a comparison; "": it is no comparison
};

/// A failed write is the stream's to report.
void write_page(const PageContents& contents, std::ostream& out, const HtmlOptions& options);

}  // namespace waitstate::report

// The result as a CUBE 4 report, which Cube's viewer and the tools around it open: a tar archive with, in this order,
//
//   trace.stat                     statistics of the waits (trace_stat.hpp)
//   0.data, 0.index, 1.data, …     per metric that is not zero everywhere, by its number in the anchor
//   anchor.xml                     what the numbers are of (anchor_writer.hpp)
//
// What overlaps its siblings in the metric tree is a root here (metric_places.hpp), so that no value is below zero
// after those of its children are taken off. A metric is stored as CSV and JSON show it: inclusive along the metric
// tree, EXCLUSIVE along the call tree; times as DOUBLE in seconds, all else as UINT64 (INTEGER if a value is negative).
// Only call paths that have a value get a row, with one value a location; one such row at a time is in memory, beside
// the table of what is not zero and its seconds.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The same result gives the same bytes. A failed write is the stream's to report.
void write_cube(const AnalysisResult& result, std::ostream& out);
/// `file` appears only once it is complete; one that is there is replaced. Throws
/// OutputError with path and reason if it cannot be written.
void write_cube(const AnalysisResult& result, const std::filesystem::path& file);

}  // namespace waitstate::report

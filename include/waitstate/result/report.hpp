// Results as files, for other programs and for later:
//
//   std::ofstream file("run.json");
//   waitstate::write_json(waitstate::analyze("traces.otf2"), file);
//   …
//   waitstate::AnalysisResult result = waitstate::read_report("run.json");
//
// The same result gives the same bytes, for any number of threads. How to see who waits for whom: wait_graph.hpp.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate {

/// The table of severities: metric id, call path, location, value, of what is not zero. Values are inclusive along the
/// metric tree and exclusive along the call tree, in seconds (twelve significant digits), occurrences or bytes. A
/// failed write is the stream's to report.
void write_csv(const AnalysisResult& result, std::ostream& out);

/// Everything, to be read back by read_report(); the format is documented by report.schema.json. A failed write is the
/// stream's to report.
void write_json(const AnalysisResult& result, std::ostream& out);

/// A CUBE 4 report (.cubex), which Cube and other tools of the field open. Throws OutputError with path and reason if
/// the file cannot be written. What is there already is replaced once the report is complete, and not before.
void write_cube(const AnalysisResult& result, const std::filesystem::path& file);

/// True if the file can be read and begins like a report that read_report() reads. The name does not matter.
bool is_report(const std::filesystem::path& file);

/// A result from a file that write_json() wrote, from which every report comes out as from the original; or from a CUBE
/// 4 report of any tool, with definitions, call tree, metrics and severities. What the report does not hold is empty.
/// Throws TraceError that says where the file is wrong, or what it is instead of a report.
AnalysisResult read_report(const std::filesystem::path& file);

}  // namespace waitstate

// Results as files, for other programs and for later:
//
//   std::ofstream file("run.json");
//   waitstate::write_json(waitstate::analyze("traces.otf2"), file);
//   …
//   waitstate::AnalysisResult result = waitstate::read_report("run.json");
//
// Equal results give equal bytes, for any number of threads. The graph of who waits for whom is in wait_graph.hpp.
#pragma once

#include <filesystem>
#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate {

/// Writes the table of severities that are not zero: metric id, call path, location, value. Values are inclusive along
/// the metric tree and exclusive along the call tree, in seconds (twelve significant digits), occurrences or bytes. A
/// failed write sets the state of the stream.
void write_csv(const AnalysisResult& result, std::ostream& out);

/// Writes everything, for read_report(); the format is documented by report.schema.json. A failed write sets the state
/// of the stream.
void write_json(const AnalysisResult& result, std::ostream& out);

/// Writes a CUBE 4 report (.cubex), which Cube and other tools of the field open. Throws OutputError with path and
/// reason if the file cannot be written. An existing file is replaced only when the report is complete.
void write_cube(const AnalysisResult& result, const std::filesystem::path& file);

/// True if the file can be read and begins like a report that read_report() reads. The name does not matter.
bool is_report(const std::filesystem::path& file);

/// Reads a result from a file that write_json() wrote, from which every report comes out as from the original; or from
/// a CUBE 4 report of any tool, with definitions, call tree, metrics and severities. Data that the report does not
/// contain stays empty. Throws TraceError that says where the file is wrong, or what it is instead of a report.
AnalysisResult read_report(const std::filesystem::path& file);

}  // namespace waitstate

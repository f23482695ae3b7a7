// Case files: a trace in the text notation together with everything that its analysis must give.
//
//   # Late Sender of 60 ticks: E(recv)=100, E(send)=160.      what it shows, and the arithmetic, derived by hand
//   0 0 enter main
//   …                                                         the trace
//   metrics: mpi_latesender mpi_latereceiver                  what the table below is complete for, or `all`
//   set: slow_slaves.master=1                                 parameters of patterns, each on a line of its own
//   --- severities
//   mpi_latesender,main/MPI_Recv,1,60                         metric,callpath,location,value (ticks, occurrences)
//   --- diagnostics
//   clock_violation 1
//   --- waits
//   mpi_latesender 0 1 1 60                                   metric culprit victim count ticks
//   --- instances
//   mpi_latesender 60 1 1 100 60                              metric total waiters, and of its longest wait:
//                                                             location begin ticks
//   --- culprit_waits
//   mpi_latesender,0,10,70,2,70,main/MPI_Recv                 metric,location,begin of the longest wait of an instance,
//                                                             what its culprit waited in that time, of that most for,
//                                                             how long, where
//   --- open_calls
//   0,main/MPI_Recv,10                                        location,call path,enter
//
// Every table is complete: a row that is missing or too many fails. Severities are inclusive along the metric tree and
// exclusive along the call tree. Without the parts `diagnostics` and `open_calls` nothing at all may be counted, or be
// open; `waits`, `instances` and `culprit_waits` are complete for the metrics that they name, and a row that ends in 0
// (METRIC,0) says that a metric has none. The trace keeps its place in the file, so that line numbers in messages of
// the notation's reader are those of the case file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::support {

/// Rows of a table as they are written in the file; a multiset, so that a row that is there twice is seen.
using Rows = std::multiset<std::string>;

struct CaseFile {
  std::filesystem::path path;
  std::string trace;                 ///< in the notation, including comments
  std::vector<std::string> metrics;  ///< empty: all
  Rows severities;
  Rows diagnostics;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< ID.PARAMETER and its value
  Rows waits;
  Rows instances;
  Rows culprit_waits;
  Rows open_calls;
};

/// All case files below tests/cases, sorted by path.
std::vector<std::filesystem::path> case_paths();
/// Throws std::runtime_error with file, line and the error.
CaseFile read_case(const std::filesystem::path& path);
/// Analyses a trace with the case's parameters. Throws UsageError for one that does not exist.
AnalysisResult analyze_case(const CaseFile& c, const std::filesystem::path& trace);

/// `metric,callpath,location,value` rows of the metrics (empty: of all). Throws UsageError for an unknown metric.
Rows severity_rows(const AnalysisResult& result, const std::vector<std::string>& metrics = {});
/// `id count` rows of the diagnostics.
Rows diagnostic_rows(const AnalysisResult& result);
/// `metric culprit victim count ticks` rows of the metrics (empty: of all).
Rows wait_rows(const AnalysisResult& result, const std::vector<std::string>& metrics = {});
/// `metric total waiters location begin ticks` rows of the most severe instances of the metrics (empty: of all).
Rows instance_rows(const AnalysisResult& result, const std::vector<std::string>& metrics = {});

/// `metric,location,begin,ticks,culprit,most,callpath` rows of the same, for those whose culprits waited themselves.
Rows culprit_wait_rows(const AnalysisResult& result, const std::vector<std::string>& metrics = {});
/// `location,callpath,enter` rows.
Rows open_call_rows(const AnalysisResult& result);

/// The differences, a line each: `missing: …` for an expected row that is missing, `unexpected: …` for an unexpected
/// one. Empty if there are none.
std::string differences(const Rows& expected, const Rows& found);
/// All differences between what the case expects and the result.
std::string differences(const CaseFile& expected, const AnalysisResult& found);

/// A notation file that is there as long as this object.
class TraceFile {
 public:
  explicit TraceFile(std::string_view text);
  ~TraceFile();
  TraceFile(const TraceFile&) = delete;
  TraceFile& operator=(const TraceFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The trace with every event's time moved by `ticks`.
std::string shifted(std::string_view trace, std::uint64_t ticks);

}  // namespace waitstate::support

// Several runs side by side: their values of the same metric, and of the same call path (by_run.hpp says which are the
// same).
//
// Values are added up over locations, so that runs of different numbers of processes can be compared. They are seconds,
// occurrences or bytes, inclusive along the metric tree. A report with another clock has been rounded to its ticks: a
// time that differs from that of the previous run by no more than rounding counts as equal.
//
// Cost: for each metric a step for each call path of each run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/runs/by_run.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The value of one run.
struct RunValue {
  double value = 0;
  bool exists = false;        ///< the run has the metric, or the call path
  Told told = Told::exactly;  ///< how far the metric's total is known in this run
  Unit unit{};                ///< number of the metric in this run
  CallPathId callpath{};      ///< its number in this run, if the row is about a call path
};

struct SideBySideRow {
  std::string metric;
  Unit unit{};                     ///< its name in the last run that has the metric
  bool own = false;                ///< in no run do the values contain anything that metrics below have too
  std::vector<RunValue> values{};  ///< by run

  /// The value of a run minus that of the previous run, or of the first one; none for the first run, and if one of the
  /// two values is not known exactly.
  std::optional<double> change(std::size_t run, Against against = Against::neighbour) const;
  /// True if no value differs from that of the previous run.
  bool is_same() const;
};

struct SideBySide {
  std::vector<const AnalysisResult*> runs;
  std::vector<SideBySideRow> metrics;    ///< totals, in the order of the metric trees
  std::vector<SideBySideRow> callpaths;  ///< values of call paths that are not the same in all runs, metric by metric;
                                         ///< none for a metric that is unknown in a run, or has another unit there
};

/// Ids of the metrics of all runs: those of the last run, with the metrics that only earlier runs have at the places
/// where they would be.
std::vector<std::string> metric_ids(Runs runs);

/// `only`: ids of the metrics, empty for all. The runs must outlive the result; there is at least one.
SideBySide side_by_side(Runs runs, const std::vector<std::string>& only = {});

}  // namespace waitstate::report

// Several runs side by side: what each of them has of the same metric, of the same call path, and of the same factor of
// efficiency.
//
// Metrics are the same by id, call paths by their names from the root (the numbers of two traces have nothing to do
// with each other); values are added up over locations, so that runs of another number of processes can stand beside
// each other. Values are seconds, occurrences or bytes, inclusive along the metric tree. A report of another clock has
// been rounded to its ticks: a time that differs from that of the run before by no more than rounding counts as equal.
//
// Cost: for each metric a step for each call path of each run.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/scope.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The run that a change is measured from.
enum class Against { neighbour, first };

/// The value of one run.
struct RunValue {
  double value = 0;
  bool exists = false;        ///< the run has the metric, or the call path
  Told told = Told::exactly;  ///< how much the metric's total says in this run
  Unit unit{};                ///< the metric's, in this run
  CallPathId callpath{};      ///< its number in this run, if the row is about a call path
};

struct SideBySideRow {
  std::string metric;
  Unit unit{};                     ///< as in the last run that has the metric
  bool own = false;                ///< the values have nothing in them that metrics below have too, in any run
  std::vector<RunValue> values{};  ///< by run

  /// The value of a run less that of the run before it, or of the first one; none for the first run, and where one of
  /// the two does not say exactly what its value is.
  std::optional<double> change(std::size_t run, Against against = Against::neighbour) const;
  /// True if no value differs from that of the run before it.
  bool is_same() const;
};

/// A factor of efficiency, or of the ideal machine, by run; none where a run does not tell.
struct SideBySideFactor {
  std::string_view id;
  std::vector<std::optional<double>> values{};  ///< 0 to 1
};

struct SideBySide {
  std::vector<const AnalysisResult*> runs;
  std::vector<SideBySideRow> metrics;    ///< totals, in the order of the metric trees
  std::vector<SideBySideRow> callpaths;  ///< values of call paths that are not the same in all runs, metric by metric;
                                         ///< none of a metric that a run does not tell at all, or has in another unit
};

using Runs = std::span<const AnalysisResult* const>;

/// Ids of the metrics of all runs: those of the last run, and where they would stand those that only earlier ones have.
std::vector<std::string> metric_ids(Runs runs);

/// `only`: ids of the metrics, empty for all. The runs must outlive the result; there is at least one.
SideBySide side_by_side(Runs runs, const std::vector<std::string>& only = {});

/// The scope in which the efficiency of all runs can be told: without MPI_Init and MPI_Finalize if each of them spends
/// other time too.
Scope common_scope(Runs runs);
/// The factors that at least one run tells, in the order of reports.
std::vector<SideBySideFactor> factors_side_by_side(Runs runs, Scope scope);

}  // namespace waitstate::report

// The change from one run to another, per metric, and per metric and call path: two runs side by side
// (facts/runs/side_by_side.hpp), as text, CSV and JSON.
//
// Runs of different numbers of processes are compared too, with a note. A value that a side cannot tell
// (completeness.hpp), or that was not looked for there, is not zero: the change is unknown then.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "report/compare/verdict.hpp"
#include "report/facts/completeness.hpp"
#include "report/facts/runs/details_by_run.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Change {
  std::string metric;
  std::string callpath;  ///< empty in Difference::metrics; deep ones are shortened as in csv.hpp, with numbers of B if
                         ///< they are there
  Unit unit{};
  double before = 0, after = 0;
  bool in_before = false, in_after = false;                      ///< the metric, or the call path, exists there
  Told before_told = Told::exactly, after_told = Told::exactly;  ///< how far the metric's totals are known
  bool own = false;  ///< `before` and `after` contain nothing that metrics below have too

  double change() const { return after - before; }
  /// False if change() is not the whole change.
  bool known() const { return before_told == Told::exactly && after_told == Told::exactly; }
};

struct Difference {
  const AnalysisResult& before;
  const AnalysisResult& after;
  std::vector<Change> metrics;    ///< all metrics, in the order of the metric trees
  std::vector<Change> callpaths;  ///< call paths that changed: times, then occurrences, then bytes, by size of the
                                  ///< change; none for a metric that one side does not know at all
  std::optional<DetailsByRun> details{};  ///< if they were asked for
  /// The reason why the runs cannot be compared directly, empty if they can.
  std::string not_comparable() const;
};

/// `named`: ids or titles of metrics, empty for all. Throws UsageError with the nearest id if neither side has one.
Difference difference(const AnalysisResult& before, const AnalysisResult& after, const std::vector<std::string>& named);

/// Metrics and call paths that changed, at most `top` of each, and the verdicts of gates.
std::string diff_text(const Difference& d, const std::vector<Verdict>& verdicts, std::size_t top, const Style& style);
/// metric,callpath,before,after,change,relative: totals of metrics (no call path), then call paths that changed. Fields
/// of unknown values are empty.
void diff_csv(const Difference& d, std::ostream& out);
/// The fields that comparison.hpp declares; those of details are empty or missing unless d has details.
void diff_json(const Difference& d, const std::vector<Verdict>& verdicts, std::ostream& out);

}  // namespace waitstate::report

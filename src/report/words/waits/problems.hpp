// The worst wait states in sentences: how much, where, who made whom wait, where the culprit was, and what to do;
// before them, who still waited when the trace ended, of which no wait state knows.
//
// A wait state that is a share of another one (wrong order of Late Sender) is no problem of its own, unless a plug-in
// brought it and not the other. Below a small share of the total time a wait state is said to be small, not called a
// problem.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/facts/totals.hpp"
#include "report/facts/undetermined.hpp"
#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "report/words/waits/accounting.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// By metric id, what the user should do about it.
using Diagnoses = std::map<std::string, std::string, std::less<>>;
Diagnoses diagnoses(const std::vector<PatternHandle>& patterns);

/// Those that the result's metrics say themselves.
Diagnoses diagnoses(const MetricTree& metrics);

inline constexpr double problem_share = 0.01;     ///< of the total time: below it, a wait state is no problem
inline constexpr std::size_t most_problems = 20;  ///< that JSON reports and Python have

/// One of the worst of the run.
struct Problem {
  MetricIndex metric = no_metric;  ///< none: time in a function that is no wait
  std::string title{};
  std::string sentence{};  ///< how much, where, who made whom wait; begins with the title
  std::string advice{};    ///< what to do about it, in sentences; may be empty
  std::int64_t ticks = 0;
  std::int64_t of = 0;    ///< ticks: what its share is of
  bool at_least = false;  ///< it may be more
  CallPathId callpath{};  ///< where most of it is
  std::int64_t callpath_ticks = 0;
  const SevereInstance* worst = nullptr;  ///< the most severe instance there; null where single waits are not known
};

/// The worst of a run, and what is to be said where there is nothing bad.
struct Problems {
  std::vector<Problem> listed;  ///< the worst first
  std::size_t unlisted = 0;     ///< wait states behind the last one that are problems, too
  std::string note;             ///< if no wait state is a problem: what is to be said of that; may be empty
};

/// At most `most`. Call paths in sentences are as long as lines of that style allow. The pointers are to parts of
/// `result`.
Problems find_problems(const AnalysisResult& result, const RunTotals& run, const std::vector<FunctionAccount>& accounts,
                       const std::vector<UndeterminedMetric>& undetermined, const Seconds& seconds,
                       const Diagnoses& diagnoses, std::size_t most, const Style& style);
/// The same with what belongs to a result, and no call path shortened.
Problems find_problems(const AnalysisResult& result, const RunTotals& run, std::size_t most);

/// At most `most` numbered paragraphs, and one on what is small, or what takes the time where nobody waits, or what a
/// report without wait states is good for. Shares are of the time without MPI_Init and MPI_Finalize; of waits in these,
/// of the whole. Ends in '\n'.
std::string problems_text(const AnalysisResult& result, const RunTotals& run,
                          const std::vector<FunctionAccount>& accounts,
                          const std::vector<UndeterminedMetric>& undetermined, const Seconds& seconds,
                          const Diagnoses& diagnoses, std::size_t most, const Style& style);

}  // namespace waitstate::report

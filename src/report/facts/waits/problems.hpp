// The worst wait states of a run, and the function whose time is more than any of them. words/waits/problems.hpp tells
// them in sentences.
//
// A wait state that is a share of another one (as wrong order is of Late Sender) is not a problem of its own, unless a
// plug-in has it and not the other. Below a small share of the total time a wait state is small, and not a problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "report/facts/totals.hpp"
#include "report/facts/waits/accounts.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

inline constexpr double problem_share =
    0.01;  ///< a wait state that takes less than this share of the total time is not a problem
inline constexpr std::size_t most_problems = 20;  ///< as many as JSON reports and Python have

/// One of the worst problems of the run: a wait state, or time in a function that is not a wait.
struct Problem {
  MetricIndex metric = no_metric;  ///< the wait state, if it is one
  Remainder rest{};                ///< else the time that is not a wait
  Scope scope = Scope::whole;      ///< scope of its values
  std::int64_t ticks = 0;
  std::int64_t of = 0;    ///< ticks that its share refers to
  bool at_least = false;  ///< it may be more
  CallPathId callpath{};  ///< where most of it is
  std::int64_t callpath_ticks = 0;
  bool all_there = false;                 ///< nothing of it is in another call path
  const SevereInstance* worst = nullptr;  ///< the most severe instance there; null where single waits are not known
};

struct Problems {
  std::vector<Problem> listed;  ///< the worst first
  std::size_t unlisted = 0;     ///< number of wait states after the last one that are problems, too
  std::vector<std::pair<MetricIndex, std::int64_t>> small;  ///< wait states that are not a problem, the largest first

  /// True if no wait state is a problem.
  bool has_no_wait() const;
};

/// The totals that a metric's problem is measured by. A process that waits in MPI_Finalize waits for the work of
/// others, which no share without it would show.
const Totals& totals_of_problem(const AnalysisResult& result, const RunTotals& run, MetricIndex metric);

/// At most `most`. The pointers are to parts of `result`.
Problems find_problems(const AnalysisResult& result, const RunTotals& run, const std::vector<FunctionAccount>& accounts,
                       std::size_t most);

/// The time that a metric has itself, without the metrics that are added up to it.
struct OwnTime {
  MetricIndex metric;
  std::int64_t ticks;
  bool rest;  ///< others have the rest of the metric
};
std::vector<OwnTime> own_times(const AnalysisResult& result, const Totals& totals);

}  // namespace waitstate::report

// The worst wait states in sentences: how much, where, who made whom wait, where the culprit was, and what to do.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report/facts/waits/problems.hpp"
#include "report/format/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// By metric id, what the user should do about it.
using Diagnoses = std::map<std::string, std::string, std::less<>>;
Diagnoses diagnoses(const std::vector<PatternHandle>& patterns);

/// The diagnoses that the metrics of a result have themselves.
Diagnoses diagnoses(const MetricTree& metrics);

/// A problem with its words.
struct ToldProblem : Problem {
  std::string title{};
  std::string sentence{};  ///< how much, where, who made whom wait; begins with the title
  std::string advice{};    ///< advice in sentences; may be empty
};

struct ToldProblems {
  std::vector<ToldProblem> listed;  ///< the worst first
  std::size_t unlisted = 0;         ///< number of wait states after the last one that are problems, too
  std::string note;                 ///< if no wait state is a problem: what is to be said of that; may be empty
};

/// At most `most`. Call paths in sentences have at most `path_width` columns. The pointers are to parts of `result`.
ToldProblems told_problems(const AnalysisResult& result, const RunTotals& run,
                           const std::vector<FunctionAccount>& accounts, const Seconds& seconds,
                           const Diagnoses& diagnoses, std::size_t most, std::size_t path_width);
/// With the accounts and diagnoses of the result, and no call path shortened; none where times mean nothing.
ToldProblems told_problems(const AnalysisResult& result, const RunTotals& run, std::size_t most);

}  // namespace waitstate::report

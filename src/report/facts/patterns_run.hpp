// The wait states that were looked for: only for these, finding none means something.
#pragma once

#include <string>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct PatternsRun {
  std::vector<std::string> run;      ///< ids
  std::vector<std::string> missing;  ///< ids of built-in patterns that were not run
  bool none = false;  ///< no pattern was run, and there is no wait state that another tool could have found

  /// True if a wait state may be missing because no pattern looked for it.
  bool are_some() const { return none || (!run.empty() && !missing.empty()); }
};
PatternsRun which_patterns_ran(const AnalysisResult& result);

}  // namespace waitstate::report

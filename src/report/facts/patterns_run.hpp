// Which wait states were looked for: that none was found says something of those alone.
#pragma once

#include <string>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct PatternsRun {
  std::vector<std::string> run;      ///< ids
  std::vector<std::string> missing;  ///< ids of built-in patterns that were not run
  bool none = false;                 ///< nothing was run, and no wait state is there that another tool could have found

  /// True if a wait state may be missing because nobody looked for it.
  bool are_some() const { return none || (!run.empty() && !missing.empty()); }
};
PatternsRun which_patterns_ran(const AnalysisResult& result);

}  // namespace waitstate::report

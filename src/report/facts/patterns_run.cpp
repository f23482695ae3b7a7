#include "report/facts/patterns_run.hpp"

#include <algorithm>

#include "util/text.hpp"

namespace waitstate::report {

PatternsRun which_patterns_ran(const AnalysisResult& result) {
  PatternsRun patterns;
  for (const PatternRun& run : result.patterns) patterns.run.push_back(util::printable(run.id));
  for (const PatternHandle& built_in : built_in_patterns())
    if (std::find(patterns.run.begin(), patterns.run.end(), built_in.id()) == patterns.run.end())
      patterns.missing.push_back(built_in.id());
  patterns.none = patterns.run.empty() && result.metrics.find("time") != no_metric &&
                  std::none_of(patterns.missing.begin(), patterns.missing.end(),
                               [&](const std::string& id) { return result.metrics.find(id) != no_metric; });
  return patterns;
}

}  // namespace waitstate::report

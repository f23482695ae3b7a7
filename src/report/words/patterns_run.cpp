#include "report/words/patterns_run.hpp"

#include <fmt/format.h>

#include <vector>

#include "analysis/metrics/metric_names.hpp"
#include "report/facts/patterns_run.hpp"
#include "report/format/layout.hpp"

namespace waitstate::report {
namespace {

std::string names(const std::vector<std::string>& ids) {
  constexpr std::size_t most = 8;
  if (ids.size() <= most) return fmt::format("{}", fmt::join(ids, ", "));
  return fmt::format("{} and {} more", fmt::join(ids.begin(), ids.begin() + most - 1, ", "), ids.size() - most + 1);
}

}  // namespace

std::string patterns_run(const AnalysisResult& result) {
  const PatternsRun patterns = which_patterns_ran(result);
  if (patterns.none) return "none";
  if (!patterns.are_some()) return "";
  return patterns.run.size() <= patterns.missing.size() ? "only " + names(patterns.run)
                                                        : "all but " + names(patterns.missing);
}

std::string patterns_run_sentence(const AnalysisResult& result) {
  const PatternsRun patterns = which_patterns_ran(result);
  if (patterns.none) return "No pattern looked for waiting.";
  if (!patterns.are_some()) return "";
  const bool few = patterns.run.size() <= patterns.missing.size();
  const std::vector<std::string>& ids = few ? patterns.run : patterns.missing;
  return fmt::format("{}{} {} looked for.", few ? "Only " : "", names(ids),
                     few ? (ids.size() == 1 ? "was" : "were") : (ids.size() == 1 ? "was not" : "were not"));
}

std::string why_no_metric(const AnalysisResult& result, std::string_view id) {
  const MetricTree known = MetricTree::built_in();
  if (analysis::find_metric(known, id) != no_metric)
    return fmt::format("{} does not say anything about '{}': it was not analysed", printable(result.path), id);
  const std::string near = analysis::nearest_metric(id, {&result.metrics, &known});
  return fmt::format("no metric has the id '{}'{}", id, near.empty() ? "" : ": did you mean '" + near + "'?");
}

}  // namespace waitstate::report

#include "report/words/patterns_run.hpp"

#include <fmt/format.h>

#include <vector>

#include "analysis/metrics/metric_names.hpp"
#include "report/facts/patterns_run.hpp"
#include "report/format/layout.hpp"
#include "waitstate/pattern/registry.hpp"

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

std::string how_to_analyse(std::string_view id) {
  const PatternRegistry all;  // with the patterns that run only if they are chosen
  const MetricIndex metric = analysis::find_metric(all.metrics(), id);
  if (metric == no_metric) return "";
  if (all.owner(metric) == nullptr) return "it was not analysed";
  return fmt::format("it was not analysed; for that, give the trace with --pattern {}", all.metrics()[metric].id);
}

std::string why_no_metric(const AnalysisResult& result, std::string_view id) {
  if (const std::string how = how_to_analyse(id); !how.empty())
    return fmt::format("{} does not say anything about '{}': {}", printable(result.path), id, how);
  const std::string near = analysis::nearest_metric(id, {&result.metrics, &PatternRegistry().metrics()});
  return fmt::format("no metric has the id '{}'{}", id, near.empty() ? "" : ": did you mean '" + near + "'?");
}

}  // namespace waitstate::report

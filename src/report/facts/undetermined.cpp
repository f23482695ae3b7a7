#include "report/facts/undetermined.hpp"

#include <algorithm>

#include "analysis/conclusions/evidence.hpp"
#include "util/text.hpp"

namespace waitstate::report {

std::vector<UndeterminedMetric> kept_undetermined(const AnalysisResult& result) {
  std::vector<UndeterminedMetric> kept;
  for (const auto& [key, value] : result.definitions.recorder.properties) {
    if (!key.starts_with(undetermined_key)) continue;
    const auto colon = value.find(": ");
    if (colon == std::string::npos) continue;
    const MetricIndex metric = result.metrics.find(std::string_view(value).substr(0, colon));
    if (metric != no_metric) kept.push_back({metric, util::printable(std::string_view(value).substr(colon + 2))});
  }
  return analysis::undetermined_of_report(result, kept);
}

std::vector<NotAnalysed> not_analysed(const AnalysisResult& result, const Totals& totals, std::int64_t least) {
  const MetricTree& tree = result.metrics;
  // A wait state says something about the time that it is a share of, and about the times that this one is summed up to
  // or from.
  const auto has_wait = [&](MetricIndex metric) {
    for (const MetricIndex child : tree.children(metric))
      if (tree[child].within_parent && tree[child].unit == Unit::seconds && tree[child].sums()) return true;
    return false;
  };
  std::vector<NotAnalysed> found;
  for (const char* id : {"mpi_sync_collective", "mpi_rma_synchronization", "mpi_point2point", "mpi_collective",
                         "mpi_rma_communication", "mpi_io_collective", "omp_synchronization", "pthread_synchronization",
                         "shmem_synchronization", "shmem_communication"}) {
    const MetricIndex metric = tree.find(id);
    if (metric == no_metric || totals.of(metric) < least || totals.of(metric) == 0) continue;
    bool analysed = has_wait(metric);
    for (MetricIndex m = 0; m < tree.size() && !analysed; ++m)
      for (MetricIndex above = tree[m].parent; above != no_metric && !analysed; above = tree[above].parent)
        analysed = above == metric && has_wait(m);
    if (!analysed) found.push_back({metric, totals.of(metric)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const NotAnalysed& a, const NotAnalysed& b) { return a.value > b.value; });
  return found;
}

namespace {

/// True if `part` is the metric, or one of those that it is the sum of.
bool is_part_of_sum(const MetricTree& metrics, MetricIndex part, MetricIndex metric) {
  while (part != metric && part != no_metric && !metrics[part].within_parent) part = metrics[part].parent;
  return part == metric;
}

}  // namespace

bool is_undetermined(const std::vector<UndeterminedMetric>& all, const MetricTree& metrics, MetricIndex metric) {
  return std::any_of(all.begin(), all.end(), [&](const UndeterminedMetric& u) {
    return metrics.lies_within(metric, u.metric) || is_part_of_sum(metrics, u.metric, metric);
  });
}

std::vector<UndeterminedMetric> undetermined_of(const std::vector<UndeterminedMetric>& all, const MetricTree& metrics,
                                                MetricIndex metric, bool below) {
  std::vector<UndeterminedMetric> found;
  for (const UndeterminedMetric& u : all)
    if (metrics.lies_within(metric, u.metric) || (below && metrics.lies_within(u.metric, metric))) found.push_back(u);
  return found;
}

}  // namespace waitstate::report

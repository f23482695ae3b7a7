#include "report/facts/views.hpp"

namespace waitstate::report {

CallPathValues values_by_callpath(const AnalysisResult& result, MetricIndex metric, const Totals& totals) {
  CallPathValues values;
  values.exclusive = totals.by_callpath(metric);
  values.inclusive = values.exclusive;
  for (std::size_t i = values.inclusive.size(); i-- > 0;)  // a parent has a smaller id
    if (const CallPathId parent = result.call_tree[CallPathId{i}].parent; parent.valid()) {
      std::int64_t& above = values.inclusive[parent.index()];
      above = aggregate(result.metrics[metric].aggregation, above, values.inclusive[i]);
    }
  return values;
}

ProcessValues values_by_process(const AnalysisResult& result, MetricIndex metric, const Totals& totals) {
  ProcessValues found;
  found.values = totals.by_location(metric);
  const Definitions& d = result.definitions;
  std::vector<std::size_t> place(d.processes.size() + 1, ~std::size_t{0});
  for (std::size_t l = 0; l < d.locations.size(); ++l) {
    const ProcessId id = d.locations[l].process;
    std::size_t& at = place[id.valid() ? id.index() : d.processes.size()];
    if (at == ~std::size_t{0}) at = found.all.size(), found.all.push_back({id, {}, 0});
    ProcessValues::Process& process = found.all[at];
    process.locations.push_back(LocationId{l});
    process.value = aggregate(result.metrics[metric].aggregation, process.value, found.values[l]);
  }
  return found;
}

std::vector<std::int64_t> values_by_region(const AnalysisResult& result, MetricIndex metric, const Totals& totals) {
  const std::size_t regions = result.definitions.regions.size();
  std::vector<std::int64_t> sums(regions + 2);
  const std::vector<std::int64_t> paths = totals.by_callpath(metric);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto& path = result.call_tree[CallPathId{i}];
    std::int64_t& sum = sums[path.region.valid() ? path.region.index() : path.program.valid() ? regions : regions + 1];
    sum = aggregate(result.metrics[metric].aggregation, sum, paths[i]);
  }
  return sums;
}

}  // namespace waitstate::report

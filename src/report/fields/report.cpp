#include "report/fields/report.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "report/facts/counters.hpp"

namespace waitstate::report {

std::vector<std::pair<MetricIndex, CounterEntry<const Counter, const CounterRow>>> counter_entries(
    const AnalysisResult& result, std::span<const std::uint32_t> places) {
  std::vector<std::pair<MetricIndex, CounterEntry<const Counter, const CounterRow>>> entries;
  const auto place = [&](CallPathId id) { return places.empty() ? id.value : places[id.index()]; };
  for (const Counter& counter : result.counters) {
    const MetricInfo& metric = result.metrics[counter.metric];
    std::vector<const CounterRow*> rows;
    for (const CounterRow& row : counter.rows) rows.push_back(&row);
    std::sort(rows.begin(), rows.end(), [&](const CounterRow* a, const CounterRow* b) {
      return std::pair(place(a->callpath), a->location) < std::pair(place(b->callpath), b->location);
    });
    CounterEntry<const Counter, const CounterRow> entry{counter, {}, metric.unit_name, metric.scale};
    const bool state = counter.kind == CounterKind::absolute;
    for (const CounterRow* row : rows) {
      const std::optional<double> value = counter_rate(result, counter, *row);
      entry.rows.push_back({*row, state ? std::nullopt : value, state ? value : std::nullopt,
                            metric.scaled(counter_value(result, counter.metric, *row))});
    }
    entries.emplace_back(counter.metric, std::move(entry));
  }
  return entries;
}

}  // namespace waitstate::report

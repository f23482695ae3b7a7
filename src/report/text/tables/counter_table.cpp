#include "report/text/tables/counter_table.hpp"

#include <fmt/format.h>

#include "report/facts/counters.hpp"
#include "report/facts/totals.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

std::string with_unit(const std::string& number, const std::string& unit) {
  return unit.empty() || unit == "#" ? number : number + ' ' + printable(unit);
}

}  // namespace

std::string counter_text(const MetricInfo& metric, std::int64_t value) {
  return with_unit(metric.scale == 1 ? grouped(value) : brief_number(metric.scaled(value)), metric.unit_name);
}

std::string counter_table(const AnalysisResult& result, std::size_t rows, const Style& style) {
  if (result.counters.empty()) return "";
  const Totals totals(result);
  std::vector<std::vector<std::string>> lines{{"counter", "sum", "per second", "mean", "smallest", "largest"}};
  for (const Counter& counter : result.counters) {
    if (rows != 0 && lines.size() > rows) break;
    const MetricInfo& info = result.metrics[counter.metric];
    const CounterRow all = counter.total();
    const std::int64_t sum = totals.of(counter.metric);
    const std::optional<double> rate =
        counter_rate(result, counter, sum, counted_time(result, totals, counter), all.weight);
    const bool state = counter.kind == CounterKind::absolute;
    const std::string shown = rate ? with_unit(brief_number(*rate), state ? counter.unit : "") : "-";
    lines.push_back({printable(info.id), state && !counter.weighted() ? "-" : counter_text(info, sum),
                     state ? "" : shown, state ? shown : "", state ? brief_number(all.least) : "",
                     state ? brief_number(all.greatest) : ""});
  }
  std::string text = aligned_table(lines, style);
  if (const std::size_t hidden = result.counters.size() + 1 - lines.size(); hidden != 0)
    text += fmt::format("and {} (--full shows all)\n",
                        count(static_cast<std::int64_t>(hidden), "more counter", "more counters"));
  return text;
}

}  // namespace waitstate::report

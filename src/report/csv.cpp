#include "report/csv.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "report/text_stream.hpp"

namespace waitstate::report {

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted += '"';
}

std::string csv_number(const AnalysisResult& result, const MetricInfo& metric, std::int64_t value) {
  if (metric.unit == Unit::seconds) return fmt::format("{:.12g}", result.seconds(value));
  return metric.scale == 1 ? fmt::to_string(value) : fmt::format("{:.12g}", metric.scaled(value));
}

void write_csv(const AnalysisResult& result, std::ostream& out) {
  TextStream text(out);
  text.print("metric,callpath,location,value\n");
  std::vector<std::string> paths(result.call_tree.size());  // composed once, used by every metric and location
  for (const SeverityRow& row : result.table()) {
    const MetricInfo& metric = result.metrics[row.metric];
    static const std::string nowhere;
    std::string* path = row.callpath.valid() ? &paths[row.callpath.index()] : nullptr;
    if (path != nullptr && path->empty()) *path = csv_field(result.call_tree.path(row.callpath, result.definitions));
    text.print("{},{},{},", csv_field(metric.id), path != nullptr ? *path : nowhere, row.location.value);
    if (metric.unit == Unit::seconds)
      text.print("{:.12g}\n", result.seconds(row.value));
    else if (metric.unit == Unit::counter)
      text.print("{}\n", csv_number(result, metric, row.value));
    else
      text.print("{}\n", row.value);
  }
  text.flush();
}

}  // namespace waitstate::report

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

CsvPaths::CsvPaths(const AnalysisResult& result)
    : result_(result),
      length_(result.call_tree.size()),
      depth_(length_.size()),
      number_(length_.size()),
      outer_(length_.size()) {
  for (std::size_t i = 0; i < length_.size(); ++i) {  // a parent has a smaller id
    const CallPathId id{i}, parent = result.call_tree[id].parent;
    length_[i] =
        result.call_tree.name(id, result.definitions).size() + (parent.valid() ? length_[parent.index()] + 1 : 0);
    depth_[i] = parent.valid() ? depth_[parent.index()] + 1 : 1;
    outer_[i] = depth_[i] <= ends ? id : outer_[parent.index()];
  }
  std::uint32_t next = 0;
  for (const CallPathId id : result.call_tree.depth_first()) number_[id.index()] = next++;
}

const std::string& CsvPaths::operator()(CallPathId id) {
  if (id == last_) return text_;
  last_ = id;
  if (!id.valid())
    text_.clear();
  else if (const std::size_t n = length_[id.index()], depth = depth_[id.index()];
           n <= longest_deep || (depth <= deep && n <= longest) || depth <= 2 * ends)
    text_ = csv_field(result_.call_tree.path(id, result_.definitions));
  else
    text_ = csv_field(shortened(id));
  return text_;
}

std::string CsvPaths::shortened(CallPathId id) const {
  std::string inner;
  CallPathId i = id;
  for (std::size_t n = 0; n < ends; ++n, i = result_.call_tree[i].parent)
    inner = std::string(result_.call_tree.name(i, result_.definitions)) + (n == 0 ? "" : "/") + inner;
  return fmt::format("{}/…/[call path {} of depth {}]/…/{}",
                     result_.call_tree.path(outer_[id.index()], result_.definitions), number_[id.index()],
                     depth_[id.index()], inner);
}

void write_csv(const AnalysisResult& result, std::ostream& out) {
  TextStream text(out);
  text.print("metric,callpath,location,value\n");
  CsvPaths path(result);
  for (const SeverityRow& row : result.table()) {
    const MetricInfo& metric = result.metrics[row.metric];
    text.print("{},{},{},", csv_field(metric.id), path(row.callpath), row.location.value);
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

#include "report/format/csv.hpp"

#include <fmt/format.h>

#include "util/text.hpp"

namespace waitstate::report {

std::string csv_field(std::string_view text) {
  std::string clean = util::printable(text);
  const bool is_formula = !clean.empty() && std::string_view("=+-@").find(clean[0]) != std::string_view::npos;
  if (is_formula) clean.insert(0, 1, '\'');
  if (clean.find_first_of(",\"") == std::string::npos) return clean;
  std::string quoted = "\"";
  for (const char c : clean) {
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
  return text_ = csv_field(path(id));
}

std::string CsvPaths::path(CallPathId id, std::string_view where) const {
  if (!id.valid()) return "";
  const std::size_t n = length_[id.index()], depth = depth_[id.index()];
  const bool in_full = n <= longest_deep || (depth <= deep && n <= longest) || depth <= 2 * ends;
  return in_full ? result_.call_tree.path(id, result_.definitions) : shortened(id, where);
}

std::string CsvPaths::shortened(CallPathId id, std::string_view where) const {
  std::string inner;
  CallPathId i = id;
  for (std::size_t n = 0; n < ends; ++n, i = result_.call_tree[i].parent)
    inner = std::string(result_.call_tree.name(i, result_.definitions)) + (n == 0 ? "" : "/") + inner;
  return fmt::format("{}/…/[call path {} of depth {}{}]/…/{}",
                     result_.call_tree.path(outer_[id.index()], result_.definitions), number_[id.index()],
                     depth_[id.index()], where, inner);
}

}  // namespace waitstate::report

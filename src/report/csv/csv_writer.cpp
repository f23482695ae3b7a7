#include "report/csv/csv_writer.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/format/text_stream.hpp"
#include "report/text/tables/counter_table.hpp"
#include "util/text.hpp"

namespace waitstate::report {
namespace {

/// Rates and means of counters, for the rows of severity_table().
class RateFields {
 public:
  explicit RateFields(const AnalysisResult& result) : result_(result) {}
  const char* header() const { return result_.counters.empty() ? "" : ",rate,mean"; }

  std::string operator()(const SeverityRow& row) {
    if (result_.counters.empty()) return "";
    if (row.metric != metric_) {
      metric_ = row.metric;
      counter_ = counter_of(result_, metric_);
    }
    if (counter_ == nullptr) return ",,";
    CounterRow key;
    key.callpath = row.callpath, key.location = row.location;
    const auto less = [](const CounterRow& a, const CounterRow& b) {
      return std::pair{a.callpath, a.location} < std::pair{b.callpath, b.location};
    };
    const auto found = std::lower_bound(counter_->rows.begin(), counter_->rows.end(), key, less);
    if (found == counter_->rows.end() || less(key, *found)) return ",,";
    const std::optional<double> rate = counter_rate(result_, *counter_, *found);
    const std::string text = rate ? fmt::format("{:.12g}", *rate) : "";
    return counter_->kind == CounterKind::absolute ? ",," + text : ',' + text + ',';
  }

 private:
  const AnalysisResult& result_;
  MetricIndex metric_ = no_metric;
  const Counter* counter_ = nullptr;
};

}  // namespace

std::string csv_field(std::string_view text) {
  std::string clean = util::printable(text);
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

void write_csv(const AnalysisResult& result, std::ostream& out) {
  TextStream text(out);
  RateFields rates(result);
  text.print("metric,callpath,location,value{}\n", rates.header());
  CsvPaths path(result);
  const Completeness completeness(result);
  for (const SeverityRow& row : result.table()) {
    const MetricInfo& metric = result.metrics[row.metric];
    text.print("{},{},{},", csv_field(metric.id), path(row.callpath), row.location.value);
    if (completeness.means_nothing(row.metric)) {
      text.print("{}\n", result.counters.empty() ? "" : ",,");
      continue;
    }
    if (metric.unit == Unit::seconds)
      text.print("{:.12g}", result.seconds(row.value));
    else if (metric.unit == Unit::counter)
      text.print("{}", csv_number(result, metric, row.value));
    else
      text.print("{}", row.value);
    text.print("{}\n", rates(row));
  }
  text.flush();
}

}  // namespace waitstate::report

#include "report/csv/csv_writer.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "report/facts/completeness.hpp"
#include "report/facts/counters.hpp"
#include "report/format/csv.hpp"
#include "report/format/text_stream.hpp"

namespace waitstate::report {
namespace {

/// Rates and means of counters, row by row.
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

void write_csv(const AnalysisResult& result, std::ostream& out) {
  TextStream text(out);
  RateFields rates(result);
  text.print("metric,callpath,location,value{}\n", rates.header());
  CsvPaths path(result);
  const Completeness completeness(result);
  result.for_each_row([&](const SeverityRow& row) {
    const MetricInfo& metric = result.metrics[row.metric];
    text.print("{},{},{},", csv_field(metric.id), path(row.callpath), row.location.value);
    if (completeness.means_nothing(row.metric)) {
      text.print("{}\n", result.counters.empty() ? "" : ",,");
      return;
    }
    if (metric.unit == Unit::seconds)
      text.print("{:.12g}", result.seconds(row.value));
    else if (metric.unit == Unit::counter)
      text.print("{}", csv_number(result, metric, row.value));
    else
      text.print("{}", row.value);
    text.print("{}\n", rates(row));
  });
  text.flush();
}

}  // namespace waitstate::report

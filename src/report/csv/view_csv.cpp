#include "report/csv/view_csv.hpp"

#include <optional>
#include <string>

#include "report/facts/completeness.hpp"
#include "report/facts/counters.hpp"
#include "report/format/csv.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

/// The rows of one metric, whose values are not shown where they mean nothing.
class MetricRows {
 public:
  MetricRows(const AnalysisResult& result, MetricIndex metric, std::ostream& out)
      : result_(result),
        metric_(metric),
        totals_(result),
        text_(out),
        id_(csv_field(result.metrics[metric].id)),
        unknown_(Completeness(result).means_nothing(metric)) {}

  void write(ViewBy by) {
    switch (by) {
      case ViewBy::callpath:
        by_callpath();
        break;
      case ViewBy::location:
        by_location();
        break;
      case ViewBy::region:
        by_region();
        break;
    }
    text_.flush();
  }

 private:
  std::string number(std::int64_t value) const {
    return unknown_ ? "" : csv_number(result_, result_.metrics[metric_], value);
  }

  void by_callpath() {
    const CounterRates rates(result_, metric_, totals_);
    const auto [exclusive, inclusive] = values_by_callpath(result_, metric_, totals_);
    text_.print("metric,callpath,exclusive,inclusive{}\n", !rates.any() ? "" : rates.mean() ? ",mean" : ",rate");
    CsvPaths path(result_);
    for (const CallPathId id : result_.call_tree.depth_first()) {
      const std::int64_t own = exclusive[id.index()], with = inclusive[id.index()];
      if (own == 0 && with == 0) continue;
      text_.print("{},{},{},{}", id_, path(id), number(own), number(with));
      if (rates.any()) {
        const std::optional<double> rate = rates.of(id.index(), own);
        text_.print(",{}", rate ? brief_number(*rate) : "");
      }
      text_.print("\n");
    }
  }

  void by_location() {
    const Definitions& d = result_.definitions;
    const std::vector<std::int64_t> values = totals_.by_location(metric_);
    text_.print("metric,process,location,value\n");
    for (std::size_t l = 0; l < values.size(); ++l)
      if (values[l] != 0)
        text_.print("{},{},{},{}\n", id_, csv_field(process_label(d, d.locations[l].process)), l, number(values[l]));
  }

  void by_region() {
    const std::vector<std::int64_t> sums = values_by_region(result_, metric_, totals_);
    text_.print("metric,region,file,line,value\n");
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i] == 0) continue;
      Region none;
      if (i + 1 == sums.size()) none.name = "(unknown region)";
      const Region& region = i + 2 < sums.size() ? result_.definitions.regions[i] : none;
      text_.print("{},{},{},{},{}\n", id_, csv_field(region.name), csv_field(region.file),
                  region.begin_line == 0 ? "" : fmt::to_string(region.begin_line), number(sums[i]));
    }
  }

  const AnalysisResult& result_;
  MetricIndex metric_;
  Totals totals_;
  TextStream text_;
  std::string id_;
  bool unknown_;
};

}  // namespace

void view_csv(const AnalysisResult& result, MetricIndex metric, ViewBy by, std::ostream& out) {
  MetricRows(result, metric, out).write(by);
}

}  // namespace waitstate::report

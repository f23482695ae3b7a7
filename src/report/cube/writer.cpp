#include "report/cube/writer.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "report/cube/anchor_writer.hpp"
#include "report/cube/archive.hpp"
#include "report/cube/metric_places.hpp"
#include "report/cube/trace_stat.hpp"
#include "report/format/output_file.hpp"

namespace waitstate::report {
namespace {

using Rows = std::span<const SeverityRow>;

constexpr std::string_view written_data_mark = "CUBEX.DATA", written_index_mark = "CUBEX.INDEX";
constexpr std::uint8_t sparse = 1;

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string_view type_of(const MetricInfo& metric, Rows rows) {
  if (!metric.sums()) return metric.aggregation == Aggregation::minimum ? "MINDOUBLE" : "MAXDOUBLE";
  if (metric.unit == Unit::seconds || metric.scale != 1) return "DOUBLE";
  const bool negative = std::any_of(rows.begin(), rows.end(), [](const SeverityRow& r) { return r.value < 0; });
  return negative ? "INTEGER" : "UINT64";
}

class CubeWriter {
 public:
  CubeWriter(const AnalysisResult& result, std::ostream& out)
      : result_(result), archive_(out), cnodes_(result.call_tree.size()) {
    std::uint32_t place = 0;
    for (const CallPathId id : result.call_tree.depth_first()) cnodes_[id.index()] = place++;
  }

  void write() {
    std::ostringstream statistics;
    write_trace_stat(result_, statistics);
    member("trace.stat", statistics.str());

    const std::vector<SeverityRow> table = result_.table();  // metrics and, within one, call paths depth first
    const CubeMetricPlaces places(result_.metrics, table, cnodes_);
    const std::vector<double> seconds = seconds_of(places, table);
    std::vector<std::string_view> types;
    for (const MetricIndex metric : places.order()) {
      const Rows rows = places.rows(metric);
      const std::string id = std::to_string(types.size());
      types.push_back(type_of(result_.metrics[metric], rows));
      if (!rows.empty()) write_metric(id, result_.metrics[metric], rows, seconds.data() + (rows.data() - table.data()));
    }
    member("anchor.xml", cube_anchor(result_, places, types));
    archive_.finish();
  }

 private:
  void member(const std::string& name, std::string_view bytes) {
    archive_.begin(name, bytes.size());
    archive_.write(bytes);
  }

  /// By row of the table; of other units 0. Rounded each on its own, the children of a metric may be more than it in
  /// the last digit: then it gets their sum, in the order in which who takes them off it adds them up.
  std::vector<double> seconds_of(const CubeMetricPlaces& places, Rows table) const {
    constexpr double rounding = 1e-12;
    std::vector<double> seconds(table.size()), sums;
    for (std::size_t i = 0; i < table.size(); ++i)
      if (result_.metrics[table[i].metric].unit == Unit::seconds) seconds[i] = result_.seconds(table[i].value);
    const auto first = [&](MetricIndex m) { return seconds.data() + (places.rows(m).data() - table.data()); };
    for (auto m = places.order().rbegin(); m != places.order().rend(); ++m) {  // children before their parents
      if (result_.metrics[*m].unit != Unit::seconds || !result_.metrics[*m].sums()) continue;
      sums.assign(places.rows(*m).size(), 0);
      for (const MetricIndex child : places.children(*m))
        places.for_each_common(*m, child, [&](std::size_t i, std::size_t k) { sums[i] += first(child)[k]; });
      for (std::size_t i = 0; i < sums.size(); ++i)
        if (double& own = first(*m)[i]; sums[i] > own && sums[i] - own < rounding * sums[i]) own = sums[i];
    }
    return seconds;
  }

  void write_metric(const std::string& id, const MetricInfo& metric, Rows rows, const double* seconds) {
    std::string index;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (i == 0 || rows[i].callpath != rows[i - 1].callpath) {
        append(index, cnodes_.at(rows[i].callpath.index()));
        ++count;
      }
    std::vector<std::uint64_t> row(result_.definitions.locations.size());
    const std::string_view row_bytes(reinterpret_cast<const char*>(row.data()), row.size() * sizeof row[0]);
    archive_.begin(id + ".data", written_data_mark.size() + std::uint64_t{count} * row_bytes.size());
    archive_.write(written_data_mark);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      row.at(rows[i].location.index()) = bits(metric, rows[i].value, seconds[i]);
      if (i + 1 < rows.size() && rows[i + 1].callpath == rows[i].callpath) continue;
      archive_.write(row_bytes);
      std::fill(row.begin(), row.end(), 0);
    }

    std::string head(written_index_mark);
    append(head, std::uint32_t{1});  // tells the byte order
    append(head, std::uint16_t{0});  // version
    append(head, sparse);
    append(head, count);
    member(id + ".index", head + index);
  }

  static std::uint64_t bits(const MetricInfo& metric, std::int64_t value, double seconds) {
    if (metric.unit == Unit::seconds) return std::bit_cast<std::uint64_t>(seconds);
    return metric.scale != 1 || !metric.sums() ? std::bit_cast<std::uint64_t>(metric.scaled(value))
                                               : static_cast<std::uint64_t>(value);
  }

  const AnalysisResult& result_;
  CubeArchiveWriter archive_;
  std::vector<std::uint32_t> cnodes_;  // by call path: its place depth first
};

}  // namespace

void write_cube(const AnalysisResult& result, std::ostream& out) { CubeWriter(result, out).write(); }

void write_cube(const AnalysisResult& result, const std::filesystem::path& file) {
  OutputFile output(file, result.path);
  write_cube(result, output.stream());
  output.commit();
}

}  // namespace waitstate::report

#include "report/cube/reader.hpp"

#include <fmt/format.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analysis/conclusions/shares.hpp"
#include "report/cube/anchor_reader.hpp"
#include "report/cube/archive.hpp"
#include "report/cube/data.hpp"
#include "report/facts/undetermined.hpp"
#include "report/format/layout.hpp"
#include "waitstate/error.hpp"

namespace waitstate::report {
namespace {

constexpr std::string_view data_suffix = ".data", index_suffix = ".index", anchor_name = "anchor.xml";
constexpr std::uint32_t no_row = 0xffffffffu;

/// Children of the call paths of an anchor, and the row numbers of INCLUSIVE metrics.
class CallForest {
 public:
  explicit CallForest(const std::vector<CubeCallPath>& paths) : first_(paths.size() + 2), children_(paths.size()) {
    // Roots are the children of one more node, the last.
    const auto parent = [&](std::size_t i) {
      return paths[i].parent == CubeCallPath::no_parent ? paths.size() : std::size_t{paths[i].parent};
    };
    for (std::size_t i = 0; i < paths.size(); ++i) ++first_[parent(i) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next(first_);
    for (std::size_t i = 0; i < paths.size(); ++i) children_[next[parent(i)]++] = static_cast<std::uint32_t>(i);

    wide_.reserve(paths.size());
    std::vector<std::uint32_t> open;
    for (const std::uint32_t root : children(paths.size())) {
      wide_.push_back(root);
      open.push_back(root);
      while (!open.empty()) {
        const auto below = children(open.back());
        open.pop_back();
        wide_.insert(wide_.end(), below.begin(), below.end());
        open.insert(open.end(), below.rbegin(), below.rend());
      }
    }
  }

  std::span<const std::uint32_t> children(std::size_t i) const {
    return std::span(children_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  /// By row number of an INCLUSIVE metric: the call path.
  const std::vector<std::uint32_t>& wide() const { return wide_; }

 private:
  std::vector<std::uint32_t> first_, children_, wide_;
};

class CubeReader {
 public:
  explicit CubeReader(const std::filesystem::path& file) : file_(file), path_(file.string()) {}

  AnalysisResult read() {
    first_pass();
    const CallForest forest(anchor_.callpaths);
    std::unordered_map<std::string, const CubeMetric*> by_member;
    for (const CubeMetric& metric : anchor_.metrics) by_member.emplace(metric.member, &metric);
    for_each_member(file_, [&](CubeMember& member) {
      const std::string_view name = member.name();
      if (!name.ends_with(data_suffix)) return;
      const auto metric = by_member.find(std::string(name.substr(0, name.size() - data_suffix.size())));
      if (metric == by_member.end()) return;
      const auto index = indices_.find(metric->first);
      if (index == indices_.end())
        throw TraceError(path_, fmt::format("has a member {} but no {}{}", name, metric->first, index_suffix));
      const std::string data = member.read();
      guarded(member.name(), [&] { add(*metric->second, index->second, data, forest); });
      indices_.erase(index);
    });
    for (const CubeMetric& metric : anchor_.metrics)
      if (const auto index = indices_.find(metric.member); index != indices_.end() && !CubeRows::none(index->second))
        throw TraceError(path_, fmt::format("has a member {}{} but no {}{}", metric.member, index_suffix, metric.member,
                                            data_suffix));
    take_off_rounding();
    analysis::mark_shares_elsewhere(anchor_.result.metrics, anchor_.result.severities);
    anchor_.result.path = path_;
    anchor_.result.undetermined = kept_undetermined(anchor_.result);
    return std::move(anchor_.result);
  }

 private:
  template <class F>
  void guarded(const std::string& member, F&& f) {
    try {
      f();
    } catch (const CubeDamage& damage) {
      throw TraceError(path_, fmt::format("member {} {}", printable(member), damage.what()));
    }
  }

  void first_pass() {
    std::unordered_set<std::string> names;
    bool found = false;
    for_each_member(file_, [&](CubeMember& member) {
      const std::string& name = member.name();
      if (!names.insert(name).second) throw TraceError(path_, fmt::format("has the member {} twice", printable(name)));
      if (name == anchor_name) {
        found = true;
        std::string bytes = member.read();
        guarded(name, [&] { anchor_ = read_cube_anchor(std::move(bytes)); });
      } else if (name.ends_with(index_suffix)) {
        indices_.emplace(name.substr(0, name.size() - index_suffix.size()), member.read());
      }
    });
    if (!found)
      throw TraceError(path_, "is a tar archive without anchor.xml; expected a CUBE 4 report (.cubex), which has one");
  }

  void add(const CubeMetric& metric, const std::string& index, const std::string& data, const CallForest& forest) {
    const std::size_t columns = anchor_.result.definitions.locations.size();
    CubeRows rows(index, data, metric.type, columns, anchor_.callpaths.size());
    std::vector<long double> values(columns);
    lost_ = 0;
    if (!metric.inclusive || !metric.type.sums()) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows.decode(k, values))
          charge(metric.metric, metric.inclusive ? forest.wide()[rows.number(k)] : rows.number(k), values);
      }
    } else {
      add_inclusive(metric.metric, rows, values, forest);
    }
    if (lost_ != 0)
      anchor_.result.diagnostics.add(
          DiagnosticId::metric_left_out,
          {LocationId::none(), ~Time{0},
           fmt::format("{} ({} values that are not finite)", anchor_.result.metrics[metric.metric].id, lost_)});
  }

  /// Adds the own values of call paths: a value inclusive of callees, less the inclusive values of these.
  void add_inclusive(MetricIndex metric, CubeRows& rows, std::vector<long double>& values, const CallForest& forest) {
    std::vector<std::uint32_t> row_of(anchor_.callpaths.size(), no_row);
    for (std::size_t k = 0; k < rows.size(); ++k) row_of[forest.wide()[rows.number(k)]] = static_cast<std::uint32_t>(k);
    std::vector<long double> below(values.size());
    for (std::uint32_t path = 0; path < row_of.size(); ++path) {
      bool any = row_of[path] != no_row && rows.decode(row_of[path], values);
      for (const std::uint32_t child : forest.children(path)) {
        if (row_of[child] == no_row || !rows.decode(row_of[child], below)) continue;
        if (!any) std::fill(values.begin(), values.end(), 0);
        any = true;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] -= below[i];
      }
      if (any) charge(metric, path, values);
    }
  }

  void charge(MetricIndex metric, std::uint32_t path, const std::vector<long double>& values) {
    AnalysisResult& result = anchor_.result;
    const MetricInfo& info = result.metrics[metric];
    const bool seconds = info.unit == Unit::seconds, summand = info.parent != no_metric && !info.within_parent;
    const CallPathId callpath = anchor_.callpaths[path].callpath;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 0) continue;
      const std::int64_t amount =
          whole(seconds ? values[i] * static_cast<long double>(result.definitions.clock.resolution)
                        : values[i] / static_cast<long double>(info.scale));
      if (amount == 0) continue;
      if (!info.sums()) {  // several call paths of the report may be one here
        const std::int64_t old = result.severities.value(metric, callpath, LocationId{i});
        result.severities.add(metric, callpath, LocationId{i}, aggregate(info.aggregation, old, amount) - old);
        continue;
      }
      result.severities.add(metric, callpath, LocationId{i}, amount);
      if (summand) result.severities.add(info.parent, callpath, LocationId{i}, -amount);  // its own includes it
    }
  }

  /// A parent whose summands have all of its time may have less than they after rounding, by a nanosecond or so. Time
  /// below zero would be taken for damage.
  void take_off_rounding() {
    AnalysisResult& result = anchor_.result;
    for (MetricIndex m = 0; m < result.metrics.size(); ++m) {
      if (result.metrics[m].unit != Unit::seconds) continue;
      std::int64_t summands = 0;
      for (const MetricIndex child : result.metrics.children(m)) summands += !result.metrics[child].within_parent;
      if (summands == 0) continue;
      std::vector<std::pair<CallPathId, LocationId>> below;
      std::vector<std::int64_t> by;
      result.severities.for_each(m, [&](CallPathId callpath, LocationId location, std::int64_t value) {
        if (value >= 0 || value < -summands) return;
        below.emplace_back(callpath, location);
        by.push_back(-value);
      });
      for (std::size_t i = 0; i < below.size(); ++i) result.severities.add(m, below[i].first, below[i].second, by[i]);
    }
  }

  /// Rounded. The largest double stands for "no value" in a minimum or maximum.
  std::int64_t whole(long double value) {
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    if (!std::isfinite(value)) {
      ++lost_;
      return 0;
    }
    if (std::fabs(value) >= static_cast<long double>(DBL_MAX)) return 0;
    if (value >= static_cast<long double>(largest)) return largest;
    if (value <= -static_cast<long double>(largest)) return -largest;
    return std::llround(value);
  }

  std::filesystem::path file_;
  std::string path_;
  CubeAnchor anchor_;
  std::unordered_map<std::string, std::string> indices_;  // contents by id of the metric
  std::uint64_t lost_ = 0;
};

}  // namespace

AnalysisResult read_cube(const std::filesystem::path& file) { return CubeReader(file).read(); }

}  // namespace waitstate::report

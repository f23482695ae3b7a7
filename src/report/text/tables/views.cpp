// Long because the views share how tables are ranked and named.
#include "report/text/tables/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "report/facts/completeness.hpp"
#include "report/facts/counters.hpp"
#include "report/facts/undetermined.hpp"
#include "report/facts/views.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/text/tables/counter_table.hpp"
#include "report/text/tables/metric_table.hpp"
#include "report/words/completeness.hpp"
#include "report/words/undetermined.hpp"

namespace waitstate::report {
namespace {

constexpr double least_share = 0.01;  // rows with a smaller share of the metric are left out, in short only

std::string rest(std::size_t hidden, const char* one, const char* many, const std::string& indent = "") {
  return hidden == 0 ? ""
                     : fmt::format("{}and {} more {} (--full shows all)\n", indent,
                                   grouped(static_cast<std::int64_t>(hidden)), hidden == 1 ? one : many);
}

/// A value with its share of the metric, in columns.
class MetricColumns {
 public:
  MetricColumns(const AnalysisResult& result, MetricIndex metric, const Totals& totals)
      : info_(result.metrics[metric]),
        total_(totals.of(metric)),
        seconds_(result.definitions.clock, totals.of(metric)) {}

  std::string text(std::int64_t value) const {
    switch (info_.unit) {
      case Unit::seconds:
        return seconds_.duration(value);
      case Unit::counter:
        if (info_.scale != 1) return fmt::format("{:.6g}", info_.scaled(value));
        break;
      case Unit::bytes:
      case Unit::occurrences:
        break;
    }
    return grouped(value);
  }
  std::string cell(std::int64_t value) const { return right(text(value), width()); }
  /// Of a minimum or maximum, nothing has a share.
  std::string share(std::int64_t value) const { return right(info_.sums() ? percent(value, total_) : "", 7); }
  std::string share_title() const { return right(info_.sums() ? "%" : "", 7); }
  /// No value of the metric is wider: all have the same sign as a rule, and the total is the largest.
  std::size_t width() const { return std::max<std::size_t>(info_.sums() ? 9 : 12, columns(text(total_))); }
  std::string unit() const {
    if (info_.unit == Unit::counter && info_.unit_name != "#") return printable(info_.unit_name);
    return info_.unit == Unit::seconds ? "time" : info_.unit == Unit::bytes ? "bytes" : "count";
  }
  bool adds_up() const { return info_.sums(); }
  bool small(std::int64_t value) const {
    return info_.sums() && std::abs(static_cast<double>(value)) < least_share * std::abs(static_cast<double>(total_));
  }

 private:
  const MetricInfo& info_;
  std::int64_t total_;
  Seconds seconds_;
};

std::string heading(const AnalysisResult& result, MetricIndex metric, const RunTotals& run,
                    const Completeness& completeness, const Style& style) {
  const MetricInfo& info = result.metrics[metric];
  const std::int64_t value = run.whole().of(metric);
  const Seconds seconds(result.definitions.clock, value);
  std::string text = (info.title.empty() ? "" : "  " + printable(info.title)) + ": " +
                     told_text(completeness, metric, value, value_text(info, value, seconds));
  if (info.unit == Unit::seconds && info.sums() && run.whole().time() != 0 &&
      is_value(completeness.told(metric, value)))
    text += ", " + share_text(run, metric, seconds);
  text = style.bold(printable(info.id)) + text + '\n';
  if (!info.summary.empty()) text += paragraph("", printable(info.summary), style.width);
  for (const std::string& sentence : limits(completeness, false)) text += paragraph("", sentence, style.width);
  return text + '\n';
}

// ---- call tree ----

constexpr std::size_t rate_width = 14;

const char* rate_title(const CounterRates& rates) { return rates.mean() ? "mean" : "per second"; }
std::string rate_text(const std::optional<double>& rate) { return rate ? brief_number(*rate) : ""; }

struct CallTreeView {
  const AnalysisResult& result;
  const MetricColumns& values;
  const Style& style;
  const ViewOptions& options;
  CounterRates rates;
  std::vector<std::int64_t> exclusive{}, inclusive{};
  std::vector<std::vector<CallPathId>> children;  ///< by call path; the roots behind all others
  std::vector<std::uint8_t> wanted;               ///< by call path
  std::string text{};

  CallTreeView(const AnalysisResult& r, MetricIndex metric, const Totals& totals, const MetricColumns& v,
               const Style& s, const ViewOptions& o)
      : result(r), values(v), style(s), options(o), rates(r, metric, totals) {
    CallPathValues by_path = values_by_callpath(r, metric, totals);
    exclusive = std::move(by_path.exclusive), inclusive = std::move(by_path.inclusive);
    const std::size_t n = result.call_tree.size();
    children.resize(n + 1);
    for (const CallPathId id : result.call_tree.depth_first()) {
      const CallPathId parent = result.call_tree[id].parent;
      children[parent.valid() ? parent.index() : n].push_back(id);
    }
    choose();
    if (!options.full || !options.tree_order)
      for (auto& siblings : children)
        std::stable_sort(siblings.begin(), siblings.end(),
                         [&](CallPathId a, CallPathId b) { return inclusive[a.index()] > inclusive[b.index()]; });
  }

  /// In short: the hottest call paths by themselves, and those above them, until there are enough rows.
  void choose() {
    wanted.assign(exclusive.size(), 0);
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < exclusive.size(); ++i)
      if (exclusive[i] != 0) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return std::abs(exclusive[a]) > std::abs(exclusive[b]); });
    std::size_t rows = 0;
    for (const std::uint32_t i : order) {
      if (!options.full && rows != 0 && values.small(exclusive[i])) break;
      std::vector<std::uint32_t> added;
      for (CallPathId id{i}; id.valid() && wanted[id.index()] == 0; id = result.call_tree[id].parent)
        added.push_back(id.value);
      if (!options.full && rows != 0 && rows + added.size() > options.top) break;
      for (const std::uint32_t id : added) wanted[id] = 1;
      rows += added.size();
    }
  }

  std::size_t count_hidden() const {
    std::size_t hidden = 0;
    for (std::size_t i = 0; i < exclusive.size(); ++i) hidden += exclusive[i] != 0 && wanted[i] == 0;
    return hidden;
  }

  std::string all() {
    text = style.bold(right("own " + values.unit(), values.width()) + values.share_title() +
                      (rates.any() ? right(rate_title(rates), rate_width) : "") + "  " +
                      right("with callees", values.width()) + values.share_title() + "  call path") +
           '\n';
    // Depth first, without recursion: call trees of recursive programs are deep.
    std::vector<std::pair<CallPathId, std::size_t>> open;
    const auto push = [&](std::size_t of, std::size_t depth) {
      for (auto it = children[of].rbegin(); it != children[of].rend(); ++it)
        if (wanted[it->index()] != 0) open.emplace_back(*it, depth);
    };
    push(exclusive.size(), 0);
    while (!open.empty()) {
      const auto [id, depth] = open.back();
      open.pop_back();
      const std::int64_t own = exclusive[id.index()], with = inclusive[id.index()];
      const std::string rate =
          rates.any() ? right(own == 0 ? "" : rate_text(rates.of(id.index(), own)), rate_width) : "";
      std::string lead = (own == 0 ? right("", values.width() + 7) : values.cell(own) + values.share(own)) + rate +
                         "  " + right(values.text(with), std::max<std::size_t>(values.width(), 12)) +
                         values.share(with) + "  ";
      const std::size_t used = columns(lead);
      const std::size_t room = style.width > used ? style.width - used : 1;
      // A name that is too deep to be indented within the width says its depth.
      std::string name(2 * depth, ' ');
      if (name.size() > room / 2) name = fmt::format("[{}] ", depth);
      name += printable(result.call_tree.name(id, result.definitions));
      const std::string source = region_source(result, result.call_tree[id].region);
      if (!source.empty() && columns(name) + 2 + columns(source) <= room) name += "  " + source;
      text += lead + (columns(name) > room ? cut(name, room) : name) + '\n';
      push(id.index(), depth + 1);
    }
    return text + rest(count_hidden(), "call path", "call paths");
  }

  /// A name is cut at its end, indentation kept.
  static std::string cut(const std::string& name, std::size_t room) {
    std::string result;
    for (std::size_t i = 0, used = 0; i < name.size(); ++i) {
      const bool begins = (static_cast<unsigned char>(name[i]) & 0xc0) != 0x80;
      if (begins && ++used >= room) break;
      result += name[i];
    }
    return result + "…";
  }
};

// ---- system tree ----

std::string spread(const AnalysisResult& result, const ProcessValues& processes, const MetricColumns& values,
                   const Style& style) {
  std::vector<const ProcessValues::Process*> counted;
  for (const auto& p : processes.all)
    if (p.id.valid() && result.definitions[p.id].type != LocationGroupType::accelerator) counted.push_back(&p);
  if (counted.size() < 2) return "";
  const auto less = [](const auto* a, const auto* b) { return a->value < b->value; };
  const auto* least = *std::min_element(counted.begin(), counted.end(), less);
  const auto* most = *std::max_element(counted.begin(), counted.end(), less);
  double sum = 0;
  for (const auto* p : counted) sum += static_cast<double>(p->value);
  const double mean = sum / static_cast<double>(counted.size());
  std::string text = fmt::format("Over {} processes: smallest {} ({}), mean {}, largest {} ({})", counted.size(),
                                 values.text(least->value), process_label(result.definitions, least->id),
                                 values.text(std::llround(mean)), values.text(most->value),
                                 process_label(result.definitions, most->id));
  if (most->value > 0 && values.adds_up())
    text += fmt::format("; imbalance {:.1f} % (1 - mean / largest)",
                        100 * (static_cast<double>(most->value) - mean) / static_cast<double>(most->value));
  return paragraph("", text + '.', style.width);
}

std::string location_view(const AnalysisResult& result, MetricIndex metric, const Totals& totals,
                          const MetricColumns& values, const Style& style, const ViewOptions& options) {
  ProcessValues processes = values_by_process(result, metric, totals);
  const Definitions& d = result.definitions;
  const std::string summary = spread(result, processes, values, style);
  if (!options.full)
    std::stable_sort(processes.all.begin(), processes.all.end(),
                     [](const auto& a, const auto& b) { return a.value > b.value; });
  std::string text = style.bold(right(values.unit(), values.width()) + values.share_title() + "  location") + '\n';
  const auto row = [&](std::int64_t value, const std::string& name) {
    text += values.cell(value) + values.share(value) + "  " + name + '\n';
  };
  const auto node_path = [&](ProcessId process) {
    std::vector<SystemNodeId> nodes;  // from the process up
    for (SystemNodeId n = process.valid() ? d[process].parent : SystemNodeId{};
         n.valid() && n.index() < d.system_tree.size(); n = d.system_tree[n.index()].parent)
      nodes.push_back(n);
    std::string path;
    for (std::size_t i = nodes.size(); i-- > 0;)
      path.append(printable(d.system_tree[nodes[i].index()].name)).append(i == 0 ? "" : "/");
    return path;
  };
  std::size_t rows = 0, hidden = 0;
  for (const ProcessValues::Process& p : processes.all) {
    if (!options.full && rows >= options.top) {
      ++hidden;
      continue;
    }
    const std::string node = options.full ? node_path(p.id) : "";
    row(p.value, (p.id.valid() ? process_label(d, p.id) : "no process") + (node.empty() ? "" : " on " + node));
    ++rows;
    if (p.locations.size() < 2) continue;
    std::vector<LocationId> threads = p.locations;
    if (!options.full)
      std::stable_sort(threads.begin(), threads.end(), [&](LocationId a, LocationId b) {
        return processes.values[a.index()] > processes.values[b.index()];
      });
    std::size_t shown = 0;
    for (const LocationId l : threads) {
      if (!options.full && (rows >= options.top || processes.values[l.index()] == 0)) continue;
      row(processes.values[l.index()], "  " + location_label(d, l));
      ++rows, ++shown;
    }
    text += rest(threads.size() - shown, "location", "locations", std::string(values.width() + 9, ' ') + "  ");
  }
  return text + rest(hidden, "process", "processes") + (summary.empty() ? "" : '\n' + summary);
}

// ---- flat profile ----

std::string place_of(const Region& region) {
  return region.file.empty() || region.begin_line == 0 ? "" : fmt::format("{}:{}", region.file, region.begin_line);
}

std::string region_view(const AnalysisResult& result, MetricIndex metric, const Totals& totals,
                        const MetricColumns& values, const Style& style, const ViewOptions& options) {
  const std::vector<std::int64_t> sums = values_by_region(result, metric, totals);
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < sums.size(); ++i)
    if (sums[i] != 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return sums[a] > sums[b]; });
  std::string text = style.bold(right(values.unit(), values.width()) + values.share_title() + "  region") + '\n';
  std::size_t rows = 0;
  for (const std::uint32_t i : order) {
    if (!options.full && rows != 0 && (rows >= options.top || values.small(sums[i]))) break;
    ++rows;
    std::string name = i + 2 == sums.size() ? "(the program itself)" : "(unknown region)";
    if (i + 2 < sums.size()) {
      const Region& region = result.definitions.regions[i];
      const std::string place = printable(place_of(region));
      name = printable(region.name) + (place.empty() ? "" : "  " + place);
    }
    const std::string lead = values.cell(sums[i]) + values.share(sums[i]) + "  ";
    const std::size_t used = columns(lead), room = style.width > used ? style.width - used : 1;
    text += lead + (columns(name) > room ? CallTreeView::cut(name, room) : name) + '\n';
  }
  return text + rest(order.size() - rows, "region", "regions");
}

}  // namespace

std::string view_text(const AnalysisResult& result, MetricIndex metric, ViewBy by, const Style& style,
                      const ViewOptions& options) {
  const RunTotals run(result);
  const Totals& totals = run.whole();
  const Completeness completeness(result);
  const MetricColumns values(result, metric, totals);
  const std::vector<UndeterminedMetric> open = undetermined_of(result.undetermined, result.metrics, metric);
  const std::string not_told = undetermined_text(result, open, style, not_told_heading(completeness));
  std::string text = heading(result, metric, run, completeness, style);
  if (completeness.means_nothing(metric)) return text + not_told;
  if (totals.callpaths(metric).empty()) return text + (open.empty() ? "It is zero everywhere.\n" : not_told);
  switch (by) {
    case ViewBy::callpath:
      text += CallTreeView(result, metric, totals, values, style, options).all();
      break;
    case ViewBy::location:
      text += location_view(result, metric, totals, values, style, options);
      break;
    case ViewBy::region:
      text += region_view(result, metric, totals, values, style, options);
      break;
  }
  return not_told.empty() ? text : text + '\n' + not_told;
}

}  // namespace waitstate::report

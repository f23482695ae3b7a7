#include "report/html/html_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/format/markup.hpp"
#include "report/format/units.hpp"
#include "report/html/cells.hpp"
#include "report/html/page.hpp"
#include "report/html/sections.hpp"
#include "util/in_order.hpp"
#include "util/text.hpp"

namespace waitstate::report {
namespace {

/// Control characters as visible escapes, and nothing that is read as anything but text.
std::string html_text(std::string_view text) { return xml_escaped(util::printable_lines(text)); }

/// Elements. What the page begins with stands before its script, so that it is drawn while single values are still
/// read.
struct Sections {
  std::vector<std::string> first{}, values{};
};

/// The page with what stands in its places.
void write_sections(std::ostream& out, std::string_view title, std::string_view summary, const Sections& sections) {
  std::string_view rest = page();
  const auto until = [&](std::string_view marker) {
    const auto at = rest.find(marker);
    if (at == std::string_view::npos) throw std::logic_error(fmt::format("the page lacks {}", marker));
    out << rest.substr(0, at);
    rest.remove_prefix(at + marker.size());
  };
  until("{{title}}");
  out << html_text(title) << " - waitstate";
  until("{{summary}}");
  out << html_text(summary);
  until("{{sections}}");
  for (const std::string& section : sections.first) out << section;
  until("{{values}}");
  for (const std::string& section : sections.values) out << section;
  out << rest;
  out.flush();
}

/// The parts of a report that a page has. Sums are always there, exactly.
struct KeptParts {
  MetaParts meta{};
  CellForm cells{};
  bool single_values = true;  ///< all metrics have theirs; false: only as many metrics as fit
};

class HtmlWriter {
 public:
  HtmlWriter(const PageContents& contents, const HtmlOptions& options)
      : result_(contents.values),
        meta_of_(contents.meta),
        options_(options),
        places_(result_.call_tree.size()),
        counts_(result_.metrics.size()),
        sums_(result_.metrics.size()) {
    const AnalysisResult& result = result_;
    const std::vector<CallPathId> order = result.call_tree.depth_first();
    for (std::size_t i = 0; i < order.size(); ++i) places_[order[i].index()] = static_cast<std::uint32_t>(i);
    for (MetricIndex metric = 0; metric < std::min(counts_.size(), result.severities.metric_count()); ++metric)
      result.severities.for_each(metric, [&](CallPathId, LocationId, std::int64_t) { ++counts_[metric]; });
    cells_in_all_ = std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
    fixed_ = page().size() + html_text(contents.title).size() + html_text(options.summary).size();
  }

  /// With the least that is left out so that the page fits, in the order that --max-size has.
  Sections sections() {
    KeptParts kept;
    if (cells_in_all_ > options_.exact_cells) kept.cells.coding = Coding::fine;
    std::optional<Sections> found = with(kept);
    const auto next = [&](auto& what, auto to) {
      if (found) return;
      what = to;
      found = with(kept);
    };
    if (result_.contexts.size() > 10) next(kept.meta.contexts, std::size_t{10});
    if (kept.cells.coding == Coding::exact) next(kept.cells.coding, Coding::fine);
    next(kept.cells.coding, Coding::coarse);
    if (locations() > 3 * CellForm::most_groups)
      for (const double share : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 2.0}) next(kept.cells.grouped_below, share);
    if (result_.series) next(kept.meta.series_by_location, false);
    next(kept.single_values, false);
    return *std::move(found);
  }

 private:
  std::size_t locations() const { return result_.definitions.locations.size(); }
  Cells cells_of(MetricIndex metric) const { return {result_, metric, places_, counts_[metric]}; }
  const std::string& meta(const MetaParts& parts) {
    if (packed_parts_ != parts) {
      packed_parts_ = parts;
      meta_ = packer_.pack("meta", meta_of_(parts), Contents::text);
    }
    return meta_;
  }
  /// The sections of a metric; empty if it has no values.
  struct PackedMetric {
    MetricIndex metric;
    std::string sums{}, cells{};
    std::size_t grouped = 0;
  };
  PackedMetric packed(MetricIndex metric, const KeptParts& kept) const {
    PackedMetric made{.metric = metric};
    if (counts_[metric] == 0) return made;
    SectionPacker packer;
    const Cells cells = cells_of(metric);
    made.sums = sums_[metric].empty() ? packed_sums(metric, cells, packer) : sums_[metric];
    CellForm form = kept.cells;
    if (!cells.can_be_coded()) form.coding = Coding::exact;
    if (!result_.metrics[metric].sums()) form.grouped_below = 0;  // a mean of extremes would mean nothing
    const CellsSection section = cells_section(cells, places_.size(), locations(), form);
    made.cells = packer.pack(fmt::format("cells:{}", metric), section.contents, Contents::numbers);
    made.grouped = section.grouped;
    return made;
  }
  std::string packed_sums(MetricIndex metric, const Cells& cells, SectionPacker& packer) const {
    return packer.pack(fmt::format("sum:{}", metric),
                       sums_section(cells, places_.size(), locations(), result_.metrics[metric].aggregation),
                       Contents::numbers);
  }

  /// The sections of a page with so much of the report; none if it would be larger than its limit. If not all single
  /// values are to be kept, it has those that fit.
  std::optional<Sections> with(const KeptParts& kept) {
    Sections found{.first = {meta(kept.meta)}};
    std::size_t bytes = fixed_ + found.first[0].size(), grouped = 0;
    if (!kept.single_values) {  // there is room for what is always there
      bytes += 1000;            // sentences about what is left out
      for (MetricIndex metric = 0; metric < result_.metrics.size(); ++metric)
        if (counts_[metric] != 0)
          bytes += (sums_[metric].empty() ? packed_sums(metric, cells_of(metric), packer_) : sums_[metric]).size();
    }
    std::vector<MetricIndex> without;
    bool fits = true;
    const auto pack = [&](std::size_t metric) { return packed(static_cast<MetricIndex>(metric), kept); };
    util::make_and_use_in_order(options_.threads, result_.metrics.size(), pack, [&](PackedMetric of) {
      if (counts_[of.metric] == 0) return true;
      if (kept.single_values) bytes += of.sums.size();
      sums_[of.metric] = std::move(of.sums);
      found.first.push_back(sums_[of.metric]);
      if (bytes + of.cells.size() > options_.max_bytes) {
        without.push_back(of.metric);
        return fits = !kept.single_values;
      }
      bytes += of.cells.size();
      grouped += of.grouped;
      found.values.push_back(std::move(of.cells));
      return true;
    });
    if (!fits) return std::nullopt;
    found.first.push_back(reduction(kept, grouped, without));
    if (kept.single_values && bytes + found.first.back().size() > options_.max_bytes) return std::nullopt;
    return found;
  }

  /// The section that says what is not as it would be without a limit, as sentences; empty if all is.
  std::string reduction(const KeptParts& kept, std::size_t grouped, const std::vector<MetricIndex>& without) {
    std::vector<std::string> said;
    if (kept.meta.contexts < result_.contexts.size())
      said.push_back(fmt::format("the events around waits are kept only for the {} most severe instances, not for {}",
                                 kept.meta.contexts, result_.contexts.size()));
    if (kept.cells.coding == Coding::coarse)
      said.emplace_back("single values are rounded to 0.5 %");
    else if (kept.cells.coding == Coding::fine && cells_in_all_ <= options_.exact_cells)
      said.emplace_back("single values are rounded to 0.05 %");
    if (grouped != 0)
      said.push_back(
          fmt::format("for {}, values are kept only for groups of {} neighbouring locations: smallest, mean, largest",
                      count(static_cast<std::int64_t>(grouped), "call path of a metric", "call paths of metrics"),
                      (locations() + CellForm::most_groups - 1) / CellForm::most_groups));
    if (!kept.meta.series_by_location) said.emplace_back("waits over time are not kept by location");
    if (!without.empty()) {
      std::vector<std::string> ids;
      for (const MetricIndex metric : without) ids.push_back(result_.metrics[metric].id);
      said.push_back(
          fmt::format("for these metrics, only sums by call path and by location are kept: {}", fmt::join(ids, ", ")));
    }
    if (said.empty()) return "";
    return packer_.pack("reduced", util::printable_json(nlohmann::json(said).dump()), Contents::text);
  }

  const AnalysisResult& result_;
  const MetaText& meta_of_;
  const HtmlOptions& options_;
  std::vector<std::uint32_t> places_;  // by id of a call path, its number in the report
  std::vector<std::size_t> counts_;    // number of values, by metric
  std::size_t cells_in_all_ = 0;
  std::size_t fixed_ = 0;  // bytes of the page without sections
  SectionPacker packer_;
  // Sections that are the same in most steps.
  std::vector<std::string> sums_;  // by metric
  std::optional<MetaParts> packed_parts_;
  std::string meta_;
};

}  // namespace

void write_page(const PageContents& contents, std::ostream& out, const HtmlOptions& options) {
  Sections sections = HtmlWriter(contents, options).sections();
  if (!contents.diff.empty()) sections.first.push_back(SectionPacker().pack("diff", contents.diff, Contents::text));
  write_sections(out, contents.title, options.summary, sections);
}

}  // namespace waitstate::report

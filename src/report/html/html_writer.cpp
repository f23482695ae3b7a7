#include "report/html/html_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/compare/delta.hpp"
#include "report/format/markup.hpp"
#include "report/format/units.hpp"
#include "report/html/cells.hpp"
#include "report/html/page.hpp"
#include "report/html/section_stream.hpp"
#include "report/json/json_writer.hpp"
#include "util/text.hpp"

namespace waitstate::report {
namespace {

/// Control characters as visible escapes, and nothing that is read as anything but text.
std::string html_text(std::string_view text) { return xml_escaped(util::printable_lines(text)); }

/// The page with what stands in its three places; `sections` writes elements.
template <class Sections>
void write_page(std::ostream& out, std::string_view title, std::string_view summary, const Sections& sections) {
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
  sections();
  out << rest;
  out.flush();
}

/// The folder of an archive, else the file.
std::string short_name(const AnalysisResult& result) {
  std::filesystem::path path(result.path);
  if (path.has_parent_path() && path.extension() == ".otf2") path = path.parent_path();
  return path.filename().string();
}

/// The JSON report without its severities; returns the bytes that it takes.
std::size_t write_meta(const AnalysisResult& result, std::ostream& out, JsonParts parts = {}) {
  SectionStream meta(out, "meta");
  parts.severities = false;
  write_json(result, meta.stream(), CallPathNumbers::depth_first, parts);
  return meta.finish();
}

/// What is written into it is only counted.
class Nowhere : private std::streambuf {
 public:
  std::ostream& stream() { return stream_; }

 private:
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
  std::streamsize xsputn(const char*, std::streamsize count) override { return count; }

  std::ostream stream_{this};
};

/// What of a report a page has. Sums are always there, exactly.
struct Kept {
  JsonParts meta{};
  CellForm cells{};
  bool single_values = true;  ///< of all metrics; false: of those that fit
};

class HtmlWriter {
 public:
  HtmlWriter(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options)
      : result_(result), out_(out), options_(options), places_(result.call_tree.size()) {
    const std::vector<CallPathId> order = result.call_tree.depth_first();
    for (std::size_t i = 0; i < order.size(); ++i) places_[order[i].index()] = static_cast<std::uint32_t>(i);
    std::size_t with_values = 0;
    for (MetricIndex metric = 0; metric < result.severities.metric_count(); ++metric) {
      const std::size_t before = cells_in_all_;
      result.severities.for_each(metric, [&](CallPathId, LocationId, std::int64_t) { ++cells_in_all_; });
      with_values += cells_in_all_ > before;
    }
    most_of_sums_ = with_values * (places_.size() + locations()) * 11;
    fixed_ = page().size() + html_text(short_name(result)).size() + html_text(options.summary).size();
    std::ostringstream meta;
    write_meta(result, meta);
    whole_meta_ = std::move(meta).str();
  }

  void sections() {
    const Kept kept = what_fits();
    std::size_t bytes = fixed_ + whole_meta_.size();
    if (is_whole(kept.meta))
      out_ << whole_meta_;
    else
      bytes = fixed_ + write_meta(result_, out_, kept.meta);
    std::size_t grouped = 0;
    std::vector<MetricIndex> without;
    for (MetricIndex metric = 0; metric < result_.metrics.size(); ++metric) {
      const Cells cells(result_, metric, places_);
      if (cells.rows.empty()) continue;
      bytes += write_metric_sums(cells, metric, out_);
      if (!kept.single_values && bytes + most_bytes(cells) > options_.max_bytes) {
        without.push_back(metric);
        continue;
      }
      const auto [size, groups] = write_metric_cells(cells, metric, kept, out_);
      bytes += size, grouped += groups;
    }
    write_reduction(kept, grouped, without);
  }

 private:
  bool is_whole(const JsonParts& meta) const {
    return meta.contexts >= result_.contexts.size() && (meta.series_by_location || !result_.series);
  }
  std::size_t locations() const { return result_.definitions.locations.size(); }
  /// Two bytes a value that nothing compresses, and base64 of them: more it is never.
  std::size_t most_bytes(const Cells& cells) const {
    return cells.values.size() * (cells_in_all_ > options_.exact_cells && cells.can_be_coded() ? 3 : 11);
  }
  std::size_t write_metric_sums(const Cells& cells, MetricIndex metric, std::ostream& out) const {
    SectionStream sums(out, fmt::format("sum:{}", metric));
    write_sums(cells, places_.size(), locations(), result_.metrics[metric].aggregation, sums.stream());
    return sums.finish();
  }
  /// Bytes, and rows that are groups.
  std::pair<std::size_t, std::size_t> write_metric_cells(const Cells& cells, MetricIndex metric, const Kept& kept,
                                                         std::ostream& out) const {
    CellForm form = kept.cells;
    if (!cells.can_be_coded()) form.coding = Coding::exact;
    if (!result_.metrics[metric].sums()) form.grouped_below = 0;  // a mean of extremes would mean nothing
    SectionStream values(out, fmt::format("cells:{}", metric));
    const std::size_t grouped = write_cells(cells, places_.size(), locations(), form, values.stream());
    return {values.finish(), grouped};
  }

  /// Whether a page with so much of the report is small enough. Compresses everything, up to the limit.
  bool fits(const Kept& kept, std::size_t sentences = 0) const {
    Nowhere nowhere;
    if (sized_meta_ != kept.meta) {
      sized_meta_ = kept.meta;
      meta_size_ = is_whole(kept.meta) ? whole_meta_.size() : write_meta(result_, nowhere.stream(), kept.meta);
    }
    std::size_t bytes = fixed_ + sentences + meta_size_;
    for (MetricIndex metric = 0; metric < result_.metrics.size() && bytes <= options_.max_bytes; ++metric) {
      const Cells cells(result_, metric, places_);
      if (cells.rows.empty()) continue;
      std::size_t& sums = sizes_of_sums_[metric];
      if (sums == 0) sums = write_metric_sums(cells, metric, nowhere.stream());
      bytes += sums;
      bytes += write_metric_cells(cells, metric, kept, nowhere.stream()).first;
    }
    return bytes <= options_.max_bytes;
  }

  /// The least that is left out so that the page fits, in the order that --max-size has.
  Kept what_fits() const {
    Kept kept;
    if (cells_in_all_ > options_.exact_cells) kept.cells.coding = Coding::fine;
    // Most pages are small enough even if nothing can be compressed.
    const std::size_t most_of_cells = cells_in_all_ * (kept.cells.coding == Coding::exact ? 11 : 3);
    if (fixed_ + whole_meta_.size() + most_of_sums_ + most_of_cells <= options_.max_bytes || fits(kept)) return kept;
    const auto next = [&](auto& what, auto to) {
      what = to;
      constexpr std::size_t sentences = 1000;  // the section that says what is less
      return fits(kept, sentences);
    };
    if (result_.contexts.size() > 10 && next(kept.meta.contexts, std::size_t{10})) return kept;
    if (kept.cells.coding == Coding::exact && next(kept.cells.coding, Coding::fine)) return kept;
    if (next(kept.cells.coding, Coding::coarse)) return kept;
    if (locations() > 3 * CellForm::most_groups)
      for (const double share : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 2.0})
        if (next(kept.cells.grouped_below, share)) return kept;
    if (result_.series && next(kept.meta.series_by_location, false)) return kept;
    kept.single_values = false;
    return kept;
  }

  /// What is not as it would be without a limit, as sentences; no section if nothing is.
  void write_reduction(const Kept& kept, std::size_t grouped, const std::vector<MetricIndex>& without) const {
    std::vector<std::string> said;
    if (kept.meta.contexts < result_.contexts.size())
      said.push_back(fmt::format("what happened around them is there of the {} most severe instances only, not of {}",
                                 kept.meta.contexts, result_.contexts.size()));
    if (kept.cells.coding == Coding::coarse)
      said.emplace_back("single values are rounded to 0.5 %");
    else if (kept.cells.coding == Coding::fine && cells_in_all_ <= options_.exact_cells)
      said.emplace_back("single values are rounded to 0.05 %");
    if (grouped != 0)
      said.push_back(
          fmt::format("of {} the values are those of groups of {} neighbouring locations: smallest, mean, largest",
                      count(static_cast<std::int64_t>(grouped), "call path of a metric", "call paths of metrics"),
                      (locations() + CellForm::most_groups - 1) / CellForm::most_groups));
    if (!kept.meta.series_by_location) said.emplace_back("waits over time are not there by location");
    if (!without.empty()) {
      std::vector<std::string> ids;
      for (const MetricIndex metric : without) ids.push_back(result_.metrics[metric].id);
      said.push_back(
          fmt::format("of these metrics only sums by call path and by location are there: {}", fmt::join(ids, ", ")));
    }
    if (said.empty()) return;
    SectionStream section(out_, "reduced");
    section.stream() << util::printable_json(nlohmann::json(said).dump());
    section.finish();
  }

  const AnalysisResult& result_;
  std::ostream& out_;
  const HtmlOptions& options_;
  std::vector<std::uint32_t> places_;  // by id of a call path, its number in the report
  std::size_t cells_in_all_ = 0;
  std::size_t fixed_ = 0;         // bytes of the page without sections
  std::size_t most_of_sums_ = 0;  // bytes that they take if nothing can be compressed
  std::string whole_meta_;        // the section of the report but for its values
  // What fits() has found before, which is the same in most steps.
  mutable std::map<MetricIndex, std::size_t> sizes_of_sums_;
  mutable std::optional<JsonParts> sized_meta_;
  mutable std::size_t meta_size_ = 0;
};

}  // namespace

void write_html(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options) {
  HtmlWriter writer(result, out, options);
  write_page(out, short_name(result), options.summary, [&] { writer.sections(); });
}

void write_diff_html(const Difference& d, const std::vector<Verdict>& verdicts, std::ostream& out,
                     const HtmlOptions& options) {
  std::vector<std::string> only;
  for (const Change& c : d.metrics) only.push_back(c.metric);
  const Delta changes = delta(d.before, d.after, only);
  HtmlWriter writer(changes.result, out, options);
  const std::string title = short_name(d.before) + " and " + short_name(d.after);
  write_page(out, title, options.summary, [&] {
    SectionStream diff(out, "diff");
    diff_json(d, verdicts, diff.stream());
    diff.finish();
    writer.sections();
  });
}

}  // namespace waitstate::report

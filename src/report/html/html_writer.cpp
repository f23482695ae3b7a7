#include "report/html/html_writer.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "report/format/markup.hpp"
#include "report/html/cells.hpp"
#include "report/html/page.hpp"
#include "report/html/section_stream.hpp"
#include "report/json/json_writer.hpp"
#include "util/text.hpp"

namespace waitstate::report {
namespace {

/// Inside of an element: control characters as visible escapes, and nothing that is read as anything but text.
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
std::size_t write_meta(const AnalysisResult& result, std::ostream& out, std::string_view name) {
  SectionStream meta(out, name);
  write_json(result, meta.stream(), CallPathNumbers::depth_first, SeverityRows::without);
  return meta.finish();
}

class HtmlWriter {
 public:
  HtmlWriter(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options)
      : result_(result), out_(out), options_(options), places_(result.call_tree.size()) {
    const std::vector<CallPathId> order = result.call_tree.depth_first();
    for (std::size_t i = 0; i < order.size(); ++i) places_[order[i].index()] = static_cast<std::uint32_t>(i);
  }

  void sections() {
    bytes_ += write_meta(result_, out_, "meta");
    const std::size_t locations = result_.definitions.locations.size();
    std::size_t cells_in_all = 0;
    for (MetricIndex metric = 0; metric < result_.severities.metric_count(); ++metric)
      result_.severities.for_each(metric, [&](CallPathId, LocationId, std::int64_t) { ++cells_in_all; });
    for (MetricIndex metric = 0; metric < result_.metrics.size(); ++metric) {
      const CellSums sums(result_, metric, places_);
      if (sums.values == 0) continue;
      SectionStream section(out_, fmt::format("sum:{}", metric));
      write_sums(sums, section.stream());
      bytes_ += section.finish();
      // Two bytes a value that nothing compresses, and base64 of them: more it is never.
      const bool coded = cells_in_all > exact_cells && sums.can_be_coded;
      if (bytes_ + sums.values * (coded ? 3 : 11) > options_.max_bytes) continue;
      const Cells cells(result_, metric, places_);
      SectionStream values(out_, fmt::format("cells:{}", metric));
      write_cells(cells, places_.size(), locations, coded, values.stream());
      bytes_ += values.finish();
    }
  }

 private:
  const AnalysisResult& result_;
  std::ostream& out_;
  const HtmlOptions& options_;
  std::vector<std::uint32_t> places_;  // by id of a call path, its number in the report
  std::size_t bytes_ = 0;
};

}  // namespace

void write_html(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options) {
  HtmlWriter writer(result, out, options);
  write_page(out, short_name(result), options.summary, [&] { writer.sections(); });
}

void write_diff_html(const Difference& d, const std::vector<Verdict>& verdicts, std::string_view summary,
                     std::ostream& out) {
  const std::string title = short_name(d.before) + " and " + short_name(d.after);
  write_page(out, title, summary, [&] {
    SectionStream diff(out, "diff");
    diff_json(d, verdicts, diff.stream());
    diff.finish();
    write_meta(d.before, out, "before");
    write_meta(d.after, out, "after");
  });
}

}  // namespace waitstate::report

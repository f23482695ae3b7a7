#include "report/html/html_writer.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <ostream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "report/html/cells.hpp"
#include "report/html/page.hpp"
#include "report/html/section_stream.hpp"
#include "report/json/json_writer.hpp"
#include "util/text.hpp"

namespace waitstate::report {
namespace {

/// Control characters as visible escapes, and nothing that HTML would read as anything but text.
std::string html_text(std::string_view text) {
  std::string escaped;
  for (const char c : util::printable_lines(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

class HtmlWriter {
 public:
  HtmlWriter(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options)
      : result_(result), out_(out), options_(options), places_(result.call_tree.size()) {
    const std::vector<CallPathId> order = result.call_tree.depth_first();
    for (std::size_t i = 0; i < order.size(); ++i) places_[order[i].index()] = static_cast<std::uint32_t>(i);
  }

  void write() {
    std::string_view rest = page();
    const auto until = [&](std::string_view marker) {
      const auto at = rest.find(marker);
      if (at == std::string_view::npos) throw std::logic_error(fmt::format("the page lacks {}", marker));
      out_ << rest.substr(0, at);
      rest.remove_prefix(at + marker.size());
    };
    until("{{title}}");
    out_ << html_text(title());
    until("{{summary}}");
    out_ << html_text(options_.summary);
    until("{{sections}}");
    sections();
    out_ << rest;
    out_.flush();
  }

 private:
  std::string title() const {
    std::filesystem::path path(result_.path);
    if (path.has_parent_path() && path.extension() == ".otf2") path = path.parent_path();
    return path.filename().string() + " - waitstate";
  }

  void sections() {
    {
      SectionStream meta(out_, "meta");
      write_json(result_, meta.stream(), CallPathNumbers::depth_first, SeverityRows::without);
      bytes_ += meta.finish();
    }
    const std::size_t locations = result_.definitions.locations.size();
    std::size_t cells_in_all = 0;
    for (MetricIndex metric = 0; metric < result_.severities.metric_count(); ++metric)
      result_.severities.for_each(metric, [&](CallPathId, LocationId, std::int64_t) { ++cells_in_all; });
    for (MetricIndex metric = 0; metric < result_.metrics.size(); ++metric) {
      const Cells cells(result_, metric, places_);
      if (cells.rows.empty()) continue;
      SectionStream sums(out_, fmt::format("sum:{}", metric));
      write_sums(cells, places_.size(), locations, result_.metrics[metric].aggregation, sums.stream());
      bytes_ += sums.finish();
      // Two bytes a value that nothing compresses, and base64 of them: more it is never.
      const bool coded = cells_in_all > exact_cells && cells.can_be_coded();
      if (bytes_ + cells.values.size() * (coded ? 3 : 11) > options_.max_bytes) continue;
      SectionStream values(out_, fmt::format("cells:{}", metric));
      write_cells(cells, places_.size(), locations, coded, values.stream());
      bytes_ += values.finish();
    }
  }

  const AnalysisResult& result_;
  std::ostream& out_;
  const HtmlOptions& options_;
  std::vector<std::uint32_t> places_;  // by id of a call path, its number in the report
  std::size_t bytes_ = 0;
};

}  // namespace

void write_html(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options) {
  HtmlWriter(result, out, options).write();
}

}  // namespace waitstate::report

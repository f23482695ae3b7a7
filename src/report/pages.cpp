#include "report/pages.hpp"

#include <filesystem>
#include <sstream>
#include <string>
#include <utility>

#include "report/compare/delta.hpp"
#include "report/json/json_writer.hpp"

namespace waitstate::report {
namespace {

/// The folder of an archive, else the file.
std::string short_name(const AnalysisResult& result) {
  std::filesystem::path path(result.path);
  if (path.has_parent_path() && path.extension() == ".otf2") path = path.parent_path();
  return path.filename().string();
}

MetaText meta_of(const AnalysisResult& result) {
  return [&result](const MetaParts& parts) {
    std::ostringstream out;
    write_json(result, out, CallPathNumbers::depth_first,
               {.severities = false, .contexts = parts.contexts, .series_by_location = parts.series_by_location});
    return std::move(out).str();
  };
}

}  // namespace

void write_html(const AnalysisResult& result, std::ostream& out, const HtmlOptions& options) {
  write_page({.title = short_name(result), .values = result, .meta = meta_of(result)}, out, options);
}

void write_diff_html(const Difference& d, const std::vector<Verdict>& verdicts, std::ostream& out,
                     const HtmlOptions& options) {
  const Delta changes = delta(d.before, d.after);
  std::ostringstream diff;
  diff_json(d, verdicts, diff);
  write_page({.title = short_name(d.before) + " and " + short_name(d.after),
              .values = changes.result,
              .meta = meta_of(changes.result),
              .diff = std::move(diff).str()},
             out, options);
}

}  // namespace waitstate::report

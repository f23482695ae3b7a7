#include "report/text/trace_header.hpp"

#include "report/format/names.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {

std::string labelled(std::string_view name, std::string_view text, const Style& style) {
  const std::string lines = paragraph(left(name, 14) + ' ', text, style.width);
  return style.bold(lines.substr(0, name.size())) + lines.substr(name.size());
}

std::string recorder_text(const Recorder& recorder) {
  std::string text = recorder.creator.empty() ? "unknown" : printable(recorder.creator);
  if (!recorder.version.empty()) text += " (OTF2 " + printable(recorder.version) + ')';
  return text;
}

std::string size_text(const AnalysisResult& result) {
  return count(process_count(result.definitions), "process", "processes") + ", " +
         count(static_cast<std::int64_t>(result.definitions.locations.size()), "location", "locations") + ", " +
         count(static_cast<std::int64_t>(result.events()), "event", "events") + ", " +
         count(static_cast<std::int64_t>(result.messages), "matched message", "matched messages");
}

}  // namespace waitstate::report

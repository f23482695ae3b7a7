#include "report/text/critical_path_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "report/format/layout.hpp"
#include "report/format/names.hpp"
#include "report/format/units.hpp"

namespace waitstate::report {
namespace {

std::string crossing_words(const AnalysisResult& result, const CriticalSegment& s) {
  if (s.crossing == Crossing::none) return "";
  std::string words{enum_name(s.crossing)};
  std::replace(words.begin(), words.end(), '_', ' ');
  return s.waited_in.valid() ? words + " in " + callpath_label(result, s.waited_in) : words;
}

}  // namespace

void write_critical_path(const AnalysisResult& result, const std::vector<std::size_t>& locations, Time from, Time to,
                         std::ostream& out) {
  const CriticalPath& path = *result.critical_path;
  const Seconds seconds(result.definitions.clock, result.duration());
  const Time first = first_event(result);
  const auto since_first = [&](Time t) { return seconds.instant(t < first ? 0 : static_cast<Ticks>(t - first)); };
  out << fmt::format("# critical path: {} of the run's {}, in {}\n", seconds.duration(path.ticks),
                     seconds.duration(result.duration()),
                     count(static_cast<std::int64_t>(path.segments.size() + path.left_out), "segment", "segments"));
  if (path.left_out != 0)
    out << fmt::format("# the longest {} of them; {} are in the others\n",
                       grouped(static_cast<std::int64_t>(path.segments.size())), seconds.duration(path.ticks_left_out));
  for (const UndeterminedMetric& u : result.undetermined)
    if (result.metrics[u.metric].id == "critical_path") out << "# not everything is known: " << u.sentence << '\n';
  std::vector<std::vector<std::string>> rows = {{"# location", "from", "to", "counts", "most of it"}};
  std::vector<std::string> words;
  for (const CriticalSegment& s : path.segments) {
    if (s.to < from || s.from > to) continue;
    if (!locations.empty() && std::find(locations.begin(), locations.end(), s.location.index()) == locations.end())
      continue;
    rows.push_back({location_label(result.definitions, s.location), since_first(s.from), since_first(s.to),
                    seconds.duration(s.ticks), seconds.duration(s.callpath_ticks)});
    const std::string came = crossing_words(result, s);
    words.push_back((s.callpath.valid() ? callpath_label(result, s.callpath) : "-") +
                    (came.empty() ? "" : "; " + came));
  }
  std::vector<std::size_t> widths(5);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = left(rows[r][0], widths[0]);
    for (std::size_t i = 1; i < widths.size(); ++i) line += "  " + right(rows[r][i], widths[i]);
    out << line << "  " << (r == 0 ? "in call path; reached by" : words[r - 1]) << '\n';
  }
}

}  // namespace waitstate::report

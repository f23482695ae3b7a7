#include "report/text/trace_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/completeness.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t most_pairs = 5;

std::string place_text(const AnalysisResult& result, const DiagnosticPlace& place, const Seconds& seconds) {
  std::string text;
  if (place.location.valid()) text = location_label(result.definitions, place.location);
  if (place.time != ~Time{0})
    if (const auto since = static_cast<Ticks>(place.time - first_event(result)); since >= 0)
      text += fmt::format("{}at {}", text.empty() ? "" : " ", seconds.instant(since));
  if (!place.text.empty()) text += (text.empty() ? "" : ": ") + printable(place.text);
  return text;
}

/// Between whom, by the largest error, or where there is none by number.
std::string pairs_text(const AnalysisResult& result, DiagnosticId id, const Seconds& seconds) {
  using Entry = std::pair<std::pair<ProcessId, ProcessId>, Diagnostics::Pair>;
  const auto& pairs = result.diagnostics.between(id);
  std::vector<Entry> worst(pairs.begin(), pairs.end());
  std::stable_sort(worst.begin(), worst.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.second.largest, a.second.count) > std::pair(b.second.largest, b.second.count);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(worst.size(), most_pairs); ++i) {
    const Diagnostics::Pair& pair = worst[i].second;
    text += fmt::format("      {} to {}: {}", process_label(result.definitions, worst[i].first.first),
                        process_label(result.definitions, worst[i].first.second),
                        count(static_cast<std::int64_t>(pair.count), "message", "messages"));
    text += id == DiagnosticId::clock_violation ? fmt::format(", up to {} too early\n", seconds.duration(pair.largest))
                                                : "\n";
  }
  if (worst.size() > most_pairs)
    text += fmt::format("      and {} more pairs of processes\n",
                        grouped(static_cast<std::int64_t>(worst.size() - most_pairs)));
  return text;
}

std::string entry_text(const AnalysisResult& result, DiagnosticId id, const Style& style, const Seconds& seconds) {
  const DiagnosticEntry& entry = result.diagnostics[id];
  std::string what = sentence(id, entry.count);
  if (entry.largest != 0) what += fmt::format(" (by up to {})", seconds.duration(entry.largest));
  std::string text =
      paragraph(fmt::format("  {}  ", grouped(static_cast<std::int64_t>(entry.count))), what, style.width);
  text += pairs_text(result, id, seconds);
  std::size_t shown = 0;
  for (const DiagnosticPlace& place : entry.places)
    if (const std::string where = place_text(result, place, seconds); !where.empty()) {
      text += paragraph("      ", where, style.width);
      ++shown;
    }
  if (shown != 0 && entry.count > shown && entry.places.size() == Diagnostics::max_places) text += "      …\n";
  return text;
}

std::string section(const AnalysisResult& result, DiagnosticSeverity wanted, const Style& style) {
  const Seconds seconds(result.definitions.clock, result.duration());
  std::string text;
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    if (severity(id) == wanted && result.diagnostics[id].count != 0) text += entry_text(result, id, style, seconds);
  }
  return text;
}

std::string_view heading_of(DiagnosticSeverity severity) {
  return severity == DiagnosticSeverity::loss ? "missing" : severity == DiagnosticSeverity::odd ? "anomaly" : "note";
}

}  // namespace

std::string trace_warnings_text(const AnalysisResult& result, const Style& style) {
  const Completeness completeness(result);
  const bool loss = result.diagnostics.any(DiagnosticSeverity::loss),
             odd = result.diagnostics.any(DiagnosticSeverity::odd);
  std::string text;
  if (!loss && !odd)
    text = paragraph("", nothing_damaged(completeness), style.width);
  else if (loss)
    text += style.loss(lost_heading(completeness)) + '\n' + section(result, DiagnosticSeverity::loss, style);
  else
    text += paragraph("", nothing_lost(completeness), style.width);
  if (odd)
    text += '\n' + style.warning(odd_heading(completeness)) + '\n' + section(result, DiagnosticSeverity::odd, style);
  if (result.diagnostics.any(DiagnosticSeverity::note))
    text += '\n' + style.bold("Notes") + '\n' + section(result, DiagnosticSeverity::note, style);
  return text;
}

std::string trace_warnings_in_short(const AnalysisResult& result, const Style& style) {
  const Completeness completeness(result);
  std::string text;
  for (const DiagnosticSeverity wanted : {DiagnosticSeverity::loss, DiagnosticSeverity::odd}) {
    std::string kinds;
    for (int i = 0; i < diagnostic_count; ++i) {
      const auto id = static_cast<DiagnosticId>(i);
      const std::uint64_t n = result.diagnostics[id].count;
      if (severity(id) != wanted || n == 0) continue;
      const std::string what = sentence(id, n);
      kinds += fmt::format("{}{} {}", kinds.empty() ? "" : "; ", grouped(static_cast<std::int64_t>(n)),
                           what.substr(0, what.find(':')));
    }
    if (kinds.empty()) continue;
    const bool loss = wanted == DiagnosticSeverity::loss;
    const std::string name = (loss ? lost_heading(completeness) : odd_heading(completeness)) + ':';
    const std::string lines = paragraph("", name + ' ' + kinds + '.', style.width);
    text += (loss ? style.loss(name) : style.warning(name)) + lines.substr(name.size());
  }
  if (text.empty() || !completeness.knows_damage())
    text = paragraph("", nothing_damaged(completeness), style.width) + text;
  return text;
}

std::string trace_warning_comments(const Diagnostics& diagnostics) {
  std::string text;
  for (int i = 0; i < diagnostic_count; ++i) {
    const auto id = static_cast<DiagnosticId>(i);
    if (const std::uint64_t count = diagnostics[id].count; count != 0)
      text += fmt::format("# {}: {} {}\n", heading_of(severity(id)), count, sentence(id, count));
  }
  return text;
}

}  // namespace waitstate::report

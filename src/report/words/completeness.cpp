#include "report/words/completeness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format/names.hpp"
#include "report/format/units.hpp"
#include "report/words/focus.hpp"
#include "report/words/left_out.hpp"
#include "report/words/patterns_run.hpp"
#include "report/words/undetermined.hpp"

namespace waitstate::report {

std::string told_text(const Completeness& completeness, MetricIndex metric, std::int64_t value,
                      const std::string& value_text) {
  const Told what = completeness.told(metric, value);
  if (what == Told::unknown) return std::string(name(what));
  return (what == Told::at_least ? "at least " : "") + value_text;
}

std::string missing_text(const Completeness& completeness) {
  constexpr std::size_t most_named = 5;
  const AnalysisResult& result = completeness.result();
  if (completeness.missing_count() == 0) return "";
  const Time first = first_event(result);
  std::string text;
  for (std::size_t i = 0; i < std::min(completeness.missing().size(), most_named); ++i) {
    const auto& [location, from] = completeness.missing()[i];
    text += (i == 0 ? "" : ", ") + location_label(result.definitions, location);
    if (from <= first) continue;
    const auto since = static_cast<Ticks>(from - first);
    text += " from " + Seconds(result.definitions.clock, std::max(result.duration(), since)).instant(since) + " on";
  }
  const std::uint64_t named = std::min(completeness.missing().size(), most_named);
  if (named == 0) return count(static_cast<std::int64_t>(completeness.missing_count()), "location", "locations");
  if (completeness.missing_count() > named)
    text += fmt::format(", and {} more", grouped(static_cast<std::int64_t>(completeness.missing_count() - named)));
  return text;
}

std::string missing_sentence(const Completeness& completeness) {
  return completeness.missing_count() == 0
             ? ""
             : "Missing: the events of " + missing_text(completeness) + "; " + std::string(named_culprits) + '.';
}

std::string focus_sentence(const Completeness& completeness) {
  const std::string focus = focus_text(completeness.result());
  return focus.empty() ? "" : "This is " + focus.substr(0, 5) + "about " + focus.substr(5) + '.';
}

std::vector<std::string> limits(const Completeness& completeness, bool patterns) {
  std::vector<std::string> all;
  for (std::string sentence :
       {focus_sentence(completeness), patterns ? patterns_run_sentence(completeness.result()) : std::string(),
        missing_sentence(completeness)})
    if (!sentence.empty()) all.push_back(std::move(sentence));
  return all;
}

std::string where(const Completeness& completeness) {
  const AnalysisResult& result = completeness.result();
  const std::vector<LocationId>& chosen = result.focus.locations;
  if (chosen.empty()) return "in all locations together";
  if (chosen.size() == 1) return "on " + location_label(result.definitions, chosen.front());
  return fmt::format("in {} of {} locations together", grouped(static_cast<std::int64_t>(chosen.size())),
                     grouped(static_cast<std::int64_t>(result.definitions.locations.size())));
}

std::string not_told_heading(const Completeness& completeness) {
  return completeness.result().focus.all() ? "Unknown in this trace"
                                           : "Unknown in this trace (counts are of the whole trace)";
}

std::string not_told(const Completeness& completeness, const Totals& totals, const Style& style) {
  const AnalysisResult& result = completeness.result();
  std::string text = undetermined_text(result, result.undetermined, style, not_told_heading(completeness));
  std::string lines;
  for (const NotAnalysed& n : not_analysed(result, totals, totals.time() / 100))
    lines += paragraph(
        "  ",
        fmt::format("{}: {} % of the {}time, in which no pattern looked for waiting", result.metrics[n.metric].id,
                    percent(n.value, totals.time()), totals.scope() == Scope::whole ? "total " : ""),
        style.width);
  if (!lines.empty()) text += (text.empty() ? "" : "\n") + style.loss("Not looked at") + '\n' + lines;
  return text;
}

std::string nothing_damaged(const Completeness& completeness) {
  const AnalysisResult& result = completeness.result();
  if (!completeness.knows_damage()) return "This report does not say whether anything was missing from its trace.";
  if (!unseen_text(result.definitions).empty())
    return "This trace is not damaged and has no anomalies, but its recorder could not see all calls (see \"not "
           "recorded\").";
  if (!unsure_text(result.definitions).empty())
    return "This trace is not damaged and has no anomalies, but not everything in it could be paired for certain (see "
           "\"not recorded\").";
  if (!result.undetermined.empty())
    return "This trace is not damaged and has no anomalies: what is unknown was never recorded.";
  if (!patterns_run_sentence(result).empty())
    return "Nothing that was looked for is missing from this trace, and it has no anomalies.";
  return "Nothing is missing from this trace, and it has no anomalies.";
}

std::string nothing_lost(const Completeness& completeness) {
  const AnalysisResult& result = completeness.result();
  if (!completeness.knows_damage()) return nothing_damaged(completeness);
  if (!unseen_text(result.definitions).empty())
    return "No record is lost, but the recorder could not see all calls (see \"not recorded\").";
  if (!unsure_text(result.definitions).empty())
    return "No record is lost, but not everything could be paired for certain (see \"not recorded\").";
  if (!result.undetermined.empty()) return "No record is lost: what is unknown was never recorded.";
  return patterns_run_sentence(result).empty() ? "Nothing is missing from the results."
                                               : "Nothing that was looked for is missing from the results.";
}

std::string lost_heading(const Completeness& completeness) {
  return completeness.result().focus.all() ? "Missing from the results" : "Missing from the whole trace";
}

std::string odd_heading(const Completeness& completeness) {
  return completeness.result().focus.all() ? "Anomalies" : "Anomalies of the whole trace";
}

std::string table_note(const AnalysisResult& result, const std::vector<MetricIndex>& metrics) {
  std::vector<UndeterminedMetric> open;
  for (const UndeterminedMetric& u : result.undetermined)
    if (metrics.empty() || std::any_of(metrics.begin(), metrics.end(),
                                       [&](MetricIndex m) { return result.metrics.lies_within(m, u.metric); }))
      open.push_back(u);
  const std::string lines = undetermined_lines(result, open, {100'000, false});
  return lines.empty() ? "" : lines.substr(0, lines.size() - 1);
}

}  // namespace waitstate::report

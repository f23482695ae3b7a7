// Both texts are made only from the metric tree and PatternInfo: a definition is written once, in the pattern.
#include "report/text/pattern_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/dispatch/pattern_set.hpp"
#include "report/format/units.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::report {
namespace {

/// "key   text", the text in a column of its own.
std::string entry(std::string_view key, std::string_view text, const Style& style) {
  const std::string lead = left(key, 12);
  const std::string plain = paragraph(lead, printable(text), style.width);  // measures its lead, so without colour
  return (key.empty() ? "" : style.bold(key)) + plain.substr(key.size());
}

std::string with_commas(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); }

/// For each metric: true if a pattern computes it or a metric below it.
std::vector<bool> shown_metrics(const PatternRegistry& registry) {
  const MetricTree& metrics = registry.metrics();
  std::vector<bool> shown(metrics.size(), false);
  for (MetricIndex m = 0; m < metrics.size(); ++m)
    if (registry.owner(m) != nullptr)
      for (MetricIndex i = m; i != no_metric && !shown[i]; i = metrics[i].parent) shown[i] = true;
  return shown;
}

std::size_t depth(const MetricTree& metrics, MetricIndex m) {
  std::size_t d = 0;
  for (MetricIndex i = metrics[m].parent; i != no_metric; i = metrics[i].parent) ++d;
  return d;
}

/// The remarks after the summary: the pattern to choose if the metric comes with another one, and an origin other than
/// waitstate.
std::string remarks(const PatternRegistry::Entry& owner, const std::string& id) {
  std::vector<std::string> parts;
  if (owner.handle.id() != id) parts.push_back("with " + owner.handle.id());
  if (owner.on_request) parts.push_back("only with --pattern");
  if (owner.origin != "built-in") parts.push_back(owner.origin);
  return parts.empty() ? "" : " [" + with_commas(parts) + "]";
}

/// The unit for people; name() is its name in plug-ins and files.
std::string_view unit_word(Unit unit) {
  return unit == Unit::seconds ? "s" : unit == Unit::occurrences ? "count" : name(unit);
}

std::string unit_text(const PatternInfo& info) {
  std::string text;
  for (const Unit u : {Unit::seconds, Unit::occurrences, Unit::bytes}) {
    std::vector<std::string> ids;
    for (const MetricSpec& m : info.metrics)
      if (m.unit == u) ids.push_back(m.id);
    if (!ids.empty()) text += fmt::format("{}{} ({})", text.empty() ? "" : "; ", unit_word(u), with_commas(ids));
  }
  return info.metrics.size() == 1 ? std::string(unit_word(info.metrics.front().unit)) : text;
}

std::string parameter_text(const Parameters& parameters, std::size_t i) {
  const ParameterSpec& spec = parameters.specs()[i];
  const std::string fallback = Parameters({spec}).value_text(0), value = parameters.value_text(i);
  const std::string unit = spec.unit.empty() ? "" : " " + spec.unit;
  std::vector<std::string> notes;
  if (value != fallback) notes.push_back(fmt::format("default {}{}", fallback, unit));
  if (const std::string range = range_text(spec); !range.empty()) notes.push_back(range);
  return fmt::format("{} = {}{}{}: {}", spec.name, value.empty() ? "\"\"" : value, unit,
                     notes.empty() ? "" : fmt::format(" ({})", with_commas(notes)), spec.summary);
}

std::string place(const std::string& parent, bool within_parent) {
  return parent.empty() ? "at the top" : (within_parent ? "a share of " : "a part of ") + parent;
}

/// This is the only code of a plug-in that runs although nothing is analysed.
double confidence_of(const PatternRegistry::Entry& owner) {
  double confidence = 0;
  analysis::in_its_name(owner.handle, "confidence", [&] {
    confidence = owner.handle.pattern->confidence();
    if (!(confidence >= 0 && confidence <= 1)) throw UsageError(fmt::format("it is {}, expected 0 to 1", confidence));
  });
  return confidence;
}

std::string pattern_text(const PatternRegistry::Entry& owner, const Style& style) {
  const PatternInfo info = owner.handle.pattern->info();
  std::string text;
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) text += entry(key, value, style);
  };
  add("severity", info.severity);
  add("charged to", info.charged_to);
  add("unit", unit_text(info));
  add("state", info.state);
  add("source", info.source);
  add("differs", info.differs);
  add("diagnosis", info.diagnosis);
  if (const double confidence = confidence_of(owner); confidence < 1) add("confidence", fmt::format("{}", confidence));
  add("needs", with_commas(info.needs));
  const Parameters& parameters = owner.handle.parameters;
  for (std::size_t i = 0; i < parameters.specs().size(); ++i)
    add(i == 0 ? "parameters" : "", parameter_text(parameters, i));
  for (std::size_t i = 0; i < info.metrics.size(); ++i) {
    const MetricSpec& m = info.metrics[i];
    add(i == 0 ? "metrics" : "",
        fmt::format("{} ({}, {}): {}", m.id, unit_word(m.unit), place(m.parent, m.within_parent), m.summary));
  }
  add("origin", owner.origin);
  return text;
}

/// The explanation of a metric that needs no pattern.
std::string base_text(const PatternRegistry& registry, MetricIndex metric, const Style& style) {
  const MetricTree& metrics = registry.metrics();
  const MetricInfo& info = metrics[metric];
  MetricIndex root = metric;
  while (metrics[root].parent != no_metric) root = metrics[root].parent;
  const bool is_time = metrics[root].unit == Unit::seconds;
  std::vector<std::string> patterns;
  for (const PatternRegistry::Entry& e : registry.entries())
    for (MetricIndex m = metrics.find(e.handle.id()); m != no_metric; m = metrics[m].parent)
      if (m == metric) patterns.push_back(e.handle.id());
  std::string text = entry("unit", unit_word(info.unit), style);
  text += entry("place", place(info.parent == no_metric ? "" : metrics[info.parent].id, info.within_parent), style);
  text += entry(
      "source",
      info.id == "measurement_off"
          ? "from the event that switches the measurement off to the one that switches it on: no pattern is needed"
      : is_time ? "time in regions of this class, without the regions that they call: no pattern is needed"
                : "counted where it is recorded: no pattern is needed",
      style);
  if (!patterns.empty()) text += entry("patterns", with_commas(patterns), style);
  return text;
}

}  // namespace

std::string patterns_text(const PatternRegistry& registry, const Style& style) {
  const MetricTree& metrics = registry.metrics();
  const std::vector<bool> shown = shown_metrics(registry);
  const auto label = [&](MetricIndex m) {
    const std::string& id = metrics[m].id;
    return std::string(2 * depth(metrics, m), ' ') + (registry.owner(m) != nullptr ? id : '(' + id + ')');
  };
  std::size_t widest = 0;
  for (MetricIndex m = 0; m < metrics.size(); ++m)
    if (shown[m]) widest = std::max(widest, columns(label(m)));

  std::string text;
  for (const MetricIndex m : metrics.depth_first()) {
    if (!shown[m]) continue;
    const PatternRegistry::Entry* owner = registry.owner(m);
    if (owner == nullptr) {
      text += label(m) + '\n';
      continue;
    }
    const std::string lead = left(label(m), widest) + "  " + left(unit_word(metrics[m].unit), 7);
    text += paragraph(lead, printable(metrics[m].summary + remarks(*owner, metrics[m].id)), style.width);
  }
  text += '\n';
  return text + paragraph("",
                          "Metrics in (…) need no pattern; [with ID] is computed by that pattern. "
                          "'waitstate explain ID' tells more.",
                          style.width);
}

std::string explain_text(const PatternRegistry& registry, std::string_view id, const Style& style) {
  const MetricIndex m = registry.metrics().at(id);
  const MetricInfo& info = registry.metrics()[m];
  const PatternRegistry::Entry* owner = registry.owner(m);
  std::string text = style.bold(info.id) + ": " + printable(info.title) + "\n\n";
  text += paragraph("", printable(info.summary), style.width);
  if (owner != nullptr && owner->handle.id() != info.id)
    text += paragraph("", "Computed by the pattern " + owner->handle.id() + ':', style.width);
  return text + '\n' + (owner != nullptr ? pattern_text(*owner, style) : base_text(registry, m, style));
}

std::string explain_text(const AnalysisResult& result, const Counter& counter, const Style& style) {
  const MetricInfo& info = result.metrics[counter.metric];
  const CounterRow all = counter.total();
  std::string text =
      style.bold(printable(info.id)) + "\n\n" + paragraph("", printable(info.summary), style.width) + '\n';
  const auto add = [&](std::string_view key, const std::string& value) { text += entry(key, value, style); };
  add("recorded", counter.kind == CounterKind::accumulated ? "a number that only grows"
                  : counter.kind == CounterKind::relative  ? "the amount added since the last value"
                                                           : "a level that rises and falls");
  add("unit", counter.unit.empty() || counter.unit == "#" ? "count" : printable(counter.unit));
  add("values", count(static_cast<std::int64_t>(all.samples), "value", "values") +
                    (all.samples == 0 ? "" : fmt::format(", from {:.6g} to {:.6g}", all.least, all.greatest)));
  add("see also", fmt::format("waitstate show {} --metric {}", printable(result.path), printable(info.id)));
  return text;
}

}  // namespace waitstate::report

#include "report/compare/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <unordered_map>

#include "analysis/metrics/metric_names.hpp"
#include "report/compare/comparable.hpp"
#include "report/compare/details.hpp"
#include "report/facts/completeness.hpp"
#include "report/facts/runs/side_by_side.hpp"
#include "report/facts/totals.hpp"
#include "report/format/csv.hpp"
#include "report/format/names.hpp"
#include "report/format/text_stream.hpp"
#include "report/format/units.hpp"
#include "report/words/completeness.hpp"
#include "report/words/focus.hpp"
#include "report/words/patterns_run.hpp"
#include "report/words/undetermined.hpp"
#include "util/text.hpp"
#include "waitstate/error.hpp"

namespace waitstate::report {
namespace {

/// A row of two runs as the change from one to the other.
Change change_of(const SideBySideRow& row) {
  const RunValue &before = row.values[0], &after = row.values[1];
  return {.metric = row.metric,
          .callpath = {},
          .unit = row.unit,
          .before = before.value,
          .after = after.value,
          .in_before = before.exists,
          .in_after = after.exists,
          .before_told = before.told,
          .after_told = after.told,
          .own = row.own};
}

void expect_same_unit(const SideBySideRow& row) {
  for (const RunValue& v : row.values)
    if (v.exists && v.unit != row.unit)
      throw UsageError(fmt::format("metric '{}' is measured in {} in one report and in {} in the other", row.metric,
                                   name(v.unit), name(row.unit)));
}

std::string relative(const Change& c) {
  if (!c.in_before) return "only in B";
  if (!c.in_after) return "only in A";
  if (!c.known() && c.callpath.empty()) return "";
  if (c.change() == 0) return "same";
  if (c.before == 0) return "new";
  return fmt::format("{:+.1f} %", 100 * c.change() / std::abs(c.before));
}

std::string number(double value, Unit unit, bool sign) {
  const char* plus = sign && value > 0 ? "+" : "";
  if (unit == Unit::counter && (std::abs(value) >= 0x1p53 || std::trunc(value) != value))
    return fmt::format("{}{:.6g}", plus, value);
  if (unit != Unit::seconds) return plus + grouped(std::llround(value));
  return plus + duration_text(value);
}

std::string total_text(double value, Unit unit, Told told) {
  if (told == Told::not_analysed && unit == Unit::counter) return "not recorded";
  if (!is_value(told)) return std::string(name(told));
  return (told == Told::at_least ? "at least " : "") + number(value, unit, false);
}

std::string change_text(const Change& c) {
  if (c.known()) return number(c.change(), c.unit, true);
  return c.in_before && c.in_after ? "unknown" : "";
}

/// True if the two totals do not differ, as far as they are known.
bool same_total(const Change& c) {
  return c.change() == 0 && c.before_told == c.after_told && c.in_before == c.in_after;
}

std::string side_text(const AnalysisResult& result) {
  const Totals totals(result);
  const Completeness completeness(result);
  std::string text = printable(result.path) + " (" + count(process_count(result.definitions), "process", "processes");
  if (totals.time() != 0)
    text += ", " +
            told_text(completeness, totals.time_metric(), totals.time(), duration_text(result.seconds(totals.time()))) +
            ' ' + where(completeness);
  text += ')';
  if (const std::string focus = focus_text(result); !focus.empty()) text += ": " + focus;
  if (const std::string missing = missing_text(completeness); !missing.empty())
    text += "; missing are the events of " + missing;
  return text;
}

/// True if a metric that is summed up to it changed in the same way; if all metrics of a tree did, its root stays.
bool repeats_another(const Difference& d, const Change& c) {
  const MetricTree& tree = c.in_after ? d.after.metrics : d.before.metrics;
  const auto same = [&](MetricIndex other) {
    const auto it = std::find_if(d.metrics.begin(), d.metrics.end(),
                                 [&](const Change& known) { return known.metric == tree[other].id; });
    return it != d.metrics.end() && it->before == c.before && it->after == c.after &&
           it->before_told == c.before_told && it->after_told == c.after_told;
  };
  const MetricIndex metric = tree.find(c.metric), parent = tree[metric].parent;
  if (parent == no_metric) return false;
  if (tree[parent].parent == no_metric && !tree[metric].within_parent && same(parent)) return true;
  const std::vector<MetricIndex> below = tree.children(metric);
  return std::any_of(below.begin(), below.end(),
                     [&](MetricIndex child) { return !tree[child].within_parent && same(child); });
}

std::string more(std::size_t hidden, const char* what) {
  return hidden == 0 ? "" : fmt::format("and {} more {}\n", grouped(static_cast<std::int64_t>(hidden)), what);
}

/// A metric that only one side has and that is zero there needs no line of its own: its name is enough.
bool needs_line(const Difference& d, const Change& c) {
  return !same_total(c) && !repeats_another(d, c) &&
         (d.metrics.size() == 1 || c.change() != 0 || (c.in_before && c.in_after));
}

/// The names of the metrics that have no line of their own.
std::string one_sided_text(const Difference& d, bool Change::*in, bool Change::*not_in, const char* side,
                           const Style& style) {
  constexpr std::size_t most = 8;
  std::string names;
  std::size_t n = 0;
  for (const Change& c : d.metrics)
    if (c.*in && !(c.*not_in) && !needs_line(d, c) && ++n <= most) names += (names.empty() ? "" : ", ") + c.metric;
  if (n == 0) return "";
  return paragraph(
      "",
      fmt::format("Only in {}, zero there: {}{}.", side, names, n > most ? fmt::format(" and {} more", n - most) : ""),
      style.width);
}

std::string metrics_text(const Difference& d, std::size_t top, const Style& style) {
  std::vector<const Change*> changed;
  for (const Change& c : d.metrics)
    if (needs_line(d, c)) changed.push_back(&c);
  if (changed.empty()) return "";
  const auto size = [](const Change* c) { return c->unit == Unit::seconds ? std::abs(c->change()) : 0; };
  const auto growth = [](const Change* c) {
    return c->before == 0 ? std::abs(c->change()) : std::abs(c->change() / c->before);
  };
  std::stable_sort(changed.begin(), changed.end(), [&](const Change* a, const Change* b) {
    return std::pair(size(a), growth(a)) > std::pair(size(b), growth(b));
  });
  const std::size_t shown = std::min(top, changed.size());
  std::size_t names = 6, changes = 7;
  for (std::size_t i = 0; i < shown; ++i) {
    names = std::max(names, changed[i]->metric.size());
    for (const double v : {changed[i]->before, changed[i]->after, changed[i]->change()})
      changes = std::max(changes, columns(number(v, changed[i]->unit, true)));
  }
  std::size_t values = changes;
  for (std::size_t i = 0; i < shown; ++i) {
    const Change& c = *changed[i];
    values = std::max({values, columns(total_text(c.before, c.unit, c.before_told)),
                       columns(total_text(c.after, c.unit, c.after_told))});
  }
  const bool wide = names + 2 * values + changes + 20 <= style.width;  // else without the two values
  std::string text =
      style.bold(left("metric", names) + (wide ? "  " + right("A", values) + "  " + right("B", values) : "") + "  " +
                 right("change", changes)) +
      '\n';
  for (std::size_t i = 0; i < shown; ++i) {
    const Change& c = *changed[i];
    text += left(c.metric, names);
    if (wide)
      text += "  " + right(total_text(c.before, c.unit, c.before_told), values) + "  " +
              right(total_text(c.after, c.unit, c.after_told), values);
    text += "  " + right(change_text(c), changes);
    const std::string how_much = relative(c);
    text += (how_much.empty() ? "" : "  " + right(how_much, 9)) + '\n';
  }
  const bool known = std::all_of(changed.begin() + static_cast<std::ptrdiff_t>(shown), changed.end(),
                                 [](const Change* c) { return c->known(); });
  return text + more(changed.size() - shown, known ? "metrics that changed" : "metrics");
}

std::string callpaths_text(const Difference& d, std::size_t top, const Style& style) {
  // The part of a metric that comes from metrics below it is shown there.
  const bool several = d.metrics.size() > 1;
  std::vector<const Change*> changed;
  for (const Change& c : d.callpaths)
    if ((c.own && c.unit == Unit::seconds) || !several) changed.push_back(&c);
  if (changed.empty()) return "";
  const std::size_t shown = std::min(top, changed.size());
  std::size_t names = 6, values = 6;
  for (std::size_t i = 0; i < shown; ++i) {
    names = std::max(names, changed[i]->metric.size());
    values = std::max(values, columns(number(changed[i]->change(), changed[i]->unit, true)));
  }
  std::string text =
      '\n' + style.bold(right("change", values) + "  " + right("", 9) + "  " + left("metric", names) + "  call path") +
      '\n';
  for (std::size_t i = 0; i < shown; ++i) {
    const Change& c = *changed[i];
    const std::string lead = right(number(c.change(), c.unit, true), values) + "  " + right(relative(c), 9) + "  " +
                             left(c.metric, names) + "  ";
    text += lead + shorten_path(printable(c.callpath), style.width > columns(lead) ? style.width - columns(lead) : 1) +
            '\n';
  }
  text += more(changed.size() - shown, "changes in call paths");
  std::string open;
  for (std::size_t i = 0; i < shown; ++i)
    if (!changed[i]->known() && (", " + open + ",").find(", " + changed[i]->metric + ",") == std::string::npos)
      open += (open.empty() ? "" : ", ") + changed[i]->metric;
  return open.empty() ? text
                      : text + paragraph("", "Only a part of these metrics is known: " + open + '.', style.width);
}

/// The undetermined metrics of both runs, among those that are compared.
std::string not_told_text(const Difference& d, const Style& style) {
  const auto of = [&](const AnalysisResult& result) {
    std::vector<UndeterminedMetric> open;
    for (const UndeterminedMetric& u : result.undetermined)
      if (std::any_of(d.metrics.begin(), d.metrics.end(), [&](const Change& c) {
            const MetricIndex metric = result.metrics.find(c.metric);
            return metric != no_metric && is_undetermined({u}, result.metrics, metric);
          }))
        open.push_back(u);
    return open;
  };
  const std::vector<UndeterminedMetric> a = of(d.before), b = of(d.after);
  if (undetermined_lines(d.before, a, style) == undetermined_lines(d.after, b, style))
    return undetermined_text(d.before, a, style, "Unknown in A and B");
  const std::string of_a = undetermined_text(d.before, a, style, "Unknown in A"),
                    of_b = undetermined_text(d.after, b, style, "Unknown in B");
  return of_a + (of_a.empty() || of_b.empty() ? "" : "\n") + of_b;
}

}  // namespace

std::string Difference::not_comparable() const { return why_not_comparable(before, after); }

Difference difference(const AnalysisResult& before, const AnalysisResult& after,
                      const std::vector<std::string>& named) {
  const AnalysisResult* const runs[] = {&before, &after};
  const std::vector<std::string> ids = metric_ids(runs);
  std::vector<std::string> only = named;
  for (std::string& id : only)
    for (const AnalysisResult* result : {&before, &after})
      if (const MetricIndex m = analysis::find_metric(result->metrics, id); m != no_metric) id = result->metrics[m].id;
  for (const std::string& id : only)
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
      if (const std::string how = how_to_analyse(id); !how.empty())
        throw UsageError(fmt::format("neither report says anything about '{}': {}", id, how));
      const std::string near = analysis::nearest_metric(id, {&before.metrics, &after.metrics});
      throw UsageError(
          fmt::format("neither report has a metric '{}'{}", id, near.empty() ? "" : ": did you mean '" + near + "'?"));
    }
  const SideBySide sides = side_by_side(runs, only);
  Difference d{before, after, {}, {}};
  for (const SideBySideRow& row : sides.metrics) {
    expect_same_unit(row);
    d.metrics.push_back(change_of(row));
  }
  const CsvPaths old_names(before), names(after);
  for (const SideBySideRow& row : sides.callpaths) {
    const CallPathId old_path = row.values[0].callpath, path = row.values[1].callpath;
    d.callpaths.push_back(change_of(row));
    d.callpaths.back().callpath = path.valid() ? names.path(path) : old_names.path(old_path, " of A");
  }
  // Sorted completely, since common numbers of call paths mean nothing.
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < ids.size(); ++i) place[ids[i]] = i;
  std::sort(d.callpaths.begin(), d.callpaths.end(), [&](const Change& x, const Change& y) {
    if (x.unit != y.unit) return x.unit < y.unit;
    if (std::abs(x.change()) != std::abs(y.change())) return std::abs(x.change()) > std::abs(y.change());
    if (x.metric != y.metric) return place.at(x.metric) < place.at(y.metric);
    return x.callpath < y.callpath;
  });
  return d;
}

std::string diff_text(const Difference& d, const std::vector<Verdict>& verdicts, std::size_t top, const Style& style) {
  std::string text =
      paragraph("A  ", side_text(d.before), style.width) + paragraph("B  ", side_text(d.after), style.width);
  if (const std::string why = d.not_comparable(); !why.empty())
    text += style.warning("Not directly comparable") + '\n' + paragraph("  ", why + '.', style.width);
  const bool same = d.callpaths.empty() && std::all_of(d.metrics.begin(), d.metrics.end(), same_total);
  const std::string not_told = not_told_text(d, style);
  if (same) {
    const std::string all = not_told.empty() ? ".\n" : ", as far as that is known.\n";
    text += d.metrics.size() != 1                       ? "\nThe two are the same in all metrics and call paths" + all
            : d.metrics[0].before_told == Told::unknown ? "\n" + d.metrics[0].metric + " is unknown in both.\n"
                                                        : "\n" + d.metrics[0].metric + " is the same in both" + all;
  } else {
    text += '\n' + metrics_text(d, top, style) + one_sided_text(d, &Change::in_before, &Change::in_after, "A", style) +
            one_sided_text(d, &Change::in_after, &Change::in_before, "B", style) + callpaths_text(d, top, style);
    if (d.details) text += details_text(*d.details, top, style);
  }
  if (!not_told.empty()) text += '\n' + not_told;
  return verdicts.empty() ? text : text + '\n' + verdicts_text(verdicts, style);
}

void diff_csv(const Difference& d, std::ostream& out) {
  TextStream text(out);
  text.print("metric,callpath,before,after,change,relative\n");
  const auto row = [&](const Change& c) {
    const auto value = [](bool in, double v) { return in ? fmt::format("{:.12g}", v) : ""; };
    const bool known = c.known() || !c.callpath.empty();
    text.print("{},{},{},{},{},{}\n", csv_field(c.metric), csv_field(c.callpath),
               value(c.in_before && is_value(c.before_told), c.before),
               value(c.in_after && is_value(c.after_told), c.after), value(known, c.change()),
               value(known && c.before != 0, c.before != 0 ? c.change() / std::abs(c.before) : 0));
  };
  for (const Change& c : d.metrics) row(c);
  for (const Change& c : d.callpaths) row(c);
  text.flush();
}

}  // namespace waitstate::report

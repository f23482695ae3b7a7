#include "report/text/problems.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format/names.hpp"
#include "report/patterns_run.hpp"

namespace waitstate::report {
namespace {

std::string title(const MetricInfo& info) { return info.title.empty() ? info.id : info.title; }

/// As a sentence of its own.
std::string sentence_of(std::string text) {
  if (text.empty()) return text;
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (text.back() != '.') text += '.';
  return text;
}

struct ProblemText {
  const AnalysisResult& result;
  const Totals& totals;
  const std::vector<UndeterminedMetric>& undetermined;
  const Seconds& seconds;
  const Diagnoses& diagnoses;
  const Style& style;

  std::string path(CallPathId id) const {
    return shorten_path(callpath_label(result, id), style.width > 10 ? style.width - 8 : 2);
  }

  /// What several locations are.
  const char* many() const {
    const auto& all = result.definitions.processes;
    return std::all_of(all.begin(), all.end(), [](const LocationGroup& p) { return p.locations.size() <= 1; })
               ? "processes"
               : "threads";
  }

  std::string amount(MetricIndex metric) const {
    return fmt::format("{}{}, {} % of the total time",
                       is_undetermined(undetermined, result.metrics, metric) ? "at least " : "",
                       seconds.brief(totals.of(metric)), percent(totals.of(metric), totals.time()));
  }

  /// ", where rank 0 waited 0.020 s at a time for rank 1, which was in p2p/main/work": the most severe instance there.
  std::string culprit(MetricIndex metric, const WaitSummary& waits, CallPathId where) const {
    const auto severe = waits.severe.find(where);
    if (severe == waits.severe.end() || severe->second.empty()) return "";
    const SevereInstance& worst = severe->second.front();
    const Wait& wait = worst.longest;
    std::string text;
    if (worst.waiters > 1)
      text = fmt::format(", where {} {} together waited up to {} at once", worst.waiters, many(),
                         seconds.brief(worst.total));
    else
      text = fmt::format(", where {} waited up to {} at once", location_label(result.definitions, wait.location),
                         seconds.brief(wait.ticks));
    if (!wait.culprit.valid()) return text;
    text += " for " + location_label(result.definitions, wait.culprit);
    if (wait.culprit_callpath.valid() && wait.culprit_callpath != where)
      text += ", which was in " + path(wait.culprit_callpath);
    else if (wait.culprit_callpath.valid())  // idle threads are nowhere: it is the culprit's call path
      text += result.metrics[metric].kind == MetricKind::idleness ? ", which was there without them"
                                                                  : ", which came late to the same call";
    return text;
  }

  std::string problem(MetricIndex metric, std::size_t number) const {
    const std::string name = title(result.metrics[metric]);
    const std::string lead = fmt::format("{}. ", number);
    std::string text = name + ": " + amount(metric) + '.';
    const auto waits = result.waits.find(metric);
    if (const Ranking worst = totals.callpaths(metric); !worst.empty()) {
      const auto& [id, value] = worst.front();
      text += fmt::format(" {} in {}{}{}.", worst.size() == 1 ? "All" : "Worst", path(CallPathId{id}),
                          worst.size() == 1 ? "" : fmt::format(" ({})", seconds.brief(value)),
                          waits != result.waits.end() ? culprit(metric, waits->second, CallPathId{id}) : "");
    }
    if (const auto advice = diagnoses.find(result.metrics[metric].id); advice != diagnoses.end())
      if (const std::string sentence = sentence_of(advice->second); !sentence.empty()) text += ' ' + sentence;
    const std::string lines = paragraph(lead, text, style.width);
    return lead + style.warning(name) + lines.substr(lead.size() + name.size());
  }

  /// The metrics without children of their own kind, largest first: "comp 45.1 %, mpi_init_exit 12.0 %".
  std::string where_time_goes() const {
    std::vector<MetricIndex> leaves;
    for (MetricIndex m = 0; m < result.metrics.size(); ++m) {
      const auto below = result.metrics.children(m);
      const bool leaf = std::none_of(below.begin(), below.end(), [&](MetricIndex child) {
        return !result.metrics[child].within_parent && totals.of(child) != 0;
      });
      MetricIndex root = m;
      while (result.metrics[root].parent != no_metric && !result.metrics[root].within_parent)
        root = result.metrics[root].parent;
      if (leaf && root == totals.time_metric() && totals.of(m) > 0) leaves.push_back(m);
    }
    std::stable_sort(leaves.begin(), leaves.end(),
                     [&](MetricIndex a, MetricIndex b) { return totals.of(a) > totals.of(b); });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, leaves.size()); ++i)
      text += fmt::format("{}{} ({} %)", text.empty() ? "" : ", ", title(result.metrics[leaves[i]]),
                          percent(totals.of(leaves[i]), totals.time()));
    return text;
  }
};

}  // namespace

Diagnoses diagnoses(const std::vector<PatternHandle>& patterns) {
  Diagnoses all;
  for (const PatternHandle& p : patterns) {
    const PatternInfo info = p.pattern->info();
    for (const MetricSpec& metric : info.metrics) all.emplace(metric.id, info.diagnosis);
  }
  return all;
}

bool is_plugin_problem(const AnalysisResult& result, MetricIndex metric) {
  const MetricInfo& info = result.metrics[metric];
  return info.from_plugin && info.unit == Unit::seconds &&
         (info.within_parent || info.kind != MetricKind::other || result.waits.contains(metric));
}

std::vector<MetricIndex> outermost_waits(const AnalysisResult& result, const Totals& totals) {
  const MetricTree& tree = result.metrics;
  // A report of another tool has no instances; there our own wait states in MPI are known by their ids.
  const MetricTree known = result.waits.empty() ? MetricTree::built_in() : MetricTree{};
  const auto is_wait = [&](MetricIndex m) {
    if (is_plugin_problem(result, m)) return true;
    if (!result.waits.empty()) return tree[m].unit == Unit::seconds && result.waits.contains(m);
    const MetricIndex k = known.find(tree[m].id);
    return k != no_metric && (known[k].kind == MetricKind::wait || known[k].kind == MetricKind::completion) &&
           known[k].within_parent && known.lies_within(k, known.at("mpi"));
  };
  std::vector<MetricIndex> found;
  for (const MetricIndex m : tree.depth_first()) {
    bool inner = false;
    for (MetricIndex above = tree[m].parent; above != no_metric; above = tree[above].parent)
      inner |= is_wait(above) && (tree[above].from_plugin || !tree[m].from_plugin);
    if (is_wait(m) && !inner) found.push_back(m);
  }
  std::stable_sort(found.begin(), found.end(),
                   [&](MetricIndex a, MetricIndex b) { return totals.of(a) > totals.of(b); });
  return found;
}

std::string problems_text(const AnalysisResult& result, const Totals& totals,
                          const std::vector<UndeterminedMetric>& undetermined, const Seconds& seconds,
                          const Diagnoses& advice, std::size_t most, const Style& style) {
  const ProblemText problem_text{result, totals, undetermined, seconds, advice, style};
  const double least = problem_share * static_cast<double>(totals.time());
  std::string text, small;
  std::size_t number = 0, unlisted = 0, small_count = 0;
  for (const MetricIndex metric : outermost_waits(result, totals)) {
    if (totals.of(metric) <= 0) continue;
    if (static_cast<double>(totals.of(metric)) < least) {
      if (++small_count <= 3)
        small += fmt::format("{}{} {}", small.empty() ? "" : ", ", title(result.metrics[metric]),
                             seconds.brief(totals.of(metric)));
      continue;
    }
    if (number < most)
      text += problem_text.problem(metric, ++number);
    else
      ++unlisted;
  }
  if (unlisted != 0) text += fmt::format("   and {} more (--top {})\n", unlisted, number + unlisted);
  if (!text.empty()) return text;

  const std::string ran = patterns_run_sentence(result);
  const std::string goes = problem_text.where_time_goes();
  if (!small.empty())
    text = fmt::format("No wait state takes as much as {:.0f} % of the total time; largest: {}{}.", 100 * problem_share,
                       small, small_count > 3 ? ", …" : "");
  else if (totals.time() > 0)
    text = !undetermined.empty() ? "No wait state was found, but not all can be told."
           : ran.empty()         ? "Nobody waited for anybody."
                                 : "No wait state was found.";
  if (!text.empty() && !ran.empty()) text += ' ' + ran;
  if (!goes.empty()) text += " The time goes to " + goes + '.';
  return text.empty() ? "" : paragraph("", text, style.width);
}

}  // namespace waitstate::report

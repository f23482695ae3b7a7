#include "report/words/waits/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/facts/completeness.hpp"
#include "report/facts/patterns_run.hpp"
#include "report/facts/waits/waiting.hpp"
#include "report/format/names.hpp"
#include "report/text/trace_warnings.hpp"
#include "report/words/waits/chain.hpp"
#include "report/words/waits/open_calls.hpp"

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
  const RunTotals& run;
  const Totals& totals;  ///< that are counted
  const std::vector<UndeterminedMetric>& undetermined;
  const Seconds& seconds;
  const Diagnoses& diagnoses;
  const Style& style;

  std::string path(CallPathId id) const {
    return shorten_path(callpath_label(result, id), style.width > 10 ? style.width - 8 : 2);
  }

  /// What locations are.
  bool of_processes() const {
    const auto& all = result.definitions.processes;
    return std::all_of(all.begin(), all.end(), [](const LocationGroup& p) { return p.locations.size() <= 1; });
  }
  const char* one() const { return of_processes() ? "process" : "thread"; }
  const char* many() const { return of_processes() ? "processes" : "threads"; }

  /// Who waits in MPI_Finalize waits for the work of others, which no share without it would show.
  const Totals& totals_of(MetricIndex metric) const {
    const bool outside = totals.of(metric) != 0 || result.metrics[metric].kind != MetricKind::wait;
    return outside ? totals : run.whole();
  }

  std::string amount(MetricIndex metric) const {
    const Totals& t = totals_of(metric);
    return fmt::format(
        "{}{}, {} % of the {}time", is_undetermined(undetermined, result.metrics, metric) ? "at least " : "",
        seconds.brief(t.of(metric)), percent(t.of(metric), t.time()), t.scope() == Scope::whole ? "total " : "");
  }

  /// ", where rank 0 waited 0.020 s at a time for rank 1, which was in p2p/main/work": the most severe instance there.
  std::string culprit(MetricIndex metric, const SevereInstance& worst) const {
    const Wait& wait = worst.longest;
    std::string text;
    if (worst.waiters > 1)
      text = fmt::format(", where {} {} together waited up to {} in one call", worst.waiters, many(),
                         seconds.brief(worst.total));
    else
      text = fmt::format(", where {} waited up to {} in one call", location_label(result.definitions, wait.location),
                         seconds.brief(wait.ticks));
    if (!wait.culprit.valid()) return text;
    return text + " for " + location_label(result.definitions, wait.culprit) +
           culprit_clause(result, metric, worst, [&](CallPathId id) { return path(id); });
  }

  /// The most severe instance where most time is lost; null if single waits are not known.
  const SevereInstance* worst_instance(MetricIndex metric) const {
    const auto waits = result.waits.find(metric);
    const Ranking places = totals_of(metric).callpaths(metric);
    if (waits == result.waits.end() || places.empty()) return nullptr;
    const auto severe = waits->second.severe.find(CallPathId{places.front().first});
    return severe == waits->second.severe.end() || severe->second.empty() ? nullptr : &severe->second.front();
  }

  std::string disagreement(const std::string& more_than, const std::string& may_be) const {
    return fmt::format("The clocks of this trace disagree by up to {}, {}: {}.",
                       seconds.brief(Completeness(result).clock_error()), more_than, may_be);
  }

  /// What the pattern advises, unless there is a doubt about the wait or its cause.
  std::string what_to_do(MetricIndex metric) const {
    if (const SevereInstance* worst = worst_instance(metric)) {
      const Wait& wait = worst->longest;
      if (wait.ticks > 0 && wait.ticks <= Completeness(result).clock_error())
        return disagreement("longer than any such wait", "there may have been none");
      if (tells_cause(*worst) && worst->chain->steps.size() > 1 && worst->chain->end == WaitChain::End::work)
        return fmt::format("So {} is not the cause: look first at what {} does in {}.",
                           location_label(result.definitions, wait.culprit),
                           location_label(result.definitions, worst->chain->steps.back().culprit),
                           path(worst->chain->root)) +
               not_the_only_cause(*worst->chain);
      if (culprit_waited(*worst))
        return fmt::format("So {} is not the cause: look first at what it waited for.",
                           location_label(result.definitions, wait.culprit));
    }
    const auto advice = diagnoses.find(result.metrics[metric].id);
    const std::string text = advice == diagnoses.end() ? "" : sentence_of(advice->second);
    const SevereInstance* const worst = worst_instance(metric);
    return text.empty() || worst == nullptr || !tells_cause(*worst) ? text : text + not_the_only_cause(*worst->chain);
  }

  /// " But rank 1 is not the only cause: it waited itself for 33.0 % of the delay.": of the last culprit of a chain.
  std::string not_the_only_cause(const WaitChain& chain) const {
    if (!last_waited_too(chain)) return "";
    return fmt::format(" But {} is not the only cause: it waited itself for {:.1f} % of the delay.",
                       location_label(result.definitions, chain.steps.back().culprit), 100 * chain.waited_share);
  }

  Problem problem(MetricIndex metric) const {
    const MetricInfo& info = result.metrics[metric];
    Problem p{.metric = metric,
              .title = title(info),
              .ticks = totals_of(metric).of(metric),
              .of = totals_of(metric).time(),
              .at_least = is_undetermined(undetermined, result.metrics, metric)};
    p.sentence = p.title + (p.title == info.id ? "" : fmt::format(" ({})", info.id)) + ": " + amount(metric) + '.';
    if (const Ranking worst = totals_of(metric).callpaths(metric); !worst.empty()) {
      p.callpath = CallPathId{worst.front().first};
      p.callpath_ticks = worst.front().second;
      p.worst = worst_instance(metric);
      p.sentence += fmt::format(" {} in {}{}{}.", worst.size() == 1 ? "All" : "Worst", path(p.callpath),
                                worst.size() == 1 ? "" : fmt::format(" ({})", seconds.brief(p.callpath_ticks)),
                                p.worst != nullptr ? culprit(metric, *p.worst) : "");
    }
    p.advice = what_to_do(metric);
    return p;
  }

  std::string what_to_do(const Remainder& rest) const {
    const std::int64_t mean = rest.ticks / std::max<std::int64_t>(1, rest.account->calls);
    if (rest.part == FunctionAccount::transfer && mean <= Completeness(result).clock_error())
      return disagreement(fmt::format("and such a call takes {} on average", seconds.brief(mean)),
                          "this may be no transfer");
    return advice(rest, result);
  }

  /// Time in a function of MPI that is no wait.
  Problem problem(const Remainder& rest) const {
    const auto& [worst, most] = rest.account->worst[rest.part];
    Problem p{.title = report::title(rest),
              .advice = what_to_do(rest),
              .ticks = rest.ticks,
              .of = totals.time(),
              .callpath = worst,
              .callpath_ticks = most};
    p.sentence = fmt::format("{}: {}, {} % of the {}time. {} in {}{}.", p.title, seconds.brief(rest.ticks),
                             percent(rest.ticks, totals.time()), totals.scope() == Scope::whole ? "total " : "",
                             most == rest.ticks ? "All" : "Worst", path(worst),
                             most == rest.ticks ? "" : fmt::format(" ({})", seconds.brief(most)));
    return p;
  }

  /// Where no wait state is a problem; `small`: those that there are.
  std::string note(const std::string& small, bool open_calls) const {
    const bool of_report = without_events(result), profile = of_report && !has_waits(result);
    const std::string ran = profile ? "" : patterns_run_sentence(result);
    const std::string goes = where_time_goes();
    std::string text;
    if (!small.empty())
      text = fmt::format("No wait state takes as much as {:.0f} % of the {}time; largest: {}.", 100 * problem_share,
                         run.differ() ? "" : "total ", small);
    else if (totals.time() > 0)
      text = profile ? "This report has no wait states: it says where the time was spent (--metric time "
                       "--by region), not who waited for whom. For that, analyse a trace of the run: "
                       "waitstate analyze TRACE."
             : !undetermined.empty()                ? "No wait state was found, but not all is known."
             : open_calls                           ? "No wait was found that ended."
             : !ran.empty()                         ? "No wait state was found."
             : of_report && result.patterns.empty() ? "All wait states of this report are zero."
                                                    : "Nobody waited for anybody.";
    if (!text.empty() && !ran.empty()) text += ' ' + ran;
    if (!text.empty() && !result.focus.all()) text += ' ' + Completeness(result).focus_sentence();
    if (!goes.empty()) text += " The time goes to " + goes + '.';
    return text;
  }

  /// What metrics have themselves, not in those that are added up to them; the largest first: "Computation (45.1 %),
  /// other MPI (12.0 %)".
  std::string where_time_goes() const {
    struct Part {
      MetricIndex metric;
      std::int64_t own;
      bool rest;  ///< others have the rest of the metric
    };
    if (totals.time_metric() == no_metric) return "";
    std::vector<Part> parts;
    for (const MetricIndex m : totals.summed(totals.time_metric())) {
      Part part{m, totals.of(m), false};
      for (const MetricIndex child : result.metrics.children(m))
        if (!result.metrics[child].within_parent && totals.of(child) != 0) {
          part.own = add_ticks(part.own, 0 - static_cast<std::uint64_t>(totals.of(child)));
          part.rest = true;
        }
      if (part.own > 0 && m != totals.time_metric()) parts.push_back(part);
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.own > b.own; });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, parts.size()); ++i)
      text += fmt::format("{}{}{} ({} %)", text.empty() ? "" : ", ", parts[i].rest ? "other " : "",
                          title(result.metrics[parts[i].metric]), percent(parts[i].own, totals.time()));
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

Diagnoses diagnoses(const MetricTree& metrics) {
  Diagnoses all;
  for (MetricIndex m = 0; m < metrics.size(); ++m)
    if (!metrics[m].texts.diagnosis.empty()) all.emplace(metrics[m].id, metrics[m].texts.diagnosis);
  return all;
}

Problems find_problems(const AnalysisResult& result, const RunTotals& run, const std::vector<FunctionAccount>& accounts,
                       const std::vector<UndeterminedMetric>& undetermined, const Seconds& seconds,
                       const Diagnoses& advice, std::size_t most, const Style& style) {
  const Totals& totals = run.counted();
  const ProblemText problem_text{result, run, totals, undetermined, seconds, advice, style};
  const auto value = [&](MetricIndex metric) { return problem_text.totals_of(metric).of(metric); };
  std::vector<MetricIndex> waits = outermost_waits(result, totals);
  std::stable_sort(waits.begin(), waits.end(), [&](MetricIndex a, MetricIndex b) { return value(a) > value(b); });
  Problems found;
  std::string small;
  std::size_t waits_listed = 0, small_count = 0;
  if (const Remainder rest = largest_remainder(accounts);
      most > 0 && rest.account != nullptr &&
      static_cast<double>(rest.ticks) >= problem_share * static_cast<double>(totals.time()) &&
      (waits.empty() || rest.ticks > value(waits.front())))
    found.listed.push_back(problem_text.problem(rest));
  for (const MetricIndex metric : waits) {
    if (value(metric) <= 0) continue;
    const double least = problem_share * static_cast<double>(problem_text.totals_of(metric).time());
    if (static_cast<double>(value(metric)) < least) {
      if (++small_count <= 3)
        small += fmt::format("{}{} {}", small.empty() ? "" : ", ", title(result.metrics[metric]),
                             seconds.brief(value(metric)));
    } else if (found.listed.size() < most) {
      found.listed.push_back(problem_text.problem(metric));
      ++waits_listed;
    } else {
      ++found.unlisted;
    }
  }
  if (waits_listed + found.unlisted == 0)
    found.note = problem_text.note(small + (small_count > 3 ? ", …" : ""), !result.open_calls.empty());
  return found;
}

Problems find_problems(const AnalysisResult& result, const RunTotals& run, std::size_t most) {
  if (Completeness(result).times_mean_nothing()) return {};
  const Seconds seconds(result.definitions.clock, std::max<Ticks>(run.whole().time(), result.duration()));
  return find_problems(result, run, function_accounts(result, run.counted()), result.undetermined, seconds,
                       diagnoses(result.metrics), most, Style{.width = 1u << 30});
}

std::string problems_text(const AnalysisResult& result, const RunTotals& run,
                          const std::vector<FunctionAccount>& accounts,
                          const std::vector<UndeterminedMetric>& undetermined, const Seconds& seconds,
                          const Diagnoses& advice, std::size_t most, const Style& style) {
  const Problems found = find_problems(result, run, accounts, undetermined, seconds, advice, most, style);
  std::string text = open_calls_text(result, seconds, most, style);
  std::size_t number = 0;
  for (const Problem& p : found.listed) {
    const std::string lead = fmt::format("{}. ", ++number);
    const std::string lines = paragraph(lead, p.sentence + (p.advice.empty() ? "" : ' ' + p.advice), style.width);
    text += lead + style.warning(p.title) + lines.substr(lead.size() + p.title.size());
  }
  if (found.unlisted != 0) text += fmt::format("   and {} more (--top {})\n", found.unlisted, number + found.unlisted);
  return text + (found.note.empty() ? "" : paragraph("", found.note, style.width));
}

}  // namespace waitstate::report

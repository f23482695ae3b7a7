#include "report/words/waits/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "report/facts/completeness.hpp"
#include "report/facts/waits/chains.hpp"
#include "report/facts/waits/waiting.hpp"
#include "report/format/layout.hpp"
#include "report/format/names.hpp"
#include "report/words/completeness.hpp"
#include "report/words/patterns_run.hpp"
#include "report/words/waits/accounts.hpp"
#include "report/words/waits/culprit.hpp"

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

class ProblemWords {
 public:
  ProblemWords(const AnalysisResult& result, const RunTotals& run, const Seconds& seconds, const Diagnoses& diagnoses,
               std::size_t path_width)
      : result_(result),
        run_(run),
        totals_(run.counted()),
        seconds_(seconds),
        diagnoses_(diagnoses),
        path_width_(path_width),
        lacks_locations_(Completeness(result).missing_count() > 0) {}

  ToldProblem tell(const Problem& problem) const {
    ToldProblem told{problem};
    told.title = problem.rest ? report::title(problem.rest) : title(result_.metrics[problem.metric]);
    told.sentence = problem.rest ? sentence_of_rest(told) : sentence_of_wait(told);
    told.advice = problem.rest ? what_to_do(problem.rest) : what_to_do(problem);
    return told;
  }

  /// Where no wait state is a problem.
  std::string note(const Problems& found) const {
    const bool of_report = without_events(result_), profile = of_report && !has_waits(result_);
    const std::string ran = profile ? "" : patterns_run_sentence(result_);
    const std::string goes = where_time_goes();
    const std::string unseen = time_that_may_be_waiting();
    std::string text;
    if (!found.small.empty())
      text = fmt::format("No wait state takes as much as {:.0f} % of the {}time; largest: {}.", 100 * problem_share,
                         run_.differ() ? "" : "total ", largest(found.small));
    else if (totals_.time() > 0)
      text = profile ? "This report has no wait states: it says where the time was spent (--metric time "
                       "--by region), not who waited for whom. For that, analyse a trace of the run: "
                       "waitstate analyze TRACE."
             : !result_.undetermined.empty()         ? "No wait state was found, but not everything is known."
             : !result_.open_calls.empty()           ? "No wait that ended was found."
             : !ran.empty()                          ? "No wait state was found."
             : !unseen.empty()                       ? "No wait state was found, but " + unseen
             : of_report && result_.patterns.empty() ? "All wait states of this report are zero."
                                                     : "Nobody waited for anybody.";
    if (!text.empty() && !ran.empty()) text += ' ' + ran;
    if (!text.empty() && !result_.focus.all()) text += ' ' + focus_sentence(Completeness(result_));
    if (!goes.empty()) text += " The time goes to " + goes + '.';
    return text;
  }

 private:
  /// "calls waited for others for 0.010 s, and for 0.020 s the trace does not show whether anybody waited.": the time
  /// that forbids to say that nobody waited; empty if there is none.
  std::string time_that_may_be_waiting() const {
    const auto [waited, unknown] = time_of_waiting(result_, totals_);
    const std::string of_unknown =
        unknown > 0 ? fmt::format("for {} the trace does not show whether anybody waited", seconds_.duration(unknown))
                    : "";
    if (waited > 0)
      return fmt::format("calls waited for others for {}{}{}.", seconds_.duration(waited), unknown > 0 ? ", and " : "",
                         of_unknown);
    return of_unknown.empty() ? "" : of_unknown + '.';
  }

  /// "p2p/main/work at p2p.c:20"
  std::string path(CallPathId id) const {
    const std::string source = callpath_source(result_, id);
    return shorten_path(callpath_label(result_, id), path_width_) + (source.empty() ? "" : " at " + source);
  }
  std::string location(LocationId id) const { return location_label(result_.definitions, id); }

  /// The word for several locations.
  const char* many() const {
    const auto& all = result_.definitions.processes;
    const bool of_processes =
        std::all_of(all.begin(), all.end(), [](const LocationGroup& p) { return p.locations.size() <= 1; });
    return of_processes ? "processes" : "threads";
  }

  /// "0.273 s, 31.2 % of the time"
  std::string amount(const Problem& p) const {
    return fmt::format("{}{}, {} % of the {}time", p.at_least ? "at least " : "", seconds_.duration(p.ticks),
                       percent(p.ticks, p.of), p.scope == Scope::whole ? "total " : "");
  }
  /// " Worst in main/MPI_Recv (0.081 s)", or " All in main/MPI_Recv".
  std::string place(const Problem& p) const {
    return fmt::format(" {} in {}{}", p.all_there ? "All" : "Worst", path(p.callpath),
                       p.all_there ? "" : fmt::format(" ({})", seconds_.duration(p.callpath_ticks)));
  }

  std::string sentence_of_wait(const ToldProblem& p) const {
    const MetricInfo& info = result_.metrics[p.metric];
    const std::string id = p.title == info.id ? "" : fmt::format(" ({})", info.id);
    std::string text = p.title + id + ": " + amount(p) + '.';
    if (!p.callpath.valid()) return text;
    return text + place(p) + (p.worst != nullptr ? culprit(p.metric, *p.worst) : "") + '.';
  }
  std::string sentence_of_rest(const ToldProblem& p) const { return p.title + ": " + amount(p) + '.' + place(p) + '.'; }

  /// ", where rank 0 waited 0.020 s at a time for rank 1, which was in p2p/main/work": the most severe instance there.
  std::string culprit(MetricIndex metric, const SevereInstance& worst) const {
    const Wait& wait = worst.longest;
    std::string text;
    if (worst.waiters > 1)
      text = fmt::format(", where {} {} together waited up to {} in one call", worst.waiters, many(),
                         seconds_.duration(worst.total));
    else
      text =
          fmt::format(", where {} waited up to {} in one call", location(wait.location), seconds_.duration(wait.ticks));
    if (!wait.culprit.valid()) return text;
    return text + " for " + location(wait.culprit) + (lacks_locations_ ? " (as far as the trace tells)" : "") +
           culprit_clause(result_, metric, worst, [&](CallPathId id) { return path(id); });
  }

  std::string disagreement(const std::string& more_than, const std::string& may_be) const {
    return fmt::format("The clocks of this trace disagree by up to {}, {}: {}.",
                       seconds_.duration(Completeness(result_).clock_error()), more_than, may_be);
  }

  /// The pattern's advice, unless there is a doubt about the wait or its cause.
  std::string what_to_do(const Problem& p) const {
    if (p.worst != nullptr) {
      const Wait& wait = p.worst->longest;
      if (wait.ticks > 0 && wait.ticks <= Completeness(result_).clock_error())
        return disagreement("longer than any such wait", "there may have been none");
      if (tells_cause(*p.worst) && p.worst->chain->steps.size() > 1 && p.worst->chain->end == WaitChain::End::work)
        return fmt::format("So {} is not the {}cause: look first at what {} does in {}", location(wait.culprit),
                           acquits_culprit(*p.worst->chain) ? "" : "only ",
                           location(p.worst->chain->steps.back().culprit), path(p.worst->chain->root)) +
               then_at(*p.worst->chain) + '.' + not_the_only_cause(*p.worst->chain);
      if (culprit_waited(*p.worst))
        return fmt::format("So {} is not the {}cause: look first at what it waited for.", location(wait.culprit),
                           culprit_share(*p.worst) >= acquitting_share ? "" : "only ");
    }
    const auto advice = diagnoses_.find(result_.metrics[p.metric].id);
    const std::string text = advice == diagnoses_.end() ? "" : sentence_of(advice->second);
    return text.empty() || p.worst == nullptr || !tells_cause(*p.worst) ? text
                                                                        : text + not_the_only_cause(*p.worst->chain);
  }

  /// ", then at what rank 1 does in main/b": the largest further cause.
  std::string then_at(const WaitChain& chain) const {
    const std::vector<ChainCause> further = further_causes(chain);
    if (further.empty()) return "";
    return fmt::format(", then at what {} does in {}", location(further[0].location), path(further[0].callpath));
  }

  /// " But rank 1 is not the only cause: it itself waited for 33.0 % of the delay.": of the last culprit of a chain.
  std::string not_the_only_cause(const WaitChain& chain) const {
    if (!last_waited_too(chain)) return "";
    return fmt::format(" But {} is not the only cause: it itself waited for {:.1f} % of the delay.",
                       location(chain.steps.back().culprit), 100 * chain.waited_share);
  }

  std::string what_to_do(const Remainder& rest) const {
    const std::int64_t mean = rest.ticks / std::max<std::int64_t>(1, rest.calls);
    if (rest.part == FunctionAccount::transfer && mean <= Completeness(result_).clock_error())
      return disagreement(fmt::format("and such a call takes {} on average", seconds_.duration(mean)),
                          "this may not be transfer");
    return advice(rest, result_);
  }

  /// "Late Sender 0.010 s, Wait at barrier 0.002 s": three at most.
  std::string largest(const std::vector<std::pair<MetricIndex, std::int64_t>>& small) const {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, small.size()); ++i)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", title(result_.metrics[small[i].first]),
                          seconds_.duration(small[i].second));
    return text + (small.size() > most ? ", …" : "");
  }

  /// "Computation (45.1 %), other MPI (12.0 %)"
  std::string where_time_goes() const {
    const std::vector<OwnTime> parts = own_times(result_, totals_);
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, parts.size()); ++i)
      text += fmt::format("{}{}{} ({} %)", text.empty() ? "" : ", ", parts[i].rest ? "other " : "",
                          title(result_.metrics[parts[i].metric]), percent(parts[i].ticks, totals_.time()));
    return text;
  }

  const AnalysisResult& result_;
  const RunTotals& run_;
  const Totals& totals_;  ///< the totals that shares are measured by
  const Seconds& seconds_;
  const Diagnoses& diagnoses_;
  std::size_t path_width_;
  bool lacks_locations_;  ///< one of them may have come later than the location that is named for a wait
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

ToldProblems told_problems(const AnalysisResult& result, const RunTotals& run,
                           const std::vector<FunctionAccount>& accounts, const Seconds& seconds,
                           const Diagnoses& diagnoses, std::size_t most, std::size_t path_width) {
  const Problems found = find_problems(result, run, accounts, most);
  const ProblemWords words(result, run, seconds, diagnoses, path_width);
  ToldProblems told;
  for (const Problem& p : found.listed) told.listed.push_back(words.tell(p));
  told.unlisted = found.unlisted;
  if (found.has_no_wait()) told.note = words.note(found);
  return told;
}

ToldProblems told_problems(const AnalysisResult& result, const RunTotals& run, std::size_t most) {
  if (Completeness(result).times_mean_nothing()) return {};
  const Seconds seconds(result.definitions.clock, std::max<Ticks>(run.whole().time(), result.duration()));
  constexpr std::size_t unlimited = std::numeric_limits<std::uint32_t>::max();
  return told_problems(result, run, function_accounts(result, run.counted()), seconds, diagnoses(result.metrics), most,
                       unlimited);
}

}  // namespace waitstate::report

#include "report/text/analysis_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/dispatch/pattern_set.hpp"
#include "report/facts/completeness.hpp"
#include "report/facts/efficiency.hpp"
#include "report/facts/ideal_machine.hpp"
#include "report/format/names.hpp"
#include "report/text/accounting.hpp"
#include "report/text/mpi_settings.hpp"
#include "report/text/problems_text.hpp"
#include "report/text/tables/counter_table.hpp"
#include "report/text/tables/metric_table.hpp"
#include "report/text/tables/phases.hpp"
#include "report/text/tables/queues_text.hpp"
#include "report/text/tables/software_counters_text.hpp"
#include "report/text/tables/wait_states.hpp"
#include "report/text/trace_header.hpp"
#include "report/text/trace_warnings.hpp"
#include "report/words/completeness.hpp"
#include "report/words/efficiency.hpp"
#include "report/words/focus.hpp"
#include "report/words/left_out.hpp"
#include "report/words/patterns_run.hpp"
#include "report/words/scope.hpp"
#include "waitstate/pattern/report_facts.hpp"

namespace waitstate::report {
namespace {

constexpr std::size_t most_processes = 20;  ///< more processes are not listed with their queues

std::string sizes(const AnalysisResult& result) {
  if (!without_events(result)) return size_text(result);
  return count(process_count(result.definitions), "process", "processes") + ", " +
         count(static_cast<std::int64_t>(result.definitions.locations.size()), "location", "locations");
}

std::string damage(const AnalysisResult& result, bool full, const Style& style) {
  return full ? trace_warnings_text(result, style) : trace_warnings_in_short(result, style);
}

class Facts : public ReportFacts {
 public:
  Facts(const AnalysisResult& result, const Totals& totals, const Seconds& seconds)
      : result_(result), totals_(totals), seconds_(seconds) {}
  std::int64_t total(std::string_view metric) const override {
    const MetricIndex m = result_.metrics.find(metric);
    return m == no_metric ? 0 : totals_.of(m);
  }
  std::string duration(std::int64_t ticks) const override { return seconds_.duration(ticks); }

 private:
  const AnalysisResult& result_;
  const Totals& totals_;
  const Seconds& seconds_;
};

/// The form in which all durations of the report are written.
Seconds seconds_of(const AnalysisResult& result, const Totals& totals) {
  return Seconds(result.definitions.clock, std::max<Ticks>(totals.time(), result.duration()));
}

std::string total_time(const AnalysisResult& result, const std::string& time, const Completeness& completeness,
                       const Seconds& seconds) {
  if (completeness.times_mean_nothing()) return "unknown: " + completeness.why(result.metrics.find("time"));
  const std::string text = time + ' ' + where(completeness);
  return result.duration() == 0 ? text : fmt::format("{}, in a run of {}", text, seconds.duration(result.duration()));
}

/// A note on the part of the total time that the values of the report refer to.
std::string counted_time(const RunTotals& run, const std::string& time, bool full) {
  return fmt::format("{} ({} %) without {}: {} this time", time, percent(run.counted().time(), run.whole().time()),
                     without_text(run),
                     full ? "efficiency, problems and wait states refer to" : "times and shares below refer to");
}

}  // namespace

std::vector<std::string> headlines(const AnalysisResult& result, const std::vector<PatternHandle>& patterns) {
  const RunTotals run(result);
  const Seconds seconds = seconds_of(result, run.whole());
  const Facts facts(result, run.counted(), seconds);
  std::vector<std::string> lines;
  for (const PatternHandle& p : patterns)
    analysis::in_its_name(p, "headline", [&] {
      if (std::string line = p.pattern->headline(facts); !line.empty()) lines.push_back(std::move(line));
    });
  return lines;
}

std::string analysis_text(const AnalysisResult& result, const Style& style, const TextOptions& options) {
  const RunTotals run(result);
  const Completeness completeness(result);
  const Seconds seconds = seconds_of(result, run.whole());
  const auto time_of = [&](const Totals& totals) {
    return told_text(completeness, totals.time_metric(), totals.time(), seconds.duration(totals.time()));
  };
  const std::size_t problems = options.top.value_or(3), rows = options.top.value_or(5);

  std::string text = labelled("trace", printable(result.path), style) +
                     labelled("recorder", recorder_text(result.definitions.recorder), style) +
                     labelled("size", sizes(result), style);
  if (const std::string left_out = left_out_text(result.definitions); !left_out.empty())
    text += labelled("not recorded", left_out, style);
  if (options.full && !result.command.empty()) text += labelled("command", printable(result.command), style);
  if (const std::string focus = focus_text(result); !focus.empty()) text += labelled("focus", focus, style);
  if (const std::string patterns = patterns_run(result); !patterns.empty() && !result.patterns.empty())
    text += labelled("patterns", patterns, style);
  if (const std::string missing = missing_text(completeness); !missing.empty())
    text += labelled("missing", "the events of " + missing + "; " + std::string(named_culprits), style);
  text += labelled("total time", total_time(result, time_of(run.whole()), completeness, seconds), style);
  const bool times = !completeness.times_mean_nothing();
  if (run.differ() && times)
    text += labelled("of which", counted_time(run, time_of(run.counted()), options.full), style);
  if (const Ticks error = completeness.clock_error(); error > 0 && times)
    text += labelled("clocks",
                     fmt::format("disagree by up to {}: waits and transfers no longer than that may be clock error",
                                 seconds.duration(error)),
                     style);
  if (run.whole().time() > 0 && times)
    text += labelled("efficiency", efficiency_text(result, efficiency(result, run.counted())), style);
  if (run.differ() && options.full && times)
    text += labelled("of the whole", efficiency_text(result, efficiency(result, run.whole())), style);
  if (const IdealMachine m = ideal_machine(result, run.counted()); m.was_asked && times) {
    text += labelled("ideal machine", ideal_machine_text(result, m), style);
    if (run.differ() && options.full)
      text += labelled("of the whole", ideal_machine_text(result, ideal_machine(result, run.whole())), style);
    if (m.known()) text += labelled("what if", what_if_text(result, m), style);
  }

  if (const auto& path = result.critical_path; path && path->ticks > 0 && times)
    text += labelled(
        "critical path",
        fmt::format("{}, {} % of the run of {}, in {}", seconds.duration(path->ticks),
                    percent(path->ticks, result.duration()), seconds.duration(result.duration()),
                    count(static_cast<std::int64_t>(path->segments.size() + path->left_out), "segment", "segments")),
        style);
  if (const std::string losses = library_event_losses(result); !losses.empty())
    text += labelled("MPI events", losses, style);
  for (const std::string& line : options.headlines) {
    const auto colon = line.find(": ");
    const std::string label = colon == std::string::npos ? "" : line.substr(0, colon);
    text += labelled(printable(label), printable(colon == std::string::npos ? line : line.substr(colon + 2)), style);
  }

  const std::vector<FunctionAccount> accounts = function_accounts(result, run.counted());
  if (const std::string worst = problems_text(result, run, accounts, seconds, options.diagnoses, problems, style);
      times && !worst.empty())
    text += '\n' + worst;
  if (const std::string accounted =
          accounting_text(result, accounts, run.counted().time(), options.full ? accounts.size() : problems, style);
      times && !accounted.empty())
    text += '\n' + accounted;
  if (const std::string phases = phases_text(result, options.top.value_or(options.full ? 100 : 10), style);
      times && !phases.empty())
    text += '\n' + phases;
  text += '\n' +
          metric_table(result, run, completeness, seconds, style, {options.full, !options.full || options.tree_order});
  if (const std::string counters = counter_table(result, options.full ? 0 : rows, style); !counters.empty())
    text += '\n' + counters;
  if (options.full && times)
    if (const std::string waits =
            wait_states(result, run, completeness, seconds, options.diagnoses, rows, style, options.tree_order);
        !waits.empty())
      text += '\n' + waits;
  if (options.full) {
    if (const std::string settings = mpi_settings(result, style); !settings.empty()) text += '\n' + settings;
    if (const std::string queues = queues_text(result, seconds, most_processes, style); !queues.empty())
      text += '\n' + queues;
    if (const std::string software = software_counters_text(result, style); !software.empty()) text += '\n' + software;
  }
  if (const std::string unknown = not_told(completeness, run.counted(), style); !unknown.empty())
    text += '\n' + unknown;
  text += '\n' + damage(result, options.full, style);
  return options.full ? text
                      : text + paragraph("", "Statistics, instances, places and all metrics: --full", style.width);
}

}  // namespace waitstate::report

// `waitstate diff` and `waitstate check`: compare two runs, and judge whether a run is as good as it has to be. Both
// end with exit code 1 if a gate fails, so that a CI job can guard the performance of a program.
#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

#include "analysis/metrics/metric_names.hpp"
#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/options/analysis_choice.hpp"
#include "cli/options/gate_options.hpp"
#include "cli/output.hpp"
#include "cli/output_format.hpp"
#include "report/compare/diff.hpp"
#include "report/compare/judge.hpp"
#include "report/facts/completeness.hpp"
#include "report/pages.hpp"
#include "report/words/completeness.hpp"

namespace waitstate::cli {
namespace {

struct DiffSettings {
  std::vector<std::string> metrics;
  AnalysisChoice choice;
  GateOptions gates;
  std::string format, file;
  std::size_t top = 10;
};

struct CheckSettings {
  AnalysisChoice choice;
  GateOptions gates;
};

/// The metrics among `ids` that the report has.
std::vector<MetricIndex> metrics_in(const AnalysisResult& result, const std::vector<std::string>& ids) {
  std::vector<MetricIndex> found;
  for (const std::string& id : ids)
    if (const MetricIndex metric = analysis::find_metric(result.metrics, id); metric != no_metric)
      found.push_back(metric);
  return found;
}

int run_diff(const Command& command, DiffSettings& settings) {
  settings.choice.expect_a_trace({command.value(0), command.value(1)});
  const AnalysisResult before = settings.choice.load(command.value(0)), after = settings.choice.load(command.value(1));
  report::Difference d = report::difference(before, after, settings.metrics);
  if (settings.format != "csv") {
    std::vector<std::string> only;
    if (!settings.metrics.empty())
      for (const report::Change& c : d.metrics) only.push_back(c.metric);
    const AnalysisResult* const runs[] = {&before, &after};
    d.details = report::details_by_run(runs, only);
  }
  const std::vector<report::Verdict> verdicts = report::judge_all(settings.gates.gates(), before, after);
  Output output(settings.file, content_of(settings.format));
  if (settings.format == "html")
    report::write_diff_html(d, verdicts, output.stream(),
                            {.summary = report::diff_text(d, verdicts, settings.top, report::Style{})});
  else if (settings.format == "csv")
    report::diff_csv(d, output.stream());
  else if (settings.format == "json")
    report::diff_json(d, verdicts, output.stream());
  else
    output.stream() << report::diff_text(d, verdicts, settings.top, text_style(!settings.file.empty()));
  output.commit();
  if (settings.format == "csv") {  // CSV has no place for them
    note_what_a_table_lacks(before, metrics_in(before, settings.metrics));
    note_what_a_table_lacks(after, metrics_in(after, settings.metrics));
    print_failures(verdicts);
  }
  return settings.gates.finish({before.path, after.path}, verdicts);
}

int run_check(const Command& command, CheckSettings& settings) {
  settings.choice.expect_a_trace({command.value(0)});
  const AnalysisResult result = settings.choice.load(command.value(0));
  const std::vector<report::Verdict> verdicts = report::judge_all(settings.gates.gates(), result);
  const report::Style style = text_style(false);
  Output output("");
  output.stream() << report::verdicts_text(verdicts, style);
  for (const std::string& limit : report::limits(report::Completeness(result)))
    output.stream() << report::paragraph("", limit, style.width);
  output.commit();
  return settings.gates.finish({result.path}, verdicts);
}

}  // namespace

void add_diff(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "diff", "Show what changed from one run to another, per metric and call path",
                  "  waitstate diff before.json after.json\n"
                  "  waitstate diff before.json after.json -o diff.html   (a page for the browser)\n"
                  "  waitstate diff before.cubex scorep_run --metric mpi_latesender --top 20\n"
                  "  waitstate diff before.json after.json --fail-on 'mpi_latesender>+10%' --fail-on 'time>+0.5s'\n\n" +
                      std::string(gate_help) +
                      ".\nA limit with a sign applies to the growth from A to B: +10% of the value in A, or +0.5s. A "
                      "limit without a sign\napplies to B.\n\n" +
                      gate_exit_codes +
                      "\n"
                      "Without gates the exit code is 0, whatever has changed.",
                  {report_argument("A", "two reports or traces are needed, but none was given"),
                   report_argument("B", "two reports or traces are needed, but only one was given")});
  const auto settings = std::make_shared<DiffSettings>();
  CLI::App& options = *command.options;
  options.add_option("--metric", settings->metrics, "compare only these metrics")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("ID[,ID...]");
  settings->gates.add_to(command, "exit with 1 if GATE holds; may be given several times");
  options.add_option("--top", settings->top, "number of metrics and of call paths that the text shows (default: 10)")
      ->type_name("N");
  add_format(options, settings->format, report::Subject::difference);
  add_output(command, settings->file);
  settings->choice.add_to(options);
  settings->choice.add_phase_to(options);
  settings->choice.keep_no_contexts();
  command.further_inputs = [settings] { return settings->choice.files(); };
  command.check = [&command, settings] {
    settings->format = output_format(settings->format, settings->file, report::Subject::difference);
    check_top(command, settings->format);
    settings->gates.check();
    settings->choice.keep_details(settings->format != "csv");
    settings->choice.check();
  };
  command.body = [&command, settings] { return run_diff(command, *settings); };
}

void add_check(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "check", "Judge a run by gates, for example in a CI job",
                  "  waitstate check run.json --fail-on 'mpi_latesender>5%'\n"
                  "  waitstate check scorep_run --fail-on 'mpi_barrier_wait>0.5s' --fail-on 'time>=30s'\n\n" +
                      std::string(gate_help) + ".\n\n" + gate_exit_codes,
                  {report_argument("REPORT", "no report given")});
  const auto settings = std::make_shared<CheckSettings>();
  settings->gates.add_to(command, "exit with 1 if GATE holds; must be given at least once");
  settings->choice.add_to(*command.options);
  command.further_inputs = [settings] { return settings->choice.files(); };
  command.check = [settings] {
    if (settings->gates.empty())
      throw UsageError("nothing to check: give at least one gate, e.g. --fail-on 'mpi_latesender>5%'");
    settings->gates.check_of_one_run();
    settings->choice.check();
  };
  command.body = [&command, settings] { return run_check(command, *settings); };
}

}  // namespace waitstate::cli

// `waitstate diff` and `waitstate check`: what changed between two runs, and whether a run is as good as it has to be.
// Both end with exit code 1 if a gate fails, so that a CI job can guard the performance of a program.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/errors.hpp"
#include "cli/load.hpp"
#include "cli/output.hpp"
#include "report/compare/diff.hpp"
#include "report/compare/gate.hpp"
#include "report/completeness.hpp"

namespace waitstate::cli {
namespace {

struct GateSettings {
  std::vector<std::string> metrics, fail_on;
  std::vector<report::Gate> gates;  ///< from `fail_on`, set by parse_gates()
  std::string format = "text", file;
  std::size_t top = 10;
};

void parse_gates(GateSettings& settings) {
  for (const std::string& text : settings.fail_on) settings.gates.push_back(report::parse_gate(text));
}

void add_fail_on(CLI::App& options, GateSettings& settings, const char* description) {
  options.add_option("--fail-on", settings.fail_on, description)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("GATE");
}

int exit_code(const std::vector<report::Verdict>& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(), [](const report::Verdict& v) { return v.failed; }) ? failed : ok;
}

/// Those that the report has.
std::vector<MetricIndex> metrics_in(const AnalysisResult& result, const std::vector<std::string>& ids) {
  std::vector<MetricIndex> found;
  for (const std::string& id : ids)
    if (const MetricIndex metric = result.metrics.find(id); metric != no_metric) found.push_back(metric);
  return found;
}

int run_diff(const Command& command, const GateSettings& settings) {
  const AnalysisResult before = load(command.value(0)), after = load(command.value(1));
  const report::Difference d = report::difference(before, after, settings.metrics);
  std::vector<report::Verdict> verdicts;
  for (const report::Gate& gate : settings.gates) verdicts.push_back(report::judge(gate, before, after));
  Output output(settings.file);
  if (settings.format == "csv")
    report::diff_csv(d, output.stream());
  else if (settings.format == "json")
    report::diff_json(d, verdicts, output.stream());
  else
    output.stream() << report::diff_text(d, verdicts, settings.top, text_style(!settings.file.empty()));
  output.commit();
  if (settings.format == "csv") {  // has no place for them
    note_what_a_table_lacks(before, metrics_in(before, settings.metrics));
    note_what_a_table_lacks(after, metrics_in(after, settings.metrics));
  }
  if (settings.format == "csv")
    for (const report::Verdict& v : verdicts)
      if (v.failed) print_error(fmt::format("gate '{}' fails: {}", v.gate, v.value));
  return exit_code(verdicts);
}

int run_check(const Command& command, const GateSettings& settings) {
  const AnalysisResult result = load(command.value(0));
  std::vector<report::Verdict> verdicts;
  for (const report::Gate& gate : settings.gates) verdicts.push_back(report::judge(gate, result));
  const report::Style style = text_style(false);
  Output output("");
  output.stream() << report::verdicts_text(verdicts, style);
  for (const std::string& limit : report::Completeness(result).limits())
    output.stream() << report::paragraph("", limit, style.width);
  output.commit();
  return exit_code(verdicts);
}

const char* const gate_help =
    "Gates: METRIC, one of > >= < <=, and a limit: 5%, 0.5s (ms, us), 1000, 2MiB. Per cent are shares of the time\n"
    "without MPI_Init and MPI_Finalize, as in the summary of 'analyze'; all else is of the whole run. METRIC@whole\n"
    "and METRIC@without_init_exit say which one is meant, e.g. 'mpi_latesender@whole>5%'";
const char* const exit_codes =
    "Exit code: 0 if no gate fails, 1 if one does, 2 if one cannot be judged (no such metric, not analysed,\n"
    "or the trace cannot tell), 3 if an input cannot be read.";

}  // namespace

void add_diff(CLI::App& app, Commands& commands) {
  Command& command = add_command(
      app, commands, "diff", "Say what changed from one run to another, per metric and call path",
      "  waitstate diff before.json after.json\n"
      "  waitstate diff before.cubex scorep_run --metric mpi_latesender --top 20\n"
      "  waitstate diff before.json after.json --fail-on 'mpi_latesender>+10%' --fail-on 'time>+0.5s'\n\n" +
          std::string(gate_help) +
          ".\nWith a sign growth from A to B: +10% of what it was, +0.5s. Without a sign a gate is about B.\n" +
          exit_codes + "\nWithout gates the exit code is 0 whatever has changed.",
      {report_argument("A", "two reports or traces are needed, none given"),
       report_argument("B", "two reports or traces are needed, one given")});
  const auto settings = std::make_shared<GateSettings>();
  CLI::App& options = *command.options;
  options.add_option("--metric", settings->metrics, "only these metrics")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("ID[,ID...]");
  add_fail_on(options, *settings, "exit with 1 if this holds; may be given several times");
  options.add_option("--top", settings->top, "metrics, and call paths, that are shown as text (default 10)")
      ->type_name("N");
  options.add_option("--format", settings->format, "text (default), csv or json");
  add_output(command, settings->file);
  command.check = [&command, settings] {
    check_word("format", settings->format, {"text", "csv", "json"});
    check_top(command, settings->format);
    parse_gates(*settings);
  };
  command.body = [&command, settings] { return run_diff(command, *settings); };
}

void add_check(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "check", "Judge a run by gates, for CI jobs",
                  "  waitstate check run.json --fail-on 'mpi_latesender>5%'\n"
                  "  waitstate check scorep_run --fail-on 'mpi_barrier_wait>0.5s' --fail-on 'time>=30s'\n\n" +
                      std::string(gate_help) + ".\n" + exit_codes,
                  {report_argument("REPORT", "no report given")});
  const auto settings = std::make_shared<GateSettings>();
  add_fail_on(*command.options, *settings, "fail if this holds; may be given several times");
  command.check = [settings] {
    if (settings->fail_on.empty())
      throw UsageError("nothing to check: give at least one gate, e.g. --fail-on 'mpi_latesender>5%'");
    parse_gates(*settings);
    for (const report::Gate& gate : settings->gates) report::require_no_growth(gate);
  };
  command.body = [&command, settings] { return run_check(command, *settings); };
}

}  // namespace waitstate::cli

// `waitstate patterns` and `waitstate explain`: list what waitstate can find, and explain what exactly each of it
// means.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>

#include "analysis/metrics/metric_names.hpp"
#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/options/analysis_choice.hpp"
#include "cli/options/pattern_options.hpp"
#include "cli/output.hpp"
#include "report/facts/counters.hpp"
#include "report/text/explain.hpp"
#include "report/text/mpi_variables.hpp"
#include "report/text/pattern_text.hpp"
#include "report/text/tables/counter_table.hpp"

namespace waitstate::cli {

void add_patterns(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "patterns", "List all metrics that can be found, as a tree with units and summaries",
                  "  waitstate patterns\n"
                  "  waitstate patterns --plugin ./libmine.so",
                  {}, false);
  const auto patterns = std::make_shared<PatternOptions>();
  patterns->add_plugin_option(*command.options);
  command.check = [&command, patterns] {
    patterns->check();
    command.plugins = patterns->plugins();
    command.running_plugin = patterns->running();
  };
  command.body = [patterns] {
    Output output("");
    output.stream() << report::patterns_text(patterns->registry(), text_style(false));
    output.commit();
    return 0;
  };
}

namespace {

/// The explanation of a metric or, if no metric has this id, of a factor of efficiency, a software counter, a variable
/// of an MPI library, or a counter of a trace or report.
std::string explanation(const PatternRegistry& registry, const std::string& id, const std::string& in) {
  if (analysis::find_metric(registry.metrics(), id) != no_metric)
    return report::explain_text(registry, id, text_style(false));
  if (std::string factor = report::explain_factor(id, text_style(false)); !factor.empty()) return factor;
  if (std::string counter = report::explain_software_counter(id, text_style(false)); !counter.empty()) return counter;
  std::string of_variable = report::explain_variable(id, text_style(false));
  if (in.empty()) {
    if (!of_variable.empty()) return of_variable;
    if (const std::string near = analysis::nearest_metric(id, {&registry.metrics()}); !near.empty())
      throw UsageError(fmt::format("no metric has the id '{}': did you mean '{}'?", id, near));
    throw UsageError(fmt::format(
        "no metric has the id '{}'; `waitstate patterns` lists all ids. For a counter of a trace, add --in TRACE", id));
  }
  expect_some_file(in);
  const AnalysisResult result = AnalysisChoice().load(in);
  const Counter* counter = report::counter_of(result, metric_of(result, id));
  if (counter == nullptr) throw UsageError(fmt::format("'{}' is not a counter of {}", id, in));
  return (of_variable.empty() ? "" : of_variable + '\n') + report::explain_text(result, *counter, text_style(false));
}

}  // namespace

void add_explain(CLI::App& app, Commands& commands) {
  Command& command = add_command(
      app, commands, "explain", "Explain metrics: definition, source, parameters, and advice",
      "  waitstate explain mpi_latesender\n"
      "  waitstate explain mpi_barrier_wait mpi_wait_nxn\n"
      "  waitstate explain tiny_messages --plugin ./libtiny_messages.so\n"
      "  waitstate explain PAPI_TOT_CYC --in run.json\n"
      "  waitstate explain runtime_spc_OMPI_UNEXPECTED",
      {{"ID", "id of a metric, as in reports and in 'waitstate patterns'", "no id of a metric given", true}}, false);
  const auto patterns = std::make_shared<PatternOptions>();
  const auto in = std::make_shared<std::string>();
  patterns->add_plugin_option(*command.options);
  command.options->add_option("--in", *in, "a trace or report that contains the counter ID")->type_name("FILE");
  command.check = [&command, patterns] {
    patterns->check();
    command.plugins = patterns->plugins();
    command.running_plugin = patterns->running();
  };
  command.body = [&command, patterns, in] {
    std::string text;
    for (const std::string& id : command.values[0])
      text += (text.empty() ? "" : "\n") + explanation(patterns->registry(), id, *in);
    Output output("");
    output.stream() << text;
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli

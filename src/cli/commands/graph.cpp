// `waitstate graph`: who waits for whom, as text, or for the tools that draw and analyse graphs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"
#include "cli/errors.hpp"
#include "cli/load.hpp"
#include "cli/options/analysis_choice.hpp"
#include "cli/output.hpp"
#include "cli/output_format.hpp"
#include "export/dependencies.hpp"
#include "report/facts/completeness.hpp"
#include "report/format/units.hpp"
#include "report/graph/chain_graph.hpp"
#include "report/graph/wait_graph_text.hpp"
#include "report/text/chain_text.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/wait_graph.hpp"
#include "waitstate/trace/event_trace.hpp"

namespace waitstate::cli {
namespace {

struct GraphSettings {
  std::vector<std::string> metrics;
  std::string by = "process", format, file;
  std::optional<std::size_t> top;
  bool dependencies = false, chains = false;
  AnalysisChoice choice;
};

const std::vector<std::string> levels = {"process", "location"};

/// CUBE has no place for pairs of locations: a graph of such a report would be empty, which would mislead.
void expect_waits(const AnalysisResult& result, const std::string& report) {
  if (!result.waits.empty() || !report::without_events(result)) return;
  throw UsageError(
      fmt::format("{}: this report contains waiting times, but not which process waited for which; no .cubex does. "
                  "Give the trace, or a report written from it with 'waitstate analyze TRACE -o FILE.json'",
                  report));
}

/// A larger drawing cannot be read; programs that read GraphML can take all vertices.
std::size_t shown_vertices(const GraphSettings& settings, std::size_t all) {
  if (settings.top) return *settings.top;
  return settings.format == "dot" ? report::most_vertices : all;
}

/// The most events that fit into memory and that programs can lay out and show.
constexpr std::uint64_t most_events = 2'000'000;
constexpr std::size_t most_drawn = 1'000;

bool applies_to_dependencies(const std::string& option) {
  return option == "dependencies" || option == "format" || option == "output" || option == "no-guard" ||
         option == "help" || option == "set";
}

constexpr std::size_t most_chains = 5;

int write_chains(const std::string& input, const std::vector<MetricIndex>& metrics, const AnalysisResult& result,
                 const GraphSettings& settings) {
  const std::vector<report::NumberedInstance> instances =
      report::with_chains(result, metrics, settings.top.value_or(most_chains));
  const report::ChainGraph graph(instances);
  if (instances.empty()) {
    const bool was_run = std::any_of(result.patterns.begin(), result.patterns.end(),
                                     [](const PatternRun& p) { return p.id == "critical_path"; });
    if (!was_run)
      throw UsageError(
          fmt::format("{}: this report does not contain the causes of waits: give the trace, or a report written from "
                      "it with 'waitstate analyze TRACE --pattern all,critical_path -o FILE.json'",
                      input));
  }
  Output output(settings.file);
  if (settings.format == "dot") {
    report::write_dot(graph, result, output.stream());
  } else if (settings.format == "graphml") {
    report::write_graphml(graph, result, output.stream());
  } else {
    if (instances.empty()) output.stream() << "No wait has a known chain of causes.\n";
    const report::Style style = text_style(!settings.file.empty());
    for (const report::NumberedInstance& i : instances) output.stream() << report::chain_text(result, i, style) << '\n';
  }
  output.commit();
  return 0;
}

/// Whether the parameter `all_waits` of the pattern is set.
bool follows_all_waits(GraphSettings& settings) {
  for (const PatternHandle& p : settings.choice.patterns())
    if (p.id() == "critical_path") return p.parameters.integer("all_waits") != 0;
  return false;
}

int write_dependencies(const std::string& input, GraphSettings& settings) {
  expect_trace(input);
  EventTraceOptions options;
  options.progress = [&](std::uint64_t done, std::uint64_t announced) {
    if (std::max(done, announced) > most_events)
      throw UsageError(fmt::format(
          "{}: the trace has more than {} events, too many for a graph of single events: 'waitstate analyze --pattern "
          "critical_path,delay' computes the results of this graph for traces of any size",
          input, report::grouped(most_events)));
  };
  const EventTrace trace(input, options);
  const access::DependencyGraph graph(trace, follows_all_waits(settings));
  const bool dot = settings.format == "dot";
  if (dot && graph.size() > most_drawn)
    throw UsageError(
        fmt::format("{}: the graph has {} vertices, and a drawing of more than {} cannot be read: '--format graphml' "
                    "writes it for programs that filter and lay out graphs",
                    input, report::grouped(static_cast<std::int64_t>(graph.size())),
                    report::grouped(static_cast<std::int64_t>(most_drawn))));
  Output output(settings.file);
  if (dot)
    exports::write_dot(graph, trace, output.stream());
  else
    exports::write_graphml(graph, trace, output.stream());
  output.commit();
  return 0;
}

}  // namespace

void add_graph(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "graph", "Show which processes wait for which, and which groups wait for each other",
                  "  waitstate graph run.json\n"
                  "  waitstate graph scorep_run --metric mpi_latesender --by location\n"
                  "  waitstate graph scorep_run --format dot | dot -Tsvg > waits.svg\n"
                  "  waitstate graph run.json --format graphml -o waits.graphml\n"
                  "  waitstate graph scorep_run --chains --format dot | dot -Tsvg > why.svg\n"
                  "  waitstate graph scorep_run --dependencies --format dot | dot -Tsvg > run.svg",
                  {{"REPORT",
                    "a .json report of waitstate, or a trace, which is analysed first; a .cubex does not say which "
                    "process waited for which",
                    "no report given"}});
  const auto settings = std::make_shared<GraphSettings>();
  CLI::App& options = *command.options;
  options.add_option("--metric", settings->metrics, "show only these wait states and those below them (default: all)")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("ID[,ID...]");
  add_choice(options, "--by", settings->by, levels, "vertices of the graph: processes or locations (default: process)");
  options
      .add_option(
          "--top", settings->top,
          "show the N processes or locations that waited and caused the most, and the sum of all others (default: "
          "all if there are at most 32; otherwise 15 in the matrix of the text, 32 with dot, all with graphml)")
      ->type_name("N");
  add_format(options, settings->format, report::Subject::graph);
  options.add_flag(
      "--chains", settings->chains,
      "show instead the causes of the most severe waits, each as a chain from the waiting process over processes that "
      "waited themselves to the one that was busy; --top sets the number of chains for each wait state (default: 5). A "
      "report must have been written with the pattern critical_path; for a trace, the pattern is run");
  options.add_flag("--dependencies", settings->dependencies,
                   "show instead which record depends on which in a small trace: sends, receives, collective "
                   "operations, forks and barriers of threads, the work between them, waits, and the critical path, as "
                   "dot or graphml. --set critical_path.all_waits=1 adds non-blocking and one-sided operations, locks, "
                   "tasks and kernels");
  add_output(command, settings->file);
  settings->choice.add_to(options);
  const std::vector<const CLI::Option*> all = std::as_const(options).get_options();
  command.further_inputs = [settings] { return settings->choice.files(); };
  command.check = [settings, all] {
    settings->format = output_format(settings->format, settings->file, report::Subject::graph);
    check_word("level", settings->by, levels);
    if (settings->chains && settings->dependencies)
      throw UsageError("--chains and --dependencies show different graphs: leave one of the two out");
    if (settings->chains || settings->dependencies) settings->choice.run_too("critical_path");
    settings->choice.check();
    if (!settings->dependencies) return;
    for (const CLI::Option* option : all)
      for (const std::string& name : option->get_lnames())
        if (option->count() != 0 && !applies_to_dependencies(name))
          throw UsageError(fmt::format(
              "--dependencies shows all records of a trace, but --{} applies to the graph of waits: leave one of them "
              "out",
              name));
    if (settings->format == "text")
      throw UsageError(
          "--dependencies shows single records, which cannot be written as text: give --format dot or --format "
          "graphml");
  };
  command.body = [&command, settings] {
    if (settings->dependencies) return write_dependencies(command.value(0), *settings);
    settings->choice.expect_a_trace({command.value(0)});
    const AnalysisResult result = settings->choice.load(command.value(0));
    expect_waits(result, command.value(0));
    std::vector<MetricIndex> metrics;
    for (const std::string& id : settings->metrics) metrics.push_back(metric_of(result, id));
    if (settings->chains) return write_chains(command.value(0), metrics, result, *settings);
    const WaitGraph graph(result, metrics,
                          settings->by == "location" ? WaitGraph::Level::location : WaitGraph::Level::process);
    const WaitGraph shown = graph.top(shown_vertices(*settings, graph.size()));
    Output output(settings->file);
    if (settings->format == "dot")
      shown.write_dot(output.stream());
    else if (settings->format == "graphml")
      shown.write_graphml(output.stream());
    else
      output.stream() << report::wait_graph_text(result, graph, text_style(!settings->file.empty()), metrics,
                                                 settings->top);
    output.commit();
    if (settings->format == "dot" && !settings->top && shown.size() < graph.size())
      print_note(
          fmt::format("the graph shows the {} {} with most waiting, and the sum of the other {}; --top {} shows all",
                      report::most_vertices, settings->by == "location" ? "locations" : "processes",
                      graph.size() - report::most_vertices, graph.size()));
    if (settings->format != "text")  // the other formats have no place for it
      if (const std::string unknown = report::wait_graph_unknown(result, metrics, {100'000, false}); !unknown.empty())
        print_note("the graph lacks waits that are unknown in this trace:" +
                   unknown.substr(unknown.find('\n'), unknown.size() - unknown.find('\n') - 1));
    return 0;
  };
}

}  // namespace waitstate::cli

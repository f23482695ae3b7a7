// `waitstate print`: a trace as text, event by event in the one stream, so that it can be searched, cut and read back.
//
// The whole trace is held in memory, because the order of the stream is settled only once all events are known. Filters
// are tested on positions in that order; lines are composed into one buffer that is reused, a piece at a time.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <bitset>
#include <string>
#include <utility>
#include <vector>

#include "analysis/focus.hpp"
#include "cli/command.hpp"
#include "cli/commands/epoch_lines.hpp"
#include "cli/load.hpp"
#include "cli/options/pattern_options.hpp"
#include "cli/options/selection.hpp"
#include "cli/output.hpp"
#include "notation/event_writer.hpp"
#include "report/format/names.hpp"
#include "report/text/critical_path_text.hpp"
#include "report/text/trace_warnings.hpp"
#include "waitstate/error.hpp"
#include "waitstate/trace/event_trace.hpp"
#include "waitstate/trace/notation.hpp"

namespace waitstate::cli {
namespace {

struct PrintSettings {
  std::vector<std::string> locations, types;
  TimeWindow time;
  bool no_definitions = false, links = false, attributes = false, transfers = false, epochs = false,
       critical_path = false;
  std::string rma_model = "auto";
  unsigned threads = 0;
  std::size_t chunk_events = 0;
  PatternOptions patterns;  ///< for the critical path

  std::bitset<event_type_count> wanted_types;  ///< from `types`, set by check()
  std::vector<std::size_t> wanted_locations;   ///< from `locations`, set by check()
};

void check(PrintSettings& settings) {
  rma_model(settings.rma_model);
  if (settings.epochs && settings.critical_path)
    throw UsageError("--epochs and --critical-path print different lists: leave one of the two out");
  if (settings.epochs || settings.critical_path) {
    const char* const of_events = !settings.types.empty() ? "--type"
                                  : settings.links        ? "--links"
                                  : settings.transfers    ? "--transfers"
                                  : settings.attributes   ? "--attributes"
                                                          : nullptr;
    if (of_events != nullptr)
      throw UsageError(
          fmt::format("{} selects or formats events, but {} instead of events: leave one of the two out", of_events,
                      settings.epochs ? "--epochs prints epochs" : "--critical-path prints segments of the path"));
  }
  if (!settings.critical_path && settings.patterns.sets())
    throw UsageError("--set applies only to --critical-path: give --critical-path, or leave --set out");
  settings.patterns.run_only("critical_path");
  settings.patterns.check();
  std::vector<std::string> known;
  for (const EventTypeSpec& type : event_types) known.emplace_back(type.name);
  for (const std::string& word : settings.types) {
    EventType type{};
    if (!event_type_from_name(word, type))
      throw UsageError(fmt::format("unknown event type '{}'{}", word,
                                   did_you_mean(word, known, "'waitstate print --help' lists all types")));
    settings.wanted_types.set(static_cast<std::size_t>(type));
  }
  if (settings.types.empty()) settings.wanted_types.set();
  settings.wanted_locations = location_numbers(settings.locations);
  settings.time.check();
}

int print_critical_path(const std::string& trace, PrintSettings& settings) {
  AnalysisOptions options;
  options.threads = settings.threads;
  options.chunk_events = settings.chunk_events;
  options.built_in = false;
  options.counters = false;
  options.patterns = settings.patterns.chosen();
  const AnalysisResult result = analyze_with_progress(trace, std::move(options));
  check_locations(settings.wanted_locations, result.definitions.locations.size());
  if (!result.critical_path || result.critical_path->segments.empty()) {
    std::string why;
    for (const UndeterminedMetric& u : result.undetermined)
      if (result.metrics[u.metric].id == "critical_path") why = ": " + u.sentence;
    throw UsageError(fmt::format("{}: there is no critical path{}", trace, why));
  }
  const pass::TraceStart start{report::first_event(result), result.definitions.clock.resolution};
  Output output("");
  report::write_critical_path(result, settings.wanted_locations, tick_at(start, settings.time.seconds.first, true),
                              tick_at(start, settings.time.seconds.second, false), output.stream());
  output.commit();
  return 0;
}

/// The names of all event types, in lines of the width of the help.
std::string type_list() {
  std::string text;
  std::size_t column = 0;
  for (const EventTypeSpec& type : event_types) {
    const bool first = column == 0, full = column + type.name.size() + 2 > 100;
    text += first ? "  " : full ? ",\n  " : ", ";
    column = first || full ? 2 : column + 2;
    text += type.name;
    column += type.name.size();
  }
  return text;
}

/// For each LocationId, whether the location is wanted.
std::vector<bool> location_filter(const PrintSettings& settings, std::size_t count) {
  std::vector<bool> wanted(count, settings.wanted_locations.empty());
  check_locations(settings.wanted_locations, count);
  for (const std::size_t location : settings.wanted_locations) wanted[location] = true;
  return wanted;
}

/// `lists_left_out` means that the trace has attribute lists, which are not printed.
void print(const EventTrace& trace, const PrintSettings& settings, bool lists_left_out, std::ostream& out) {
  const std::vector<bool> locations = location_filter(settings, trace.location_count());
  const pass::TraceStart start{trace.size() == 0 ? 0 : trace.event(0).time, trace.definitions().clock.resolution};
  const Time from = tick_at(start, settings.time.seconds.first, true),
             to = tick_at(start, settings.time.seconds.second, false);

  if (!settings.time.all() && trace.size() != 0) {
    Time first = start.first, last = first;
    for (Position pos = 0; pos < trace.size(); ++pos) last = std::max(last, trace.event(pos).time);
    const Focus focus{{}, {}, from, to == ~Time{0} ? to : to + 1};
    analysis::expect_overlap(focus, first, last, trace.definitions().clock);
  }

  const notation::EventWriter writer(trace.definitions());
  std::string text = report::trace_warning_comments(trace.diagnostics());
  if (lists_left_out) text += "# left out: the attribute lists of events, which --attributes writes too\n";
  if (!settings.no_definitions && !settings.links) text += to_notation(trace.definitions());
  for (Position pos = 0; pos < trace.size(); ++pos) {
    const Event event = trace.event(pos);
    if (!locations[event.loc.index()] || !settings.wanted_types[static_cast<std::size_t>(event.type)] ||
        event.time < from || event.time > to)
      continue;
    if (settings.links)
      text.append(literal(event, trace.definitions())).append("\n");
    else
      writer.append(text, event);
    if (text.size() > (1 << 16)) {
      out.write(text.data(), static_cast<std::streamsize>(text.size()));
      text.clear();
    }
  }
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace

void add_print(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "print", "Print events as text that can be read back as a trace",
                                 "  waitstate print --attributes scorep_run > run.txt && waitstate analyze run.txt\n"
                                 "  waitstate print scorep_run --type send,recv --location 0,3\n"
                                 "  waitstate print scorep_run --time 1.25 1.5 --links\n"
                                 "  waitstate print scorep_run --epochs\n"
                                 "  waitstate print scorep_run --critical-path --set critical_path.all_waits=1\n\n"
                                 "Event types:\n" +
                                     type_list(),
                                 {trace_argument()});
  const auto settings = std::make_shared<PrintSettings>();
  CLI::App& options = *command.options;
  options
      .add_option("--location", settings->locations,
                  "print only events of these locations, by the numbers in the first column")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("N[,M-K...]");
  options.add_option("--type", settings->types, "print only events of these types, e.g. send,recv")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("TYPE[,TYPE...]");
  options
      .add_option("--time", settings->time.seconds,
                  "print only events between FROM and TO, both included, in seconds since the first event of the trace")
      ->type_name("FROM TO");
  options.add_flag("--no-definitions", settings->no_definitions, "leave out the definitions");
  options.add_flag(
      "--links", settings->links,
      "print the position of each event, and its links to other events: enterptr, sendptr, ...; leaves out the "
      "definitions");
  options.add_flag("--attributes", settings->attributes,
                   "print the attribute lists of events. Without them the text is incomplete: analyses that need "
                   "attributes (OMPT's region numbers) give different results");
  options.add_flag("--transfers", settings->transfers,
                   "add the starts and ends of one-sided transfers, which are derived from other events: put_1ts, "
                   "put_1te, get_1to, get_1ts, get_1te");
  add_choice(options, "--rma-model", settings->rma_model, rma_models,
             "when these transfers end: basic (in the call that starts them), extended (in the call that completes "
             "them) or auto (default: extended for MPI)");
  options.add_flag(
      "--epochs", settings->epochs,
      "instead of events, print the epochs of one-sided communication: fences and other collective operations, "
      "accesses, exposures and locks, with members, call paths, operations and bytes, and each operation with its end. "
      "--location selects epochs in which one of these locations takes part, --time those that overlap the window");
  options.add_flag(
      "--critical-path", settings->critical_path,
      "instead of events, print the segments of the critical path, which determines how long the run takes: location, "
      "begin and end in seconds since the first event, the call path that took most of the time, and the event that "
      "led the path there. If there are more than 10,000, print the longest. --location and --time select segments");
  settings->patterns.add_set_option(options);
  options
      .add_option("--threads", settings->threads,
                  "number of threads that read the trace (default: one per core, at most 8)")
      ->type_name("N");
  options.add_option("--chunk-events", settings->chunk_events)->group("");
  command.check = [settings] { check(*settings); };
  command.body = [&command, settings] {
    expect_trace(command.value(0));
    if (settings->critical_path) return print_critical_path(command.value(0), *settings);
    if (settings->epochs) {
      AnalysisOptions options_of_analysis;
      options_of_analysis.threads = settings->threads;
      options_of_analysis.chunk_events = settings->chunk_events;
      options_of_analysis.rma_model = rma_model(settings->rma_model);
      options_of_analysis.focus = chosen_focus(command.value(0), settings->wanted_locations, settings->time);
      Output output("");
      print_epochs(command.value(0), std::move(options_of_analysis), output.stream());
      output.commit();
      return 0;
    }
    EventTraceOptions trace_options;
    trace_options.threads = settings->threads;
    trace_options.chunk_events = settings->chunk_events;
    trace_options.attribute_lists = settings->attributes;
    trace_options.transfers = settings->transfers;
    trace_options.rma_model = rma_model(settings->rma_model);
    const EventTrace trace(command.value(0), trace_options);
    const bool lists_left_out =
        !settings->attributes && !trace.definitions().attributes.empty() && pass::leaves_out_lists(command.value(0));
    Output output("");
    print(trace, *settings, lists_left_out, output.stream());
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli

// `waitstate analyze`: a trace, the patterns and the part of the run to look at, and where the result goes.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/errors.hpp"
#include "cli/load.hpp"
#include "cli/output.hpp"
#include "cli/pattern_options.hpp"
#include "cli/selection.hpp"
#include "report/csv.hpp"
#include "report/cube/archive.hpp"
#include "report/cube/trace_stat.hpp"
#include "report/cube/writer.hpp"
#include "report/json/json_writer.hpp"
#include "report/text/analysis_text.hpp"

namespace waitstate::cli {
namespace {

struct AnalyzeSettings {
  std::string format, file;
  bool full = false;
  std::optional<std::size_t> top;
  PatternOptions patterns;
  std::string region;
  TimeWindow time;
  std::vector<std::string> locations;
  std::vector<std::size_t> wanted_locations;  ///< from `locations`, set by check()
  unsigned threads = 0;
  std::size_t chunk_events = 0;
  std::string rma_model = "auto";
  bool no_counters = false;
};

const std::vector<std::string> formats = {"text", "csv", "json"};

/// The format that the ending of a file name asks for, "" if it asks for none.
std::string format_of(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending == ".cubex") return "cubex";
  return ending == ".csv" || ending == ".json" ? ending.substr(1) : "";
}

void check(AnalyzeSettings& settings) {
  if (!settings.format.empty()) check_word("format", settings.format, formats);
  rma_model(settings.rma_model);
  const std::string by_name = format_of(settings.file);
  if (!settings.format.empty() && !by_name.empty() && by_name != settings.format)
    throw UsageError(
        fmt::format("--format {} does not fit -o {}: leave one of them out, or give the file another "
                    "ending",
                    settings.format, settings.file));
  if (settings.format.empty()) settings.format = by_name.empty() ? "text" : by_name;
  settings.time.check();
  settings.wanted_locations = location_numbers(settings.locations);
  settings.patterns.check();
}

Focus focus(const std::string& trace, const AnalyzeSettings& settings) {
  Focus focus = chosen_focus(trace, settings.wanted_locations, settings.time);
  focus.region = settings.region;
  return focus;
}

/// True if `file` is a report whose statistics are those in the file `statistics`.
bool has_statistics(const std::string& file, const std::string& statistics) {
  std::error_code error;
  const std::optional<std::string> member = report::member_of(file, "trace.stat");
  if (!member || std::filesystem::file_size(statistics, error) != member->size() || error) return false;
  std::ifstream in(statistics, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {}) == *member;
}

std::string statistics_beside(const std::string& file) {
  return (std::filesystem::path(file).parent_path() / "trace.stat").string();
}

void write_text(const AnalysisResult& result, AnalyzeSettings& settings, std::ostream& out) {
  report::TextOptions options;
  options.full = settings.full;
  options.top = settings.top;
  const std::vector<PatternHandle> patterns = settings.patterns.chosen();
  options.diagnoses = report::diagnoses(patterns);
  options.headlines = report::headlines(result, patterns);
  out << report::analysis_text(result, text_style(!settings.file.empty()), options);
}

/// A CUBE report, and beside it the statistics file that viewers look for there. All reports of a folder share that
/// name; so it is written where there is none, or where it is that of the report that is being replaced.
void write_cube(const AnalysisResult& result, const std::string& file) {
  const std::string beside = statistics_beside(file);
  std::error_code error;  // a link to itself is not there either
  const bool free = !std::filesystem::exists(beside, error) || has_statistics(file, beside);
  Output report(file, Output::Content::bytes);
  report::write_cube(result, report.stream());
  if (!free) {
    report.commit();
    print_note(
        fmt::format("{} belongs to another report and stays as it is; {} has its statistics in itself", beside, file));
    return;
  }
  Output statistics(beside);
  report::write_trace_stat(result, statistics.stream());
  report.stream().flush();  // that there is room for both is known before either gets its name
  statistics.stream().flush();
  report.commit();
  statistics.commit();
}

void write(const AnalysisResult& result, AnalyzeSettings& settings) {
  if (settings.format == "cubex") return write_cube(result, settings.file);
  Output output(settings.file);
  if (settings.format == "csv")
    report::write_csv(result, output.stream());
  else if (settings.format == "json")
    report::write_json(result, output.stream());
  else
    write_text(result, settings, output.stream());
  output.commit();
  if (settings.format == "csv") note_what_a_table_lacks(result);
}

void add_selection(CLI::App& options, AnalyzeSettings& settings) {
  options.add_option("--region", settings.region, "only what happens inside this region, itself included")
      ->type_name("REGION");
  options
      .add_option("--time", settings.time.seconds,
                  "only from FROM to TO, both included, in seconds since the first event of the trace")
      ->type_name("FROM TO");
  options.add_option("--location", settings.locations, "only these locations, by number")
      ->delimiter(',')
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("N[,M-K...]");
}

}  // namespace

void add_analyze(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "analyze", "Find where processes waited, how much it cost, and who caused it",
                  "  waitstate analyze scorep_run\n"
                  "  waitstate analyze scorep_run --full --top 10\n"
                  "  waitstate analyze scorep_run -o run.cubex            (run.json, run.csv: by the ending)\n"
                  "  waitstate analyze scorep_run --format json | jq .metrics\n"
                  "  waitstate analyze scorep_run --region solve --time 1.5 2 --location 0-3\n"
                  "  waitstate analyze scorep_run --pattern mpi_latesender,mpi_barrier_wait",
                  {trace_argument()});
  const auto settings = std::make_shared<AnalyzeSettings>();
  CLI::App& options = *command.options;
  options.add_option("--format", settings->format, "text (default), csv or json");
  add_output(command, settings->file,
             "write to FILE; .cubex, .json and .csv choose the format, and beside a .cubex goes trace.stat,\n"
             "unless there is one already that belongs to another report");
  options.add_flag("--full", settings->full, "all metrics, statistics and instances of each wait state, all damage");
  options.add_option("--top", settings->top, "problems, and lines per list, of the text (default: 3, and 5)")
      ->type_name("N");
  add_selection(options, *settings);
  settings->patterns.add_to(options);
  options
      .add_option("--rma-model", settings->rma_model,
                  "when one-sided transfers end, for patterns that look at them: basic (in the call that starts\n"
                  "them), extended (in the one that completes them) or auto (default: extended for MPI)")
      ->type_name("MODEL");
  options.add_flag("--no-counters", settings->no_counters, "leave out hardware counters and other METRIC events");
  options.add_option("--threads", settings->threads, "threads that decode (default: one per core, at most 8)")
      ->type_name("N");
  options.add_option("--chunk-events", settings->chunk_events)->group("");
  command.check = [&command, settings] {
    check(*settings);
    check_top(command, settings->format);
    command.running_plugin = settings->patterns.running();
  };
  command.further_inputs = [settings] { return settings->patterns.files(); };
  command.outputs = [settings] {
    std::vector<std::string> files;
    if (!settings->file.empty()) files.push_back(settings->file);
    if (settings->format == "cubex") files.push_back(statistics_beside(settings->file));
    return files;
  };
  command.body = [&command, settings] {
    AnalysisOptions analysis;
    analysis.threads = settings->threads;
    analysis.chunk_events = settings->chunk_events;
    analysis.built_in = false;
    analysis.patterns = settings->patterns.chosen();
    analysis.counters = !settings->no_counters;
    analysis.rma_model = rma_model(settings->rma_model);
    analysis.focus = focus(command.value(0), *settings);
    write(analyze_with_progress(command.value(0), analysis), *settings);
    return 0;
  };
}

}  // namespace waitstate::cli

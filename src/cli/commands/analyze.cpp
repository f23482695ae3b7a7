// `waitstate analyze`: a trace, the patterns and the part of the run to look at, and the output of the result.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/errors.hpp"
#include "cli/load.hpp"
#include "cli/options/analysis_choice.hpp"
#include "cli/options/gate_options.hpp"
#include "cli/output.hpp"
#include "cli/output_format.hpp"
#include "cli/peers/with_peers.hpp"
#include "cli/progress.hpp"
#include "export/shown_waits.hpp"
#include "report/csv/phases_csv.hpp"
#include "report/cube/archive.hpp"
#include "report/cube/trace_stat.hpp"
#include "report/cube/writer.hpp"
#include "report/facts/waits/problems.hpp"
#include "report/text/analysis_text.hpp"
#include "serve/timeline/transfer_file.hpp"
#include "serve/timeline/wait_file.hpp"

namespace waitstate::cli {
namespace {

struct AnalyzeSettings {
  std::string format, file;
  bool full = false;
  std::string order;
  std::optional<std::size_t> top;
  AnalysisChoice choice;
  GateOptions gates;
  HtmlSize html;
  // For `waitstate serve`:
  std::vector<std::string> also;  ///< FORMAT:DESCRIPTOR
  bool check_only = false;
  std::optional<Time> last_event;  ///< its time in ticks, for check_only
  int waits_fd = -1, transfers_fd = -1;
};

/// A report for a program that waits for it at a descriptor.
struct FurtherReport {
  const report::Form* form;
  int fd;
};

std::vector<FurtherReport> further_reports(const AnalyzeSettings& settings) {
  std::vector<FurtherReport> reports;
  for (const std::string& word : settings.also) {
    const auto colon = word.find(':');
    FurtherReport further{report::form_of_name(word.substr(0, colon)), -1};
    if (colon != std::string::npos) std::from_chars(word.data() + colon + 1, word.data() + word.size(), further.fd);
    if (further.form == nullptr || further.form->write == nullptr || further.fd < 0)
      throw UsageError(fmt::format("--also {}: expected FORMAT:DESCRIPTOR", word));
    reports.push_back(further);
  }
  return reports;
}

void check(AnalyzeSettings& settings) {
  settings.format = output_format(settings.format, settings.file, report::Subject::report, report::Subject::archive);
  check_order(settings.order, settings.full);
  settings.html.check(settings.format);
  settings.choice.check();
  settings.gates.check_of_one_run();
  further_reports(settings);
}

/// True if `file` is a report whose statistics are those in the file `statistics`.
bool has_statistics(const std::string& file, const std::string& statistics) {
  std::error_code error;
  const std::optional<std::string> member = report::member_of(file, "trace.stat");
  if (!member || std::filesystem::file_size(statistics, error) != member->size() || error) return false;
  std::ifstream in(statistics, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {}) == *member;
}

/// True if `statistics` are those of a report that is not in `file`.
bool is_of_other_report(const std::string& statistics, const std::string& file) {
  std::error_code error;  // a link to itself is not there either
  return std::filesystem::exists(statistics, error) && !has_statistics(file, statistics);
}

std::string statistics_beside(const std::string& file) {
  return (std::filesystem::path(file).parent_path() / "trace.stat").string();
}

report::TextOptions text_options(const AnalysisResult& result, AnalyzeSettings& settings) {
  report::TextOptions options;
  options.full = settings.full;
  options.tree_order = settings.order == "tree";
  options.top = settings.top;
  const std::vector<PatternHandle> patterns = settings.choice.patterns();
  options.diagnoses = report::diagnoses(patterns);
  options.headlines = report::headlines(result, patterns);
  return options;
}

/// The verdicts follow a text; if standard output holds another format for a program, failures are errors on stderr.
int judge(const AnalysisResult& result, const AnalyzeSettings& settings) {
  const std::vector<report::Verdict> verdicts = report::judge_all(settings.gates.gates(), result);
  if (settings.file.empty() && settings.format != "text") {
    print_failures(verdicts);
  } else if (!verdicts.empty()) {
    Output output("");
    output.stream() << (settings.file.empty() ? "\n" : "") << report::verdicts_text(verdicts, text_style(false));
    output.commit();
  }
  return settings.gates.finish({result.path}, verdicts);
}

/// Writes a CUBE report, and beside it the statistics file that viewers look for there. All reports of a folder share
/// the name of that file; so it is written if there is none, or if it belongs to the report that is being replaced. A
/// lock covers decision and writing, and at no moment does the file belong to another report.
void write_cube(const AnalysisResult& result, const std::string& file) {
  const std::string beside = statistics_beside(file);
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  Output report(file, Output::Content::bytes);
  report::write_cube(result, report.stream());
  std::optional<Output> statistics;
  if (const report::FolderLock alone(folder); !is_of_other_report(beside, file)) statistics.emplace(beside);
  if (statistics) {
    report::write_trace_stat(result, statistics->stream());
    report.stream().flush();  // makes sure that there is room for both before either gets its name
    statistics->stream().flush();
  }
  const report::FolderLock alone(folder);
  const bool stays = is_of_other_report(beside, file);
  std::error_code error;
  if (!stays && std::filesystem::is_regular_file(std::filesystem::symlink_status(beside, error)))
    std::filesystem::remove(beside, error);
  report.commit();
  if (!stays && statistics) statistics->commit();
  if (stays)
    print_note(fmt::format("{} belongs to another report and was not changed; {} contains its statistics itself",
                           beside, file));
}

report::WriteOptions write_options(const AnalysisResult& result, AnalyzeSettings& settings, bool to_file) {
  constexpr std::uint64_t many = 1'000'000;  // events; the report on fewer is written sooner by one thread
  return {.style = text_style(to_file),
          .text = text_options(result, settings),
          .max_bytes = settings.html.bytes(),
          .threads = result.events() < many ? 1 : settings.choice.threads()};
}

void write(const AnalysisResult& result, AnalyzeSettings& settings) {
  if (settings.format == "cubex") return write_cube(result, settings.file);
  Output output(settings.file, content_of(settings.format));
  if (settings.format == "csv" && result.phases)
    report::write_phases_csv(result, output.stream());
  else
    report::form_of_name(settings.format)
        ->write(result, write_options(result, settings, !settings.file.empty()), output.stream());
  output.commit();
  if (settings.format == "csv") note_what_a_table_lacks(result);
}

/// The worst wait states, for a list of runs.
std::string summary_json(const AnalysisResult& result) {
  const report::RunTotals totals(result);
  nlohmann::json severities = nlohmann::json::array();
  for (const report::Problem& p :
       report::find_problems(result, totals, report::function_accounts(result, totals.counted()), report::most_problems)
           .listed)
    if (p.metric != no_metric)
      severities.push_back({{"metric", result.metrics[p.metric].id},
                            {"name", result.metrics[p.metric].title},
                            {"seconds", result.seconds(p.ticks)},
                            {"share", p.of == 0 ? 0 : static_cast<double>(p.ticks) / static_cast<double>(p.of)}});
  return nlohmann::json{{"summary", {{"severities", std::move(severities)}}}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void write_further(const AnalysisResult& result, AnalyzeSettings& settings) {
  const int program = settings.choice.progress_fd();
  Progress::tell(program, fmt::format("{{\"events\":{0},\"of\":{0}}}", result.events()));
  Progress::tell(program, summary_json(result));
  for (const FurtherReport& further : further_reports(settings)) {
    Output output(further.fd, fmt::format("the {} report", further.form->name),
                  content_of(std::string(further.form->name)));
    further.form->write(result, write_options(result, settings, true), output.stream());
    output.commit();
    Progress::tell(program, fmt::format("{{\"written\":\"{}\"}}", further.form->name));
  }
}

void write_waits(const AnalysisResult& result, exports::ShownWaits& waits, int fd) {
  Output output(fd, "the file of waits", Output::Content::bytes);
  output.stream() << serve::wait_file_head(result.metrics);
  waits.each([&](const exports::ShownWait& w) {
    serve::WaitRecord record{
        .begin = w.wait.begin, .end = w.end(), .location = w.wait.location.value, .metric = w.metric};
    if (w.cause_known && w.cause.kind == WaitCause::Kind::message && w.wait.culprit.valid()) {
      record.sent = w.cause.sent, record.received = w.cause.received, record.sender = w.wait.culprit.value;
      record.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(w.cause.bytes, ~std::uint32_t{0}));
    }
    output.stream().write(reinterpret_cast<const char*>(&record), sizeof record);
  });
  output.commit();
}

/// Analyses as usual, and writes everything that a program waits for.
void analyze_for_program(const std::string& trace, AnalyzeSettings& settings) {
  exports::ShownWaits waits;
  AnalysisResult result = settings.choice.analyze_trace(trace, settings.waits_fd < 0 ? nullptr : &waits);
  if (settings.waits_fd >= 0) write_waits(result, waits, settings.waits_fd);
  write_further(result, settings);
}

/// Writes nothing but the messages and one-sided transfers.
void write_transfers(const std::string& trace, const AnalyzeSettings& settings) {
  serve::TransferWriter writer(settings.transfers_fd);
  AnalysisOptions options;
  options.built_in = false;
  options.counters = false;
  options.patterns = {writer.pattern()};
  analyze_with_progress(trace, std::move(options), {}, settings.choice.progress_fd());
  writer.finish();
}

}  // namespace

void add_analyze(CLI::App& app, Commands& commands) {
  Command& command = add_command(
      app, commands, "analyze", "Find where processes waited, how much time it cost, and who caused it",
      "  waitstate analyze scorep_run\n"
      "  waitstate analyze scorep_run --full --top 10\n"
      "  waitstate analyze scorep_run -o run.cubex            (run.html, run.json, run.csv: by the ending)\n"
      "  waitstate analyze scorep_run --format json | jq .metrics\n"
      "  waitstate analyze scorep_run --region solve --time 1.5 2 --location 0-3\n"
      "  waitstate analyze scorep_run --pattern mpi_latesender,mpi_barrier_wait\n"
      "  waitstate analyze scorep_run -o run.json --fail-on 'mpi_latesender>5%'\n\n" +
          std::string(gate_help) + ".\n\n" + gate_exit_codes,
      {trace_argument()});
  const auto settings = std::make_shared<AnalyzeSettings>();
  CLI::App& options = *command.options;
  add_format(options, settings->format, report::Subject::report);
  add_output(command, settings->file,
             fmt::format("write to FILE, whose ending chooses the format: {}. A .cubex comes with a file trace.stat in "
                         "the same folder, unless that file exists and belongs to another report",
                         usual_endings(report::Subject::report, report::Subject::archive)));
  options.add_flag(
      "--full", settings->full,
      "also show statistics, call paths, locations, the most severe instances, all metrics and all damage");
  add_order(options, settings->order);
  options
      .add_option("--top", settings->top,
                  "number of problems that the text shows, and length of its lists (default: 3 and 5)")
      ->type_name("N");
  settings->html.add_to(options);
  settings->gates.add_to(command,
                         "exit with 1 after the report if GATE holds, like 'check'; may be given several times");
  settings->choice.add_to(options);
  settings->choice.add_details_to(options);
  options.add_option("--also", settings->also)->expected(1)->take_all()->allow_extra_args(false)->group("");
  options.add_option("--waits-fd", settings->waits_fd)->group("");
  options.add_option("--transfers-fd", settings->transfers_fd)->group("");
  options.add_flag("--check-only", settings->check_only)->group("");
  command.with_peers = true;
  options.add_option("--last-event", settings->last_event)->group("");
  command.check = [&command, settings] {
    check(*settings);
    check_top(command, settings->format);
    command.running_plugin = settings->choice.running();
  };
  command.further_inputs = [settings] { return settings->choice.files(); };
  command.further_outputs = [settings] {
    std::vector<std::string> files;
    if (settings->format == "cubex") files.push_back(statistics_beside(settings->file));
    return files;
  };
  command.body = [&command, settings] {
    if (settings->check_only) {
      settings->choice.check_against(command.value(0), settings->last_event);
      return static_cast<int>(ok);
    }
    if (settings->transfers_fd >= 0) {
      write_transfers(command.value(0), *settings);
      return static_cast<int>(ok);
    }
    settings->choice.keep_details(!settings->also.empty() || settings->format == "json" || settings->format == "html");
    if (!settings->also.empty()) {
      analyze_for_program(command.value(0), *settings);
      return static_cast<int>(ok);
    }
    const AnalysisResult result = settings->choice.analyze_trace(command.value(0));
    if (only_helps()) return static_cast<int>(ok);
    write(result, *settings);
    return judge(result, *settings);
  };
}

}  // namespace waitstate::cli

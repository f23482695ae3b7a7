// `waitstate show`: shows a report that was written earlier, or by another tool: the summary, or one metric along the
// call tree, along the system tree, or by region.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/options/analysis_choice.hpp"
#include "cli/output.hpp"
#include "cli/output_format.hpp"
#include "report/csv/phases_csv.hpp"
#include "report/csv/view_csv.hpp"
#include "report/json/chain_json.hpp"
#include "report/report_file.hpp"
#include "report/text/analysis_text.hpp"
#include "report/text/chain_text.hpp"
#include "report/text/tables/views.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

struct ShowSettings {
  std::string metric, by, why, format, file;
  bool full = false;
  std::string order;
  std::optional<std::size_t> top;
  AnalysisChoice choice;
  HtmlSize html;
  bool of_report = false;  ///< whether the input is a report; set by the body
};

const std::vector<std::string> views = {"callpath", "location", "region"};

/// "mpi_latesender:2": the second most severe instance of a metric; without a number the first.
struct Why {
  std::string metric;
  std::size_t number = 1;
};
Why read_why(const std::string& text) {
  const auto colon = text.find(':');
  Why why{text.substr(0, colon)};
  if (colon == std::string::npos) return why;
  const std::string digits = text.substr(colon + 1);
  const bool is_number = !digits.empty() && digits.size() < 10 &&
                         std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  why.number = is_number ? std::stoul(digits) : 0;
  if (why.metric.empty() || why.number == 0)
    throw UsageError(
        fmt::format("--why {}: expected the id of a metric and optionally, behind a colon, the number of one of its "
                    "most severe instances, from 1: --why mpi_latesender:2",
                    text));
  return why;
}

void check(ShowSettings& settings) {
  settings.format = output_format(settings.format, settings.file, report::Subject::report);
  check_order(settings.order, settings.full);
  if (!settings.by.empty()) check_word("view", settings.by, views);
  if (!settings.by.empty() && settings.metric.empty())
    throw UsageError("--by " + settings.by + " needs --metric, the metric to show");
  if (!settings.metric.empty() && (settings.format == "json" || settings.format == "html"))
    throw UsageError("--format " + settings.format +
                     " always contains the whole report: leave --metric out, or use csv");
  settings.html.check(settings.format);
  if (settings.why.empty()) return;
  if (!settings.metric.empty())
    throw UsageError("--why explains one wait, --metric shows a whole metric: leave one of the two out");
  if (settings.format != "text" && settings.format != "json")
    throw UsageError("--why can be written as text or json, not as " + settings.format);
  read_why(settings.why);
}

void show_why(const AnalysisResult& result, const ShowSettings& settings, const std::string& input, std::ostream& out) {
  const Why why = read_why(settings.why);
  const MetricIndex metric = metric_of(result, why.metric);
  const std::vector<report::NumberedInstance> all = report::most_severe(result, metric);
  if (all.empty())
    throw UsageError(fmt::format("--why {}: {} has no single waits of this metric", settings.why, input));
  if (why.number > all.size())
    throw UsageError(
        fmt::format("--why {}: {} has {} of the most severe instances of this metric;  the last one is {}:{}",
                    settings.why, input, all.size(), why.metric, all.size()));
  const report::NumberedInstance& asked = all[why.number - 1];
  if (!asked.instance->chain) {
    const bool was_run = std::any_of(result.patterns.begin(), result.patterns.end(),
                                     [](const PatternRun& p) { return p.id == "critical_path"; });
    if (was_run)
      throw UsageError(fmt::format(
          "--why {}: the cause of this wait is unknown: critical_path follows waits for messages, in collective "
          "operations, at barriers and of idle threads; with --set critical_path.all_waits=1 also waits in one-sided "
          "communication and SHMEM, for locks, tasks and kernels. It keeps the chains of the 50 most severe instances "
          "of a metric",
          settings.why));
    throw UsageError(
        fmt::format("--why {}: {} does not contain the causes of waits: give the trace, or a report written from it "
                    "with 'waitstate analyze TRACE --pattern all,critical_path -o FILE.json'",
                    settings.why, input));
  }
  if (settings.format == "json") return report::write_chain_json(result, asked, out);
  out << report::chain_text(result, asked, text_style(!settings.file.empty()));
}

void show_metric(const AnalysisResult& result, const ShowSettings& settings, std::ostream& out) {
  const MetricIndex metric = metric_of(result, settings.metric);
  const report::ViewBy by = settings.by == "location" ? report::ViewBy::location
                            : settings.by == "region" ? report::ViewBy::region
                                                      : report::ViewBy::callpath;
  if (settings.format == "csv") return report::view_csv(result, metric, by, out);
  report::ViewOptions options;
  options.full = settings.full;
  options.tree_order = settings.order == "tree";
  if (settings.top) options.top = *settings.top;
  out << report::view_text(result, metric, by, text_style(!settings.file.empty()), options);
}

void show(const AnalysisResult& result, ShowSettings& settings, std::ostream& out) {
  if (!settings.metric.empty()) return show_metric(result, settings, out);
  if (settings.format == "csv" && result.phases) return report::write_phases_csv(result, out);
  const std::vector<PatternHandle> patterns = settings.of_report ? built_in_patterns() : settings.choice.patterns();
  report::WriteOptions options{text_style(!settings.file.empty()), {}, settings.html.bytes()};
  options.text.full = settings.full;
  options.text.tree_order = settings.order == "tree";
  options.text.top = settings.top;
  options.text.diagnoses = report::diagnoses(patterns);
  options.text.headlines = report::headlines(result, patterns);
  report::form_of_name(settings.format)->write(result, options, out);
}

}  // namespace

void add_show(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "show", "Show a report: its summary, or the distribution of one metric",
                  "  waitstate show run.json\n"
                  "  waitstate show scout.cubex -o scout.html             (a page for the browser)\n"
                  "  waitstate show scout.cubex --metric mpi_latesender\n"
                  "  waitstate show run.cubex --metric time --by location --full\n"
                  "  waitstate show scorep_run --metric visits --by region --format csv\n"
                  "  waitstate show scorep_run --why mpi_latesender:2     (who waited for whom, and why)",
                  {report_argument("REPORT", "no report given")});
  const auto settings = std::make_shared<ShowSettings>();
  CLI::App& options = *command.options;
  options.add_option("--metric", settings->metric, "show only this metric, with its rows")->type_name("ID");
  add_choice(options, "--by", settings->by, views,
             "with --metric, rows are call paths, locations or regions (default: callpath)");
  options
      .add_option("--why", settings->why,
                  "show only the cause of one of the most severe waits of a metric: which process it waited for, which "
                  "process that one waited for, and so on, step by step. N counts in the order of analyze --full "
                  "(default: the first). Formats: text and json. A report must have been written with the pattern "
                  "critical_path; for a trace, the pattern is run")
      ->type_name("ID[:N]");
  options.add_flag("--full", settings->full, "show everything that analyze --full shows; with --metric, all rows");
  add_order(options, settings->order);
  options
      .add_option("--top", settings->top,
                  "with --metric, the number of rows that the text shows (default: 20); otherwise as for analyze")
      ->type_name("N");
  add_format(options, settings->format, report::Subject::report,
             "json and html contain the whole report and exclude --metric");
  add_output(command, settings->file);
  settings->html.add_to(options);
  settings->choice.add_to(options);
  settings->choice.add_details_to(options);
  command.further_inputs = [settings] { return settings->choice.files(); };
  command.check = [&command, settings] {
    check(*settings);
    check_top(command, settings->format);
    if (!settings->why.empty()) settings->choice.run_too("critical_path");
    settings->choice.check();
  };
  command.body = [&command, settings] {
    settings->choice.expect_a_trace({command.value(0)});
    settings->of_report = report::is_report(command.value(0));
    settings->choice.keep_details(settings->why.empty() && (settings->format == "json" || settings->format == "html"));
    const AnalysisResult result = settings->choice.load(command.value(0));
    Output output(settings->file, content_of(settings->format));
    if (settings->why.empty())
      show(result, *settings, output.stream());
    else
      show_why(result, *settings, command.value(0), output.stream());
    output.commit();
    if (settings->format == "csv") {
      std::vector<MetricIndex> metrics;
      if (!settings->metric.empty()) metrics.push_back(metric_of(result, settings->metric));
      note_what_a_table_lacks(result, metrics);
    }
    return 0;
  };
}

}  // namespace waitstate::cli

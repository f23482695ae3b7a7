// `waitstate show`: a report that was written earlier, or by another tool - the summary, or one metric along the call
// tree, along the system tree, or by region.
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/analysis_choice.hpp"
#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/output.hpp"
#include "cli/output_format.hpp"
#include "report/csv.hpp"
#include "report/html/html_writer.hpp"
#include "report/json/json_writer.hpp"
#include "report/phases.hpp"
#include "report/report_file.hpp"
#include "report/text/analysis_text.hpp"
#include "report/text/views.hpp"

namespace waitstate::cli {
namespace {

struct ShowSettings {
  std::string metric, by, format, file;
  bool full = false;
  std::string order;
  std::optional<std::size_t> top;
  AnalysisChoice choice;
  HtmlSize html;
  bool of_report = false;  ///< the input is one, set by the body
};

const std::vector<std::string> show_formats = {"text", "csv", "json", "html"};
const std::vector<std::string> views = {"callpath", "location", "region"};

void check(ShowSettings& settings) {
  settings.format = output_format(settings.format, settings.file, show_formats);
  check_order(settings.order, settings.full);
  if (!settings.by.empty()) check_word("view", settings.by, views);
  if (!settings.by.empty() && settings.metric.empty())
    throw UsageError("--by " + settings.by + " needs --metric: which metric is to be shown?");
  if (!settings.metric.empty() && (settings.format == "json" || settings.format == "html"))
    throw UsageError("--format " + settings.format + " is the whole report: leave --metric out, or use csv");
  settings.html.check(settings.format);
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
  if (settings.format == "csv") return report::write_csv(result, out);
  if (settings.format == "json") return report::write_json(result, out);
  report::TextOptions options;
  options.full = settings.full;
  options.tree_order = settings.order == "tree";
  options.top = settings.top;
  const std::vector<PatternHandle> patterns = settings.of_report ? built_in_patterns() : settings.choice.patterns();
  options.diagnoses = report::diagnoses(patterns);
  options.headlines = report::headlines(result, patterns);
  if (settings.format == "html")
    return report::write_html(result, out,
                              {report::analysis_text(result, report::Style{}, options), settings.html.bytes()});
  out << report::analysis_text(result, text_style(!settings.file.empty()), options);
}

}  // namespace

void add_show(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "show", "Show a report: its summary, or where exactly one metric is",
                                 "  waitstate show run.json\n"
                                 "  waitstate show scout.cubex -o scout.html             (a page for the browser)\n"
                                 "  waitstate show scout.cubex --metric mpi_latesender\n"
                                 "  waitstate show run.cubex --metric time --by location --full\n"
                                 "  waitstate show scorep_run --metric visits --by region --format csv",
                                 {report_argument("REPORT", "no report given")});
  const auto settings = std::make_shared<ShowSettings>();
  CLI::App& options = *command.options;
  options.add_option("--metric", settings->metric, "only this metric, with its rows")->type_name("ID");
  add_choice(options, "--by", settings->by, views, "with --metric: what a row is (default: callpath)");
  options.add_flag("--full", settings->full, "also what analyze --full shows; with --metric all rows");
  add_order(options, settings->order);
  options
      .add_option("--top", settings->top,
                  "with --metric: how many rows the text shows (default: 20); else as in analyze")
      ->type_name("N");
  add_choice(options, "--format", settings->format, show_formats,
             "form of the output (default: text); json and html are the whole report, without --metric");
  add_output(command, settings->file);
  settings->html.add_to(options);
  settings->choice.add_to(options);
  settings->choice.add_details_to(options);
  command.further_inputs = [settings] { return settings->choice.files(); };
  command.check = [&command, settings] {
    check(*settings);
    check_top(command, settings->format);
    settings->choice.check();
  };
  command.body = [&command, settings] {
    settings->choice.expect_a_trace({command.value(0)});
    settings->of_report = report::is_report(command.value(0));
    settings->choice.keep_details(settings->format == "json" || settings->format == "html");
    const AnalysisResult result = settings->choice.load(command.value(0));
    Output output(settings->file, content_of(settings->format));
    show(result, *settings, output.stream());
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

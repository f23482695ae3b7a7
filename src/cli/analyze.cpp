#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "report/analysis_text.hpp"
#include "report/csv.hpp"
#include "report/json.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::cli {
namespace {

struct Settings {
  std::string format = "text";
  std::string file;
  unsigned threads = 0;
  std::size_t chunk_events = 0;
};

const std::vector<std::string> formats = {"text", "csv", "json"};

void write(const AnalysisResult& result, const Settings& settings, std::ostream& out) {
  if (settings.format == "csv")
    report::write_csv(result, out);
  else if (settings.format == "json")
    report::write_json(result, out);
  else
    out << report::analysis_text(result, text_style(!settings.file.empty()));
}

}  // namespace

void add_analyze(CLI::App& app, Commands& commands) {
  Command& command =
      add_command(app, commands, "analyze", "Find where processes waited, how much it cost, and who caused it",
                  "  waitstate analyze scorep_run\n"
                  "  waitstate analyze scorep_run --format csv -o waits.csv\n"
                  "  waitstate analyze scorep_run --format json | jq .metrics");
  const auto settings = std::make_shared<Settings>();
  command.options->add_option("--format", settings->format, "text (default), csv or json");
  command.options->add_option("-o,--output", settings->file, "write to FILE instead of standard output")
      ->type_name("FILE");
  command.options->add_option("--threads", settings->threads, "threads that decode (default: one per core, at most 8)")
      ->type_name("N");
  command.options->add_option("--chunk-events", settings->chunk_events)->group("");
  command.check = [settings] {
    if (std::find(formats.begin(), formats.end(), settings->format) == formats.end())
      throw UsageError("unknown format '" + settings->format + "'" + did_you_mean(settings->format, formats));
    check_writable(settings->file);
  };
  command.body = [&command, settings] {
    const AnalysisResult result = [&] {
      Progress progress;
      AnalysisOptions options;
      options.threads = settings->threads;
      options.chunk_events = settings->chunk_events;
      options.progress = [&](std::uint64_t done, std::uint64_t announced) { progress.show(done, announced); };
      return analyze(command.trace, options);
    }();
    Output output(settings->file);
    write(result, *settings, output.stream());
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli

// `waitstate export`: a trace, or what an analysis found in it, in the formats of other tools.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/commands/export.hpp"
#include "cli/errors.hpp"
#include "cli/load.hpp"
#include "cli/options/analysis_choice.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "export/folded.hpp"
#include "export/gzip_stream.hpp"
#include "export/otf2/cut.hpp"
#include "export/perfetto/perfetto.hpp"
#include "export/speedscope.hpp"
#include "report/format/units.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

using exports::Shown;

constexpr ExportFormat formats[] = {{"perfetto", ".pftrace", false, false},
                                    {"otf2", ".otf2", false, true},
                                    {"speedscope", ".speedscope.json", true, false},
                                    {"folded", ".folded", true, false}};
constexpr std::string_view gzip_ending = ".gz";

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const ExportFormat& f : formats) names.emplace_back(f.name);
  return names;
}

const std::vector<std::string> message_choices = {"all", "waits", "none"};

struct ExportSettings {
  std::string format, file, metric = "time", messages = "all", shortest;
  std::size_t around = 0;
  std::optional<std::size_t> megabytes;
  AnalysisChoice choice;
  // Set by check():
  const ExportFormat* chosen = nullptr;
  bool compressed = false;
  std::string folder;  ///< the folder of an archive, else empty
  exports::PerfettoOptions perfetto;
};

/// "10us": seconds without a unit. Throws UsageError.
double seconds_of(const std::string& text) {
  struct UnitOfTime {
    std::string_view name;
    double seconds;
  };
  constexpr UnitOfTime units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const auto known =
      std::find_if(std::begin(units), std::end(units), [&](const UnitOfTime& u) { return u.name == unit; });
  if (error != std::errc{} || known == std::end(units) || !(number >= 0) || number > 1e9)
    throw UsageError(fmt::format("--min-duration {}: expected a time such as 10us, 0.5ms or 2s, of at least 0", text));
  return number * known->seconds;
}

void choose_format(ExportSettings& s) {
  const std::vector<std::string> names = format_names();
  if (!s.format.empty()) check_word("format", s.format, names);
  std::string_view file = s.file;
  s.compressed = file.ends_with(gzip_ending);
  if (s.compressed) file.remove_suffix(gzip_ending.size());
  const auto of_ending = std::find_if(std::begin(formats), std::end(formats),
                                      [&](const ExportFormat& f) { return file.ends_with(f.ending); });
  if (of_ending != std::end(formats)) {
    s.chosen = of_ending;
    if (!s.format.empty() && s.format != of_ending->name)
      throw UsageError(fmt::format(
          "--format {} contradicts -o {}: leave one of them out, or give the file another ending", s.format, s.file));
    return;
  }
  if (!s.format.empty()) {
    s.chosen =
        std::find_if(std::begin(formats), std::end(formats), [&](const ExportFormat& f) { return f.name == s.format; });
    return;
  }
  if (s.file.empty())
    throw UsageError(
        "no file to write: give it with -o, e.g. -o run.pftrace, or choose a --format for standard output");
  std::vector<std::string_view> endings;
  for (const ExportFormat& f : formats) endings.push_back(f.ending);
  throw UsageError(fmt::format("-o {}: its ending chooses no format: expected {}; or choose one with --format", s.file,
                               fmt::join(endings, ", ")));
}

/// Throws UsageError if an option was given that does not apply to such a file.
void refuse_options(const CLI::App& options, const std::vector<const char*>& names, std::string_view why) {
  for (const char* const name : names)
    if (options.count(name) != 0) throw UsageError(fmt::format("{} {}: leave it out", name, why));
}

/// Writes an archive, which is a folder and therefore not written like the other files.
void check_archive(ExportSettings& s) {
  if (s.compressed) throw UsageError(fmt::format("-o {}: an archive is a folder, which cannot be compressed", s.file));
  if (s.file.empty()) throw UsageError("an archive is a folder: give its name with -o, e.g. -o cut.otf2");
  s.folder.swap(s.file);
}

void check(ExportSettings& s, const CLI::App& options) {
  choose_format(s);
  if (s.chosen->is_profile) {
    refuse_options(options, {"--messages", "--min-duration", "--around", "--max-size"},
                   fmt::format("is for timelines, not for {}", s.chosen->name));
  } else {
    refuse_options(options, {"--metric"}, fmt::format("is for profiles, not for {}", s.chosen->name));
  }
  if (s.chosen->name == "otf2") {
    check_archive(s);
    refuse_options(options, {"--messages", "--min-duration", "--around", "--max-size", "--region"},
                   "has no meaning for an archive, which is cut by --time and --location");
  } else if (!s.chosen->is_profile) {
    s.choice.run_too("critical_path");
  }
  check_word("choice of messages", s.messages, message_choices);
  s.perfetto.messages = s.messages == "all"     ? Shown::Messages::all
                        : s.messages == "waits" ? Shown::Messages::awaited
                                                : Shown::Messages::none;
  if (!s.shortest.empty()) s.perfetto.shortest_seconds = seconds_of(s.shortest);
  if (options.count("--around") != 0 && (s.around == 0 || s.around > 1'000'000))
    throw UsageError(fmt::format("--around {}: expected 1 to 1000000 instances", s.around));
  s.perfetto.around = s.around;
  if (s.megabytes && (*s.megabytes == 0 || *s.megabytes > 1'000'000))
    throw UsageError(fmt::format("--max-size {}: expected 1 to 1000000 megabytes", *s.megabytes));
  if (s.megabytes) s.perfetto.most_bytes = std::uint64_t{*s.megabytes} * 1'000'000;
  s.choice.check();
}

/// Calls write(std::ostream&), which writes a whole file.
template <class Write>
void write_output(const ExportSettings& s, Write&& write) {
  Output output(s.file, s.chosen->is_profile && !s.compressed ? Output::Content::text : Output::Content::bytes);
  if (s.compressed) {
    exports::GzipBuffer buffer(output.stream());
    std::ostream compressed(&buffer);
    compressed.exceptions(std::ios::badbit);  // lets the exceptions of the output through
    write(compressed);
    buffer.finish();
  } else {
    write(output.stream());
  }
  output.commit();
}

std::string number(std::uint64_t n) { return report::grouped(static_cast<std::int64_t>(n)); }

/// Says on stderr what the timeline contains, and what it lacks.
void tell(const exports::PerfettoSummary& summary) {
  const exports::EventCounts& e = summary.events;
  std::string text =
      fmt::format("{} regions, {} waits, {} messages in {} packets, {} bytes before compression", number(e.regions),
                  number(summary.waits), number(e.messages), number(summary.packets), number(summary.bytes));
  if (e.messages_before_send != 0)
    text += fmt::format("; {} messages are received before they are sent, by the time stamps, and have no arrow",
                        number(e.messages_before_send));
  if (summary.messages_without_order != 0)
    text += fmt::format("; {} messages are left out, since damaged time stamps put their receives before their sends",
                        number(summary.messages_without_order));
  print_note(text);
  if (!summary.left_out.empty())
    print_note(fmt::format("left out: {} ({} regions, {} messages)", fmt::join(summary.left_out, "; "),
                           number(e.regions_left_out), number(e.messages_left_out)));
  if (summary.too_large)
    print_note(
        "the file is larger than --max-size, because waits and what is around them are never left out: choose a part "
        "of the run with --time, --location, --pattern or --around");
}

void write_timeline(const std::string& trace, ExportSettings& s) {
  exports::ShownWaits waits;
  s.choice.keep_no_contexts();
  s.choice.keep_details(true);
  const AnalysisResult result = s.choice.analyze_trace(trace, &waits);
  exports::PerfettoSummary summary;
  {
    Progress progress(s.choice.progress_fd());
    s.perfetto.reading = s.choice.reading();
    s.perfetto.counters = s.choice.counters();
    s.perfetto.reading.progress = [&](std::uint64_t done, std::uint64_t announced) { progress.show(done, announced); };
    write_output(s, [&](std::ostream& out) { summary = write_perfetto(result, waits, s.perfetto, out); });
  }
  tell(summary);
}

void write_archive(const std::string& trace, ExportSettings& s) {
  exports::ShownWaits waits;
  const AnalysisResult result = s.choice.analyze_trace(trace, &waits);
  exports::CutSummary summary;
  {
    Progress progress(s.choice.progress_fd());
    access::EventStreamOptions reading = s.choice.reading();
    reading.progress = [&](std::uint64_t done, std::uint64_t announced) { progress.show(done, announced); };
    summary = write_cut(result, waits, reading, s.folder);
  }
  print_note(fmt::format("{} events, {} waits as markers", number(summary.events), number(summary.waits)));
  if (summary.receives_left_out + summary.operations_left_out != 0)
    print_note(
        fmt::format("left out, since they began outside of the part: {} receives, {} parts of collective operations",
                    number(summary.receives_left_out), number(summary.operations_left_out)));
  if (summary.without_record != 0)
    print_note(
        fmt::format("left out, since OTF2 3.0 has no record for them: {} events", number(summary.without_record)));
}

void write_profile(const std::string& input, ExportSettings& s) {
  const AnalysisResult result = s.choice.load(input);
  const MetricIndex metric = metric_of(result, s.metric);
  write_output(s, [&](std::ostream& out) {
    s.chosen->name == "folded" ? exports::write_folded(result, metric, out)
                               : exports::write_speedscope(result, metric, out);
  });
  note_what_a_table_lacks(result, {metric});
}

}  // namespace

std::span<const ExportFormat> export_formats() { return formats; }

void add_export(CLI::App& app, Commands& commands) {
  Command& command = add_command(
      app, commands, "export", "Write a timeline, a profile or a part of a trace for other tools",
      "  waitstate export scorep_run -o run.pftrace.gz          (a timeline: open it at ui.perfetto.dev)\n"
      "  waitstate export scorep_run -o worst.pftrace --around 20\n"
      "  waitstate export scorep_run -o part.pftrace --time 1.5 2 --location 0-3\n"
      "  waitstate export scorep_run -o run.pftrace --min-duration 10us --messages waits\n"
      "  waitstate export scorep_run -o cut.otf2 --time 1.5 2   (a part as an OTF2 archive, with waits as markers)\n"
      "  waitstate export scorep_run -o run.speedscope.json --metric mpi_latesender\n"
      "  waitstate export scorep_run -o run.folded && flamegraph.pl run.folded > run.svg",
      {trace_argument()});
  const auto settings = std::make_shared<ExportSettings>();
  CLI::App& options = *command.options;
  add_choice(options, "--format", settings->format, format_names(),
             "format of the output (default: by the ending of the file)");
  add_output(
      command, settings->file,
      "write to FILE, whose ending chooses the format: .pftrace (a timeline for Perfetto), .speedscope.json or "
      ".folded (one metric by call path), each also with .gz behind it; .otf2 (a folder with an OTF2 archive, whose "
      "markers are the waits; --time and --location choose the part)");
  options.add_option("--metric", settings->metric, "the metric of a profile (default: time)")->type_name("ID");
  add_choice(options, "--messages", settings->messages, message_choices,
             "for a timeline: which messages have arrows: all, only those that a wait waited for, or none (default: "
             "all)");
  options
      .add_option("--min-duration", settings->shortest,
                  "for a timeline: leave out regions shorter than T, such as 10us, except around waits")
      ->type_name("T");
  options
      .add_option("--around", settings->around,
                  "for a timeline: write only the N worst instances of waiting and what surrounds them")
      ->type_name("N");
  options
      .add_option(
          "--max-size", settings->megabytes,
          "for a timeline: maximum size in megabytes, not compressed; to fit, first messages that no wait waited "
          "for and then short regions are left out, which the program and the timeline say (default: 400)")
      ->type_name("N");
  settings->choice.add_to(options);
  command.check = [&command, &options, settings] {
    check(*settings, options);
    command.running_plugin = settings->choice.running();
  };
  command.output_is_folder = [settings] {
    std::string_view file = settings->file;
    while (file.size() > 1 && file.back() == '/') file.remove_suffix(1);
    settings->file.resize(file.size());
    return settings->format == "otf2" || (settings->format.empty() && file.ends_with(".otf2"));
  };
  command.further_inputs = [settings] { return settings->choice.files(); };
  command.body = [&command, settings] {
    if (settings->chosen->is_profile)
      write_profile(command.value(0), *settings);
    else if (settings->chosen->name == "otf2")
      write_archive(command.value(0), *settings);
    else
      write_timeline(command.value(0), *settings);
    return 0;
  };
}

}  // namespace waitstate::cli

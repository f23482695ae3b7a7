#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>

#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/output.hpp"
#include "report/text/info_text.hpp"

namespace waitstate::cli {

namespace {

/// The size of the files of events of an archive; 0 of a trace in our notation.
std::uint64_t event_bytes(const std::string& anchor) {
  const std::filesystem::path folder = std::filesystem::path(anchor).replace_extension();
  std::uint64_t sum = 0;
  std::error_code error, of_file;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".evt")
      if (const auto size = it->file_size(of_file); !of_file) sum += size;
  return sum;
}

}  // namespace

void add_info(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "info", "Show what a trace contains, what it lacks, and its anomalies",
                                 "  waitstate info scorep_run/traces.otf2\n"
                                 "  waitstate info scorep_run",
                                 {trace_argument()});
  command.body = [&command] {
    const AnalysisResult result = analyze_with_progress(command.value(0));
    Output output("");
    output.stream() << report::info_text(result, text_style(false), event_bytes(result.path));
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli

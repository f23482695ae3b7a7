#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/load.hpp"
#include "cli/output.hpp"
#include "report/text/info_text.hpp"

namespace waitstate::cli {

void add_info(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "info", "Show what a trace contains, what it lacks, and its anomalies",
                                 "  waitstate info scorep_run/traces.otf2\n"
                                 "  waitstate info scorep_run",
                                 {trace_argument()});
  command.body = [&command] {
    const AnalysisResult result = analyze_with_progress(command.value(0));
    Output output("");
    output.stream() << report::info_text(result, text_style(false));
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "report/text/info_text.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::cli {

void add_info(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "info", "Say what a trace is and what is odd about it",
                                 "  waitstate info scorep_run/traces.otf2\n"
                                 "  waitstate info scorep_run",
                                 {trace_argument()});
  command.body = [&command] {
    const AnalysisResult result = [&] {
      Progress progress;
      AnalysisOptions options;
      options.progress = [&](std::uint64_t done, std::uint64_t announced) { progress.show(done, announced); };
      return analyze(command.value(0), options);
    }();
    Output output("");
    output.stream() << report::info_text(result, text_style(false));
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli

// `waitstate patterns` and `waitstate explain`: what waitstate can find, and what exactly each of it means.
#include <CLI/CLI.hpp>

#include <memory>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/pattern_options.hpp"
#include "report/text/pattern_text.hpp"

namespace waitstate::cli {

void add_patterns(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "patterns",
                                 "List everything that can be found, as a tree of metrics with units and summaries",
                                 "  waitstate patterns\n"
                                 "  waitstate patterns --plugin ./libmine.so",
                                 {}, false);
  const auto patterns = std::make_shared<PatternOptions>();
  patterns->add_plugin_option(*command.options);
  command.check = [&command, patterns] {
    patterns->check();
    command.plugins = patterns->plugins();
    command.running_plugin = patterns->running();
  };
  command.body = [patterns] {
    Output output("");
    output.stream() << report::patterns_text(patterns->registry(), text_style(false));
    output.commit();
    return 0;
  };
}

void add_explain(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "explain",
                                 "Explain metrics: definition, source, parameters, and what to do about them",
                                 "  waitstate explain mpi_latesender\n"
                                 "  waitstate explain mpi_barrier_wait mpi_wait_nxn\n"
                                 "  waitstate explain tiny_messages --plugin ./libtiny_messages.so",
                                 {{"ID", "id of a metric, as in reports and in the list of 'waitstate patterns'",
                                   "no id of a pattern given", true}},
                                 false);
  const auto patterns = std::make_shared<PatternOptions>();
  patterns->add_plugin_option(*command.options);
  command.check = [&command, patterns] {
    patterns->check();
    command.plugins = patterns->plugins();
    command.running_plugin = patterns->running();
  };
  command.body = [&command, patterns] {
    std::string text;
    for (const std::string& id : command.values[0])
      text += (text.empty() ? "" : "\n") + report::explain_text(patterns->registry(), id, text_style(false));
    Output output("");
    output.stream() << text;
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli

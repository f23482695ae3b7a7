// `waitstate serve`: the interactive tool in the browser. The server runs the other commands of this program, as a user
// would.
#include <fmt/format.h>
#include <signal.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/commands/export.hpp"
#include "cli/errors.hpp"
#include "cli/load.hpp"
#include "cli/options/pattern_options.hpp"
#include "cli/output.hpp"
#include "serve/children/program.hpp"
#include "serve/pattern_list.hpp"
#include "serve/serve.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

struct ServeSettings {
  std::optional<std::size_t> port, idle;
  bool opens = false, is_offline = false;
  PatternOptions patterns;
};

void check(ServeSettings& settings) {
  if (settings.port && (*settings.port == 0 || *settings.port > 65'535))
    throw UsageError(fmt::format("--port {}: expected 1 to 65535", *settings.port));
  if (settings.idle && (*settings.idle == 0 || *settings.idle > 1'000'000))
    throw UsageError(fmt::format("--idle {}: expected 1 to 1000000 minutes", *settings.idle));
  settings.patterns.check();
}

std::string why_plugin_ended(const PatternOptions& patterns) {
  if (patterns.running() == nullptr) return "";
  const RunningPlugin::Told told = patterns.running()->told();
  return told.plugin.empty()
             ? ""
             : fmt::format("plug-in '{}' ended the process {}: fix it, or leave it out", told.plugin, told.where);
}

int run_serve(const Command& command, ServeSettings& chosen) {
  const std::string& trace = command.value(0);
  expect_some_file(trace);
  expect_trace(trace);
  serve::Settings settings;
  settings.runs = {.program = "/proc/self/exe", .trace = trace, .options = chosen.patterns.as_words(), .exports = {}};
  for (const ExportFormat& format : export_formats())
    settings.runs.exports.push_back({std::string(format.ending), format.is_profile, format.is_folder});
  settings.port = static_cast<std::uint16_t>(chosen.port.value_or(0));
  settings.is_offline = chosen.is_offline;
  if (chosen.idle) settings.idle = std::chrono::minutes(*chosen.idle);
  settings.patterns = [&] { return serve::patterns_json(chosen.patterns.registry()); };
  settings.why_no_patterns = [&] { return why_plugin_ended(chosen.patterns); };
  settings.ready = [&](const std::string& address) {
    Output output("");
    output.stream() << address << '\n';
    output.commit();
    if (chosen.opens) serve::open_in_browser(address);
    print_note("open this address in a browser of this computer; Ctrl-C ends the server");
  };
  try {
    serve::serve(settings);  // a signal asked for the end that it has
  } catch (const serve::TraceProblem& e) {
    print_error(e.what());
    return unreadable;
  }
  return ok;
}

}  // namespace

void add_serve(CLI::App& app, Commands& commands) {
  Command& command = add_command(
      app, commands, "serve", "Choose metrics, run analyses and look at their results in a browser",
      "  waitstate serve scorep_run\n"
      "  waitstate serve scorep_run --open\n"
      "  waitstate serve scorep_run --plugin ./mine.py --port 8080\n"
      "  ssh -L 8080:127.0.0.1:8080 login.example.org waitstate serve scorep_run --port 8080\n\n"
      "The server prints one address, which contains a secret: whoever has it may use the server. It listens on\n"
      "127.0.0.1 only, so that no other computer can reach it; for a trace on another computer, let ssh forward the\n"
      "port as in the last example. Each analysis runs in a process of its own. Ctrl-C ends the server.",
      {trace_argument()}, false);
  const auto settings = std::make_shared<ServeSettings>();
  CLI::App& options = *command.options;
  options.add_option("--port", settings->port, "port to listen on (default: a free one)")->type_name("N");
  options.add_flag("--open", settings->opens, "open the address in the browser");
  options.add_option("--idle", settings->idle, "end after N minutes without a request (default: never)")
      ->type_name("N");
  options.add_flag("--offline", settings->is_offline,
                   "offer nothing that leads to another site: no timeline in ui.perfetto.dev");
  settings->patterns.add_plugin_option(options);
  settings->patterns.add_config_option(options);
  command.check = [settings] { check(*settings); };
  command.further_inputs = [settings] { return settings->patterns.files(); };
  command.body = [&command, settings] { return run_serve(command, *settings); };
}

}  // namespace waitstate::cli

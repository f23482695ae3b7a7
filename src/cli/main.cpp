// The waitstate program: finds the command, runs it guarded, and turns exceptions into a sentence and an exit code.
#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>

#include "cli/command.hpp"
#include "cli/commands/mpit.hpp"
#include "cli/commands/record.hpp"
#include "cli/errors.hpp"
#include "cli/guard.hpp"
#include "cli/help_formatter.hpp"
#include "cli/output.hpp"
#include "cli/peers/with_peers.hpp"

int main(int argc, char** argv) {
  using namespace waitstate::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a write to a closed pipe fails instead, see output.hpp
  std::signal(SIGXFSZ, SIG_IGN);  // so does a write to a file that may not grow further
  reserve_standard_streams();

  CLI::App app(
      "Finds wait states in event traces of parallel programs: where processes waited for each other, how much that "
      "cost, and who caused it.",
      "waitstate");
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "print this help and exit");
  app.set_version_flag("--version", "waitstate " WAITSTATE_VERSION, "print the version and exit");
  app.footer(
      "'waitstate COMMAND --help' explains a command.\n\n"
      "Exit codes: 0 success, 1 a gate or a pattern failed, 2 wrong usage, a gate that cannot be judged, or an output "
      "that cannot be written, "
      "3 unreadable input.\n\n"
      "Environment:\n"
      "  WAITSTATE_PLUGIN_PATH  folders, separated by ':', that --plugin NAME searches\n"
      "  WAITSTATE_MPI          openmpi or mpich: the MPI by which the processes of 'analyze' were started, where\n"
      "                         their launcher seems to belong to another one; none: this process works alone\n"
      "  TMPDIR                 folder of temporary files (default: /tmp)\n"
      "  COLUMNS                width of texts (default: that of the terminal, or 100)\n"
      "  NO_COLOR               if it is set, texts have no colour\n\n"
      "Examples:\n"
      "  waitstate record -- mpirun -n 4 ./app\n"
      "  waitstate info scorep_run\n"
      "  waitstate analyze scorep_run/traces.otf2\n"
      "  waitstate analyze scorep_run -o run.json && waitstate show run.json --metric mpi_latesender\n"
      "  waitstate diff before.json after.json --fail-on 'mpi_latesender>+10%'\n"
      "  waitstate print scorep_run --type send,recv --time 0.5 0.6");
  Commands commands;
  add_info(app, commands);
  add_print(app, commands);
  add_analyze(app, commands);
  add_show(app, commands);
  add_diff(app, commands);
  add_check(app, commands);
  add_graph(app, commands);
  add_export(app, commands);
  add_serve(app, commands);
  add_patterns(app, commands);
  add_explain(app, commands);
  std::vector<std::string> program;
  add_record(app, commands, &program);
  add_recover(app, commands);
  add_mpit(app, commands);
  add_help(app, commands);
  add_generate(app, commands);
  for (const auto& command : commands)  // hidden, because the help of the program has it
    command->options->set_version_flag("--version", "waitstate " WAITSTATE_VERSION)->group("");
  const int own = own_arguments(app, argc, argv);
  for (int i = own; i < argc; ++i)
    if (i != own || std::string_view(argv[i]) != "--") program.emplace_back(argv[i]);

  return with_errors_reported([&] {
    WordsOfOne words(argc, argv);
    const Command* command = nullptr;
    try {
      command = parse(app, commands, own, argv);
    } catch (...) {
      if (!words.of_several()) throw;
      return with_peers([wrong = std::current_exception()]() -> int { std::rethrow_exception(wrong); });
    }
    if (command == nullptr) return static_cast<int>(ok);
    words.they_are_right();
    const std::string& plugins = command->plugins;
    return guarded(
        command->reads_traces ? command->inputs() : plugins, command->outputs(),
        command->no_guard || (!command->reads_traces && plugins.empty()),
        [&] { return command->with_peers ? with_peers(command->body) : with_errors_reported(command->body); },
        command->running_plugin.get(), command->with_peers ? end_peers_of_failed : std::function<void()>());
  });
}

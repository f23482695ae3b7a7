// `waitstate help COMMAND`: prints the same as `waitstate COMMAND --help`.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/help_formatter.hpp"
#include "cli/output.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

std::string help_of(const CLI::App& app, const std::string& name) {
  const auto text = [&](const CLI::App& of, const std::string& call) {
    return app.get_formatter()->make_help(&of, call, CLI::AppFormatMode::Normal);
  };
  if (name.empty()) return text(app, app.get_name());
  std::vector<std::string> names;
  for (const CLI::App* command : commands_of(app)) {
    if (command->get_name() == name) return text(*command, app.get_name() + " " + name);
    names.push_back(command->get_name());
  }
  throw UsageError(fmt::format("there is no command '{}'{}", name, did_you_mean(name, names)));
}

}  // namespace

void add_help(CLI::App& app, Commands& commands) {
  Command& command = add_command(app, commands, "help", "Explain the program, or one of its commands",
                                 "  waitstate help\n"
                                 "  waitstate help analyze",
                                 {}, false);
  const auto name = std::make_shared<std::string>();
  command.options->add_option("COMMAND", *name, "one of the commands (default: the whole program)")->type_name("");
  command.body = [&app, name] {
    Output output("");
    output.stream() << help_of(app, *name);
    output.commit();
    return 0;
  };
}

}  // namespace waitstate::cli

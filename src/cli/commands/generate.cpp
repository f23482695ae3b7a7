// `waitstate generate`, which no help lists: generates man pages and completions for an installation from the program's
// options, so that they always agree. The build runs it.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <system_error>

#include "cli/command.hpp"
#include "cli/help_formatter.hpp"
#include "cli/output.hpp"
#include "cli/pages/bash_completion.hpp"
#include "cli/pages/man_page.hpp"
#include "cli/pages/zsh_completion.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, const std::string& text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) throw OutputError(fmt::format("cannot create {}: {}", file.parent_path().string(), error.message()));
  Output output(file.string());
  output.stream() << text;
  output.commit();
}

}  // namespace

void add_generate(CLI::App& app, Commands& commands) {
  Command& command = add_command(
      app, commands, "generate", "Write the man pages and the completions for bash and zsh into a folder",
      "  waitstate generate /usr/local/share",
      {{"FOLDER", "the folder that contains man/man1 and the like, or will contain them", "no folder given"}}, false);
  command.options->group("");
  command.body = [&app, &command] {
    const fs::path folder = command.value(0);
    const auto page = [&](const CLI::App& of) {
      write(folder / "man" / "man1" / (pages::page_name(of) + ".1"), pages::man_page(of));
    };
    page(app);
    for (const CLI::App* of : commands_of(app)) page(*of);
    write(folder / "bash-completion" / "completions" / app.get_name(), pages::bash_completion(app));
    write(folder / "zsh" / "site-functions" / ("_" + app.get_name()), pages::zsh_completion(app));
    return 0;
  };
}

}  // namespace waitstate::cli

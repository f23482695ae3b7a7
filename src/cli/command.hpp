// What the commands of the program have in common: a name, options, a trace, and a body that runs once all is parsed.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace waitstate::cli {

struct Command {
  CLI::App* options = nullptr;
  std::function<int()> body;            ///< the command itself; returns an exit code or throws
  std::function<void()> check = [] {};  ///< finds wrong values of options, before the trace is touched
  std::string trace;
  bool no_guard = false;
};
using Commands = std::vector<std::unique_ptr<Command>>;

/// A command with TRACE and --no-guard; the caller adds its options and sets `body`. `examples`: lines shown below the
/// help.
Command& add_command(CLI::App& app, Commands& commands, const std::string& name, const std::string& description,
                     const std::string& examples);

void add_info(CLI::App& app, Commands& commands);
void add_print(CLI::App& app, Commands& commands);
void add_analyze(CLI::App& app, Commands& commands);

/// The command that the arguments ask for, its options set and checked; nullptr if --help or --version was asked for
/// and has been answered on standard output. Throws UsageError, with the nearest name where one is misspelt.
Command* parse(CLI::App& app, Commands& commands, int argc, const char* const* argv);

/// ": did you mean 'json'?" if one of `known` is near, else "; known: text, csv, json", or "; " and `advice` where
/// there are too many to list.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& advice = "");

}  // namespace waitstate::cli

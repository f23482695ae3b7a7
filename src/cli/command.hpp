// What the commands of the program have in common: a name, arguments, options, and a body that runs once all is parsed.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/running_plugin.hpp"

namespace waitstate::cli {

/// A positional argument; all are required.
struct Argument {
  std::string name;         ///< e.g. "TRACE"
  std::string description;  ///< shown in the help
  std::string missing;      ///< what an error says if it is not given, e.g. "no trace given"
  bool several = false;     ///< one or more; only the last argument of a command may be so
};

struct Command {
  CLI::App* options = nullptr;
  std::function<int()> body;            ///< the command itself; returns an exit code or throws
  std::function<void()> check = [] {};  ///< finds wrong values of options, before any input is touched
  std::vector<Argument> arguments;
  std::vector<std::vector<std::string>> values;  ///< by argument
  bool reads_traces = true;  ///< run in a child process, which may crash on what it reads (guard.hpp)
  bool no_guard = false;
  std::string plugins;  ///< of one that reads no traces: code that may crash, for which it runs in a child all the same
  const std::string* output = nullptr;  ///< the file of -o, set by add_output(); empty or null: standard output
  /// All files that the command writes, by their names; known once `check` has run.
  std::function<std::vector<std::string>()> outputs = [] { return std::vector<std::string>(); };
  /// Files that are read beside the arguments, known once the options are parsed; no output may overwrite them.
  std::function<std::vector<std::string>()> further_inputs = [] { return std::vector<std::string>(); };
  /// Of a command that runs plug-ins: which one is running. Null: of none, or of one that was not given any.
  std::shared_ptr<const RunningPlugin> running_plugin;

  /// The value of an argument that stands for one word.
  const std::string& value(std::size_t argument) const { return values[argument].front(); }
  /// All inputs, for messages: "a.otf2" or "a.otf2, b.otf2".
  std::string inputs() const;
};
using Commands = std::vector<std::unique_ptr<Command>>;

/// The argument TRACE of most commands, and one that may be a trace or a report.
Argument trace_argument();
Argument report_argument(const std::string& name, const std::string& missing);

/// A command with its arguments; the caller adds its options and sets `body`. `examples`: lines shown below the help.
/// One that reads traces runs in a child process and has --no-guard.
Command& add_command(CLI::App& app, Commands& commands, const std::string& name, const std::string& description,
                     const std::string& examples, std::vector<Argument> arguments, bool reads_traces = true);

/// -o FILE. That it can be written is checked, and what a killed child leaves of it removed, for every command alike.
void add_output(Command& command, std::string& file,
                const std::string& description = "write to FILE instead of standard output");

void add_info(CLI::App& app, Commands& commands);
void add_print(CLI::App& app, Commands& commands);
void add_analyze(CLI::App& app, Commands& commands);
void add_show(CLI::App& app, Commands& commands);
void add_diff(CLI::App& app, Commands& commands);
void add_check(CLI::App& app, Commands& commands);
void add_graph(CLI::App& app, Commands& commands);
void add_patterns(CLI::App& app, Commands& commands);
void add_explain(CLI::App& app, Commands& commands);
/// The last two: they know those before them.
void add_help(CLI::App& app, Commands& commands);
void add_generate(CLI::App& app, Commands& commands);

/// The command that the arguments ask for, its options set and checked; nullptr if --help or --version was asked for
/// and has been answered on standard output. Throws UsageError, with the nearest name where one is misspelt.
Command* parse(CLI::App& app, Commands& commands, int argc, const char* const* argv);

/// ": did you mean 'json'?" if one of `known` is near, else "; known: text, csv, json", or "; " and `advice` where
/// there are too many to list.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& advice = "");
/// Throws UsageError "unknown WHAT 'word'…" if `word` is not one of `known`.
void check_word(const char* what, const std::string& word, const std::vector<std::string>& known);

/// An option whose value is one of `choices`; the body or the check says what is wrong with another one. Its help and
/// the completion of shells show them.
CLI::Option* add_choice(CLI::App& options, const std::string& name, std::string& value,
                        const std::vector<std::string>& choices, const std::string& description);

/// --order, of what --full shows; and whether its value makes sense. Throws UsageError.
void add_order(CLI::App& options, std::string& order);
void check_order(const std::string& order, bool full);

/// Throws UsageError if --top is given with a format that has everything.
void check_top(const Command& command, const std::string& format);

}  // namespace waitstate::cli

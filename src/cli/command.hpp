// The common parts of the program's commands: a name, arguments, options, and a body that runs once all is parsed.
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
  std::string missing;      ///< the error if it is not given, e.g. "no trace given"
  bool several = false;     ///< one or more values; only for the last argument of a command
};

struct Command {
  CLI::App* options = nullptr;
  std::function<int()> body;            ///< the command itself; returns an exit code or throws
  std::function<void()> check = [] {};  ///< finds wrong values of options, before any input is touched
  std::vector<Argument> arguments;
  std::vector<std::vector<std::string>> values;  ///< indexed by argument
  bool reads_traces = true;  ///< run in a child process, because damaged input may crash it (guard.hpp)
  bool no_guard = false;
  bool with_peers = false;  ///< several processes of a launcher of MPI run it together (peers/with_peers.hpp)
  std::string plugins;      ///< plug-ins of a command that reads no traces: code that may crash, so it runs in a child
                            ///< process all the same
  const std::string* output = nullptr;  ///< the file of -o, set by add_output(); empty or null: standard output
  /// Whether the file of -o is a folder, which must not exist yet.
  std::function<bool()> output_is_folder = [] { return false; };
  std::vector<const std::string*> files;  ///< files of -o and of other options that name an output; may be empty
  /// Files that the command writes beside these; known once `check` has run.
  std::function<std::vector<std::string>()> further_outputs = [] { return std::vector<std::string>(); };
  /// Files that are read beside the arguments, known once the options are parsed; no output may overwrite them.
  std::function<std::vector<std::string>()> further_inputs = [] { return std::vector<std::string>(); };
  /// The running plug-in of a command that runs plug-ins; null if it runs none.
  std::shared_ptr<const RunningPlugin> running_plugin;

  /// The value of an argument that takes one word.
  const std::string& value(std::size_t argument) const { return values[argument].front(); }
  /// All inputs, for messages: "a.otf2" or "a.otf2, b.otf2".
  std::string inputs() const;
  /// All files that the command writes, by their names; known once `check` has run.
  std::vector<std::string> outputs() const;
};
using Commands = std::vector<std::unique_ptr<Command>>;

/// The argument TRACE of most commands, and the argument for a trace or a report.
Argument trace_argument();
Argument report_argument(const std::string& name, const std::string& missing);

/// Adds a command with its arguments; the caller adds its options and sets `body`. `examples` are lines shown below the
/// help. A command that reads traces runs in a child process and has --no-guard.
Command& add_command(CLI::App& app, Commands& commands, const std::string& name, const std::string& description,
                     const std::string& examples, std::vector<Argument> arguments, bool reads_traces = true);

/// Adds -o FILE. For all commands alike, it is checked that the file can be written, and the incomplete file of a
/// killed child is removed.
void add_output(Command& command, std::string& file,
                const std::string& description = "write to FILE instead of standard output");

void add_info(CLI::App& app, Commands& commands);
void add_print(CLI::App& app, Commands& commands);
void add_analyze(CLI::App& app, Commands& commands);
void add_show(CLI::App& app, Commands& commands);
void add_diff(CLI::App& app, Commands& commands);
void add_check(CLI::App& app, Commands& commands);
void add_graph(CLI::App& app, Commands& commands);
void add_export(CLI::App& app, Commands& commands);
void add_serve(CLI::App& app, Commands& commands);
void add_patterns(CLI::App& app, Commands& commands);
void add_explain(CLI::App& app, Commands& commands);
/// Adds the commands `help` and `generate`, which come last because they need to know the others.
void add_help(CLI::App& app, Commands& commands);
void add_generate(CLI::App& app, Commands& commands);

/// The command that the arguments ask for, its options set and checked; nullptr if --help or --version was given and
/// has been answered on standard output. Throws UsageError, with the nearest name for a misspelt one.
Command* parse(CLI::App& app, Commands& commands, int argc, const char* const* argv);

/// Returns ": did you mean 'json'?" if one of `known` is near, else "; known: text, csv, json", or "; " and `advice` if
/// there are too many to list.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known,
                         const std::string& advice = "");
/// Throws UsageError "unknown WHAT 'word'…" if `word` is not one of `known`.
void check_word(const char* what, const std::string& word, const std::vector<std::string>& known);

/// Adds an option whose value is one of `choices`, which its help and the completion of shells show. The body or the
/// check has to refuse other values.
CLI::Option* add_choice(CLI::App& options, const std::string& name, std::string& value,
                        const std::vector<std::string>& choices, const std::string& description);

/// Adds --order, for the rows that --full shows. The check throws UsageError if its value is unknown.
void add_order(CLI::App& options, std::string& order);
void check_order(const std::string& order, bool full);

/// Throws UsageError if --top is given with a format that always contains everything.
void check_top(const Command& command, const std::string& format);

}  // namespace waitstate::cli

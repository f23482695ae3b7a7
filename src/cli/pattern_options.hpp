// The options that choose and configure patterns, and the configuration file that says the same:
//
//   {"plugins": ["./libmine.so", "./mine.py"], "patterns": ["mpi_latesender", "big_messages"],
//    "without": ["mpi_barrier_wait"], "set": {"big_messages.threshold": 65536}}
//
// The file comes first; the command line adds to it, and where both speak of the same thing the command line holds.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/running_plugin.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate::cli {

class PatternOptions {
 public:
  /// What a configuration file says.
  struct Config {
    std::vector<std::string> plugins, patterns, without;
    std::vector<std::pair<std::string, std::string>> values;  ///< ID.PARAM, and the value as text
  };

  /// --pattern, --without, --set, --plugin, --config.
  void add_to(CLI::App& app);
  /// --set alone, for commands that run one pattern.
  void add_set_option(CLI::App& app);
  /// --plugin alone, for commands that only speak of patterns.
  void add_plugin_option(CLI::App& app);

  /// Before check(): also this pattern, which runs on request only.
  void run_too(const std::string& id);
  /// The same, and no other.
  void run_only(const std::string& id) { patterns_ = {id}; }
  /// True if a parameter was set on the command line.
  bool sets() const { return !assignments_.empty(); }

  /// After parsing: reads the file, sets the parameters, chooses the patterns. Throws UsageError with the nearest name
  /// where one is misspelt, and where an option would have no effect. With a plug-in, whose code has to run in the
  /// process that does the work, only the file is read yet, and what comes next does the rest.
  void check();

  // After check(); these throw what check() throws:
  /// All patterns there are, with their parameters.
  const PatternRegistry& registry();
  /// Those to run, in order: for AnalysisOptions::patterns, with built_in = false.
  std::vector<PatternHandle> chosen();
  /// The configuration file and the plug-ins, as far as they are files.
  std::vector<std::string> files() const;
  /// Which of the plug-ins is running; null if there are none.
  std::shared_ptr<const RunningPlugin> running() const { return running_; }
  /// The plug-ins of the command line, for messages; empty if there are none.
  std::string plugins() const;

 private:
  void load();

  std::vector<std::string> patterns_, without_, assignments_, plugins_;
  std::string config_;
  Config from_file_;
  std::shared_ptr<RunningPlugin> running_;  ///< set by check() if there are plug-ins
  std::optional<PatternRegistry> registry_;
  std::vector<PatternHandle> chosen_;
};

}  // namespace waitstate::cli

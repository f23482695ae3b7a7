// The options that choose and configure patterns, and the configuration file with the same content:
//
//   {"plugins": ["./libmine.so", "./mine.py"], "patterns": ["mpi_latesender", "big_messages"],
//    "without": ["mpi_barrier_wait"], "set": {"big_messages.threshold": 65536}}
//
// The file is read first; the command line adds to it, and wins if both set the same thing.
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
  /// The content of a configuration file.
  struct Config {
    std::vector<std::string> plugins, patterns, without;
    std::vector<std::pair<std::string, std::string>> values;  ///< ID.PARAM, and the value as text
  };

  /// Adds --pattern, --without, --set, --plugin, --config.
  void add_to(CLI::App& app);
  /// Adds --set alone, for commands that run one pattern.
  void add_set_option(CLI::App& app);
  /// Adds --config alone, beside add_plugin_option().
  void add_config_option(CLI::App& app);
  /// Adds --plugin alone, for commands that only describe patterns.
  void add_plugin_option(CLI::App& app);

  /// Also runs this pattern, which otherwise runs on request only. Call it before check().
  void run_too(const std::string& id);
  /// Runs this pattern and no other. Call it before check().
  void run_only(const std::string& id) { patterns_ = {id}; }
  /// True if a parameter was set on the command line.
  bool sets() const { return !assignments_.empty(); }

  /// After parsing: reads the file, sets the parameters, chooses the patterns. Throws UsageError for misspelt names,
  /// with the nearest name, and for options without effect. With a plug-in, whose code has to run in the process that
  /// does the work, only the file is read here; the functions below do the rest.
  void check();

  // Call the following after check(); they throw the same exceptions.
  /// All patterns there are, with their parameters.
  const PatternRegistry& registry();
  /// The patterns to run, in order: for AnalysisOptions::patterns, with built_in = false.
  std::vector<PatternHandle> chosen();
  /// The configuration file, and the plug-ins that are files.
  std::vector<std::string> files() const;
  /// Tells which plug-in is running; null if there are none.
  std::shared_ptr<const RunningPlugin> running() const { return running_; }
  /// The options of another command line that has the same plug-ins and configuration file.
  std::vector<std::string> as_words() const;
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

// The options --fail-on and --verdicts of commands that judge a run, and the exit code that follows from the verdicts.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "report/compare/judge.hpp"

namespace waitstate::cli {

class GateOptions {
 public:
  void add_to(Command& command, const char* description);
  /// Checks the options after parsing. Throws UsageError for a gate that cannot be read, and for a file of verdicts
  /// that could not be written.
  void check();
  /// Like check(), for commands with one run: also refuses gates about growth.
  void check_of_one_run();

  bool empty() const { return texts_.empty(); }
  const std::vector<report::Gate>& gates() const { return gates_; }

  /// Writes the file of verdicts if it is asked for, prints an error on stderr for each gate that cannot be judged, and
  /// returns the exit code: 2 if there is such a gate, else 1 if a gate fails. `runs`: paths of the judged runs. Called
  /// last, so that no gate costs the report.
  int finish(const std::vector<std::string>& runs, const std::vector<report::Verdict>& verdicts) const;

 private:
  std::vector<std::string> texts_;
  std::vector<report::Gate> gates_;  // from texts_, set by check()
  std::string file_;
};

/// Prints an error on stderr for each gate that fails.
void print_failures(const std::vector<report::Verdict>& verdicts);

/// Text for the help of commands.
extern const char* const gate_help;
extern const char* const gate_exit_codes;

}  // namespace waitstate::cli

// The option --fail-on of commands that judge a run, and the exit code that follows from the verdicts.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "report/compare/gate.hpp"

namespace waitstate::cli {

class GateOptions {
 public:
  void add_to(CLI::App& app, const char* description);
  /// Checks the gates after parsing. Throws UsageError for a gate that cannot be read.
  void check();
  /// Like check(), for commands with one run: also refuses gates about growth.
  void check_of_one_run();

  bool empty() const { return texts_.empty(); }
  /// These throw UsageError if a gate cannot be judged.
  std::vector<report::Verdict> judge(const AnalysisResult& result) const;
  std::vector<report::Verdict> judge(const AnalysisResult& before, const AnalysisResult& after) const;

 private:
  std::vector<std::string> texts_;
  std::vector<report::Gate> gates_;  // from texts_, set by check()
};

/// Returns 1 if a gate fails, else 0.
int exit_code(const std::vector<report::Verdict>& verdicts);
/// Prints an error on stderr for each gate that fails.
void print_failures(const std::vector<report::Verdict>& verdicts);

/// Text for the help of commands.
extern const char* const gate_help;
extern const char* const gate_exit_codes;

}  // namespace waitstate::cli

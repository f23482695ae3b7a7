#include "cli/options/gate_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/errors.hpp"

namespace waitstate::cli {

const char* const gate_help =
    "Gates: METRIC, one of > >= < <=, and a limit: 5%, 0.5s (ms, us), 1000, 2MiB. Per cent are shares of the time\n"
    "without MPI_Init and MPI_Finalize, as in the summary of 'analyze'; all else is of the whole run. METRIC@whole\n"
    "and METRIC@without_init_exit say which one is meant, e.g. 'mpi_latesender@whole>5%'. Factors of the efficiency\n"
    "are without MPI_Init too: parallel_efficiency, load_balance, communication_efficiency, e.g. 'load_balance<80%';\n"
    "with --pattern mpi_ideal_wait also serialisation_efficiency, transfer_efficiency, mpi_load_balance,\n"
    "mpi_communication_efficiency, mpi_parallel_efficiency, openmp_efficiency";
const char* const gate_exit_codes =
    "Exit code: 0 if no gate fails, 1 if one does, 2 if one cannot be judged (no such metric, not analysed,\n"
    "or the trace cannot tell), 3 if an input cannot be read.";

void GateOptions::add_to(CLI::App& app, const char* description) {
  app.add_option("--fail-on", texts_, description)->expected(1)->take_all()->allow_extra_args(false)->type_name("GATE");
}

void GateOptions::check() {
  for (const std::string& text : texts_) gates_.push_back(report::parse_gate(text));
}

void GateOptions::check_of_one_run() {
  check();
  for (const report::Gate& gate : gates_) report::require_no_growth(gate);
}

std::vector<report::Verdict> GateOptions::judge(const AnalysisResult& result) const {
  std::vector<report::Verdict> verdicts;
  for (const report::Gate& gate : gates_) verdicts.push_back(report::judge(gate, result));
  return verdicts;
}

std::vector<report::Verdict> GateOptions::judge(const AnalysisResult& before, const AnalysisResult& after) const {
  std::vector<report::Verdict> verdicts;
  for (const report::Gate& gate : gates_) verdicts.push_back(report::judge(gate, before, after));
  return verdicts;
}

int exit_code(const std::vector<report::Verdict>& verdicts) {
  return std::any_of(verdicts.begin(), verdicts.end(), [](const report::Verdict& v) { return v.failed; }) ? failed : ok;
}

void print_failures(const std::vector<report::Verdict>& verdicts) {
  for (const report::Verdict& v : verdicts)
    if (v.failed) print_error(fmt::format("gate '{}' fails: {}", v.gate, v.value));
}

}  // namespace waitstate::cli

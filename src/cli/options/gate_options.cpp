#include "cli/options/gate_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/errors.hpp"

namespace waitstate::cli {

const char* const gate_help =
    "Gates: METRIC, a comparison (> >= < <=), and a limit: 5%, 0.5s (ms, us), 1000, 2MiB. Percentages are shares of "
    "the\n"
    "time without MPI_Init and MPI_Finalize, as in the summary of 'analyze'; other limits apply to the whole run.\n"
    "METRIC@whole and METRIC@without_init_exit choose one explicitly, e.g. 'mpi_latesender@whole>5%'. Efficiency "
    "factors\n"
    "also exclude MPI_Init and MPI_Finalize: parallel_efficiency, load_balance, communication_efficiency, e.g.\n"
    "'load_balance<80%'; with --pattern mpi_ideal_wait also serialisation_efficiency, transfer_efficiency,\n"
    "mpi_load_balance, mpi_communication_efficiency, mpi_parallel_efficiency, openmp_efficiency. Conditions joined by\n"
    "'and' must hold together: 'time>1s and mpi_latesender>5%'";
const char* const gate_exit_codes =
    "Exit code: 0 if no gate fails, 1 if a gate fails, 2 if a gate cannot be judged (unknown metric, metric not "
    "analysed,\n"
    "undetermined in this trace, or within what its clocks disagree by), 3 if an input cannot be read.";

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

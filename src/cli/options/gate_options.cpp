#include "cli/options/gate_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

#include "cli/errors.hpp"
#include "cli/output.hpp"
#include "report/form.hpp"
#include "waitstate/error.hpp"

namespace waitstate::cli {

const char* const gate_help =
    "Gates: METRIC, a comparison (> >= < <=), and a limit: 5%, 0.5s (ms, us, ns), 1000, 2MiB. Percentages are shares "
    "of the\n"
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
    "undetermined in this trace, nearer to the limit than its clocks agree, or growth between runs of different "
    "sizes), 3 if "
    "an\n"
    "input cannot be read.";

void GateOptions::add_to(Command& command, const char* description) {
  command.options->add_option("--fail-on", texts_, description)
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("GATE");
  command.options
      ->add_option("--verdicts", file_,
                   "also write the verdict on each gate to FILE, for programs: .json, or .xml for JUnit, which CI "
                   "systems read")
      ->type_name("FILE");
  command.files.push_back(&file_);
}

void GateOptions::check() {
  for (const std::string& text : texts_) gates_.push_back(report::parse_gate(text));
  if (file_.empty()) return;
  if (empty()) throw UsageError("--verdicts " + file_ + ": there is no gate to judge: give --fail-on too");
  const report::Form* const form = report::form_of_ending(std::filesystem::path(file_).extension().string());
  if (form == nullptr || !form->is_of(report::Subject::verdicts))
    throw UsageError("--verdicts " + file_ + ": expected a file whose name ends in .json, or in .xml for JUnit");
}

void GateOptions::check_of_one_run() {
  check();
  for (const report::Gate& gate : gates_) report::require_no_growth(gate);
}

int GateOptions::finish(const std::vector<std::string>& runs, const std::vector<report::Verdict>& verdicts) const {
  if (!file_.empty()) {
    Output output(file_);
    if (report::form_of_ending(std::filesystem::path(file_).extension().string())->name == "junit")
      report::write_verdicts_junit(runs, verdicts, output.stream());
    else
      report::write_verdicts_json(runs, verdicts, output.stream());
    output.commit();
  }
  int code = ok;
  for (const report::Verdict& v : verdicts) {
    if (v.undecided()) print_error(v.reason());
    code = std::max<int>(code, v.undecided() ? usage : v.failed() ? failed : ok);
  }
  return code;
}

void print_failures(const std::vector<report::Verdict>& verdicts) {
  for (const report::Verdict& v : verdicts)
    if (v.failed()) print_error(v.reason());
}

}  // namespace waitstate::cli

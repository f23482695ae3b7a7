// How efficient each of several runs is, and how fast it would be on the ideal machine (ideal_machine.hpp): in the
// scope in which all of them can be told.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "report/facts/runs/by_run.hpp"
#include "report/facts/scope.hpp"

namespace waitstate::report {

/// A factor of efficiency, or of the ideal machine; none where a run does not tell.
struct FactorByRun {
  std::string_view id;
  ByRun value;  ///< 0 to 1
};

/// Run times as they are and as they would be, in seconds.
struct IdealMachineByRun {
  ByRun run_time, ideal_run_time;
  ByRun balanced_run_time;  ///< none too where no call path is unbalanced
  PathByRun unbalanced;
};

struct EfficiencyByRun {
  Scope scope = Scope::whole;          ///< without MPI_Init and MPI_Finalize if each run spends other time too
  std::vector<FactorByRun> factors{};  ///< factors that at least one run tells, in the order of reports
  std::optional<IdealMachineByRun> ideal_machine{};  ///< if at least one run tells
};

EfficiencyByRun efficiency_by_run(Runs runs);

}  // namespace waitstate::report

// The costs of communication by cause, found by comparison with an ideal machine on which messages take no time, and
// the gain of two changes. They follow from the waits that the pattern mpi_ideal_wait computes; without it there is no
// answer.
//
//   serialisation_efficiency = largest time outside of MPI / ideal run time     waiting that no network takes away
//   transfer_efficiency      = ideal run time / run time                        what messages cost
//   mpi_communication_efficiency = largest time outside of MPI / run time       = serialisation x transfer
//   mpi_load_balance         = mean / largest time outside of MPI
//   mpi_parallel_efficiency  = mean time outside of MPI / run time              = mpi_load_balance x the above
//   openmp_efficiency        = parallel_efficiency / mpi_parallel_efficiency    of programs with threads
//
// Times outside of MPI are those of the first threads of processes; the ideal run time is the longest of their times
// outside of MPI and ideal waits together; the run time is that of efficiency.hpp. Source: the POP project's standard
// metrics and its multiplicative model of hybrid programs (hybrid parallel efficiency = MPI parallel efficiency x
// OpenMP parallel efficiency; to MPI, OpenMP is as useful as computation).
//
// Cost: a look at each time of a call path on a location, and for each call path at each process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "report/facts/efficiency.hpp"

namespace waitstate::report {

/// Reasons why the trace cannot tell how long the run would take.
enum class IdealUnknown : std::uint8_t { known, part_of_the_run, efficiency, no_mpi, one_process, longer_than_the_run };

struct IdealMachine {
  bool was_asked = false;                  ///< mpi_ideal_wait was run
  IdealUnknown unknown{};                  ///< the rest means something only if it is `known`
  EfficiencyUnknown efficiency_unknown{};  ///< the reason, where the efficiency is not known
  std::string bound{};  ///< the pattern's sentence on why the ideal run may take longer; empty if it is exact
  double serialisation = 0, transfer = 0;
  double mpi_communication = 0, mpi_load_balance = 0, mpi_parallel = 0;  ///< 0 to 1
  double openmp = 1;                                                     ///< 1 for programs without threads
  bool threads = false;
  std::int64_t run_time = 0, ideal_run_time = 0;  ///< ticks
  CallPathId unbalanced;  ///< the call path whose balance would gain most; none if no balance gains anything
  std::int64_t balanced_run_time =
      0;  ///< run time with its mean on every process, the communication efficiency unchanged

  bool known() const { return was_asked && unknown == IdealUnknown::known; }
};

/// A factor under the id by which reports and gates name it; words/factors.hpp explains it.
struct IdealFactor {
  std::string_view id;
  double IdealMachine::*value;
};
inline constexpr IdealFactor ideal_factors[] = {
    {"serialisation_efficiency", &IdealMachine::serialisation},
    {"transfer_efficiency", &IdealMachine::transfer},
    {"mpi_communication_efficiency", &IdealMachine::mpi_communication},
    {"mpi_load_balance", &IdealMachine::mpi_load_balance},
    {"mpi_parallel_efficiency", &IdealMachine::mpi_parallel},
    {"openmp_efficiency", &IdealMachine::openmp},
};
/// Id of the pattern whose waits it is computed from.
std::string_view ideal_wait_pattern();

/// Null if no factor has that name.
const IdealFactor* ideal_factor(std::string_view id);

/// True for the id of a factor of either kind.
inline bool is_factor(std::string_view id) { return efficiency_factor(id) != nullptr || ideal_factor(id) != nullptr; }

/// Computed in the scope of the totals.
IdealMachine ideal_machine(const AnalysisResult& result, const Totals& totals);

}  // namespace waitstate::report

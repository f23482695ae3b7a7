// Why communication costs what it costs, by comparison with an ideal machine on which messages take no time, and what
// two changes could gain. From the waits that the pattern mpi_ideal_wait computes; without it there is no answer.
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

struct IdealMachine {
  bool was_asked = false;  ///< mpi_ideal_wait was run
  std::string unknown;     ///< why the trace cannot tell; empty if it can, and only then the rest means something
  std::string bound;       ///< why the ideal run may take longer than is said; empty if it is exact
  double serialisation = 0, transfer = 0;
  double mpi_communication = 0, mpi_load_balance = 0, mpi_parallel = 0;  ///< 0 to 1
  double openmp = 1;                                                     ///< 1 of programs without threads
  bool threads = false;
  std::int64_t run_time = 0, ideal_run_time = 0;  ///< ticks
  CallPathId unbalanced;                          ///< whose balance would gain most; none if none gains
  std::int64_t balanced_run_time =
      0;  ///< run time with its mean on every process, the communication efficiency unchanged

  bool known() const { return was_asked && unknown.empty(); }
};

struct IdealFactor {
  std::string_view id, formula;
  double IdealMachine::*value;
  std::string_view summary;
};
inline constexpr IdealFactor ideal_factors[] = {
    {"serialisation_efficiency", "largest time outside of MPI / ideal run time", &IdealMachine::serialisation,
     "Efficiency if messages took no time; the rest is lost by waiting for each other, which no network avoids."},
    {"transfer_efficiency", "ideal run time / run time", &IdealMachine::transfer,
     "Ideal run time, on a network on which messages take no time, as a fraction of the run time; the rest is the "
     "cost of messages."},
    {"mpi_communication_efficiency", "largest time outside of MPI / run time", &IdealMachine::mpi_communication,
     "Fraction of the run that the process with the longest time outside of MPI spent there: serialisation_efficiency "
     "x transfer_efficiency."},
    {"mpi_load_balance", "mean / largest time outside of MPI", &IdealMachine::mpi_load_balance,
     "Mean time of the processes outside of MPI as a fraction of the largest."},
    {"mpi_parallel_efficiency", "mean time outside of MPI / run time", &IdealMachine::mpi_parallel,
     "Fraction of the run that the processes spent outside of MPI on average: mpi_load_balance x "
     "mpi_communication_efficiency."},
    {"openmp_efficiency", "parallel_efficiency / mpi_parallel_efficiency", &IdealMachine::openmp,
     "Fraction of the time outside of MPI that all threads of a process spent computing on average; 1 for programs "
     "without threads."},
};
/// Id of the pattern whose waits it is made of.
std::string_view ideal_wait_pattern();

/// Null if no factor is called so.
const IdealFactor* ideal_factor(std::string_view id);

/// True of the id of a factor of either kind.
inline bool is_factor(std::string_view id) { return efficiency_factor(id) != nullptr || ideal_factor(id) != nullptr; }

/// In the scope of the totals.
IdealMachine ideal_machine(const AnalysisResult& result, const Totals& totals);

/// The factors in a sentence; and what could be gained: two, or one where everything is balanced.
std::string ideal_machine_text(const IdealMachine& m);
std::string what_if_text(const AnalysisResult& result, const IdealMachine& m);

}  // namespace waitstate::report

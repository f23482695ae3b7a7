// How much of the run was computation, and why not more: the parallel efficiency of the POP project's model.
//
//   parallel_efficiency      = mean of computation / run time       = load balance x communication efficiency
//   load_balance             = mean of computation / largest computation
//   communication_efficiency = largest computation / run time
//
// Mean and largest are over processes, or over CPU threads where processes have several; computation is the time
// outside of MPI, OpenMP and the other libraries (metric "comp"); the run time is the longest time of a process or
// thread less that in which the measurement was off, so that a report without its events, or of a part of the run, has
// one too. Without MPI_Init and MPI_Finalize (scope.hpp) the run time is the longest time that a process or thread
// spends outside of them.
//
// A location whose events end early has too little of everything: it is left out, and the sentence says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "report/facts/completeness.hpp"
#include "report/facts/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Efficiency {
  std::string unknown;  ///< why the trace cannot tell; empty if it can, and only then the rest means something
  double parallel = 0, load_balance = 0, communication = 0;  ///< 0 to 1
  bool threads = false;                                      ///< over threads, not processes
  std::int64_t run_time = 0;                                 ///< ticks
  std::size_t units = 0, left_out = 0;  ///< processes or threads that it is over, and that are not there to their end

  bool known() const { return unknown.empty(); }
};

/// A factor under the id by which reports and gates name it.
struct EfficiencyFactor {
  std::string_view id, formula;
  double Efficiency::*value;
  std::string_view summary;
};
inline constexpr EfficiencyFactor efficiency_factors[] = {
    {"parallel_efficiency", "mean computation / run time", &Efficiency::parallel,
     "Fraction of the run that the processes spent computing on average: load_balance x communication_efficiency."},
    {"load_balance", "mean / largest computation", &Efficiency::load_balance,
     "Mean computation of the processes as a fraction of the largest; the rest is lost by waiting for the busiest "
     "process."},
    {"communication_efficiency", "largest computation / run time", &Efficiency::communication,
     "Fraction of the run that the busiest process spent computing; the rest is lost in MPI, OpenMP and other "
     "libraries."},
};
/// Null if no factor is called so.
const EfficiencyFactor* efficiency_factor(std::string_view id);

/// In the scope of the totals.
Efficiency efficiency(const AnalysisResult& result, const Totals& totals);

/// One sentence with the three numbers and what they are.
std::string efficiency_text(const Efficiency& e);

}  // namespace waitstate::report

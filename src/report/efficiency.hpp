// How much of the run was computation, and why not more: the parallel efficiency of the POP project's model.
//
//   parallel efficiency      = mean of computation / run time       = load balance x communication efficiency
//   load balance             = mean of computation / largest computation
//   communication efficiency = largest computation / run time
//
// Mean and largest are over processes, or over CPU threads where processes have several; computation is the time
// outside of MPI, OpenMP and the other libraries (metric "comp"); the run time is the longest time of a process or
// thread less that in which the measurement was off, so that a report without its events, or of a part of the run, has one too.
#pragma once

#include <cstddef>
#include <string>

#include "report/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

struct Efficiency {
  std::string unknown;  ///< why the trace cannot tell; empty if it can, and only then the rest means something
  double parallel = 0, load_balance = 0, communication = 0;  ///< 0 to 1
  bool threads = false;                                      ///< over threads, not processes
};

Efficiency efficiency(const AnalysisResult& result, const Totals& totals);

/// One sentence with the three numbers and what they are.
std::string efficiency_text(const Efficiency& e);

}  // namespace waitstate::report

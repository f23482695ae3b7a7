// The share of the run that was computation, and its factors: the parallel efficiency of the POP project's model.
//
//   parallel_efficiency      = mean of computation / run time       = load balance x communication efficiency
//   load_balance             = mean of computation / largest computation
//   communication_efficiency = largest computation / run time
//
// Mean and largest are over processes, or over CPU threads where processes have several; computation is the time
// outside of MPI, OpenMP and the other libraries (metric "comp"); the run time is the longest time of a process or
// thread, minus the time in which the measurement was off, so that a report without its events, or of a part of the
// run, has one too. Without MPI_Init and MPI_Finalize (scope.hpp) the run time is the longest time that a process or
// thread spends outside of them.
//
// A location whose events end early has values that are too small: it is left out, and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "report/facts/completeness.hpp"
#include "report/facts/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Reasons why the efficiency of a run is not known.
enum class EfficiencyUnknown : std::uint8_t {
  known,
  times_mean_nothing,
  no_time,
  no_metric_of_computation,
  no_other_region,  ///< nothing outside of the communication libraries
  no_library_call,
  no_library_call_ended,
  unnamed_locations_missing,
  locations_missing,  ///< so many are missing that at most one is left
  one_location_chosen,
  one_process,
  no_computation,
};

struct Efficiency {
  EfficiencyUnknown unknown{};                               ///< the rest means something only if it is `known`
  double parallel = 0, load_balance = 0, communication = 0;  ///< 0 to 1
  bool threads = false;                                      ///< over threads, not processes
  std::int64_t run_time = 0;                                 ///< ticks
  std::size_t units = 0;     ///< number of processes or threads over which it is computed
  std::size_t left_out = 0;  ///< number of processes or threads whose events end early

  bool known() const { return unknown == EfficiencyUnknown::known; }
};

/// A factor under the id by which reports and gates name it; words/factors.hpp explains it.
struct EfficiencyFactor {
  std::string_view id;
  double Efficiency::*value;
};
inline constexpr EfficiencyFactor efficiency_factors[] = {
    {"parallel_efficiency", &Efficiency::parallel},
    {"load_balance", &Efficiency::load_balance},
    {"communication_efficiency", &Efficiency::communication},
};
/// Null if no factor has that name.
const EfficiencyFactor* efficiency_factor(std::string_view id);

/// Computed in the scope of the totals.
Efficiency efficiency(const AnalysisResult& result, const Totals& totals);

}  // namespace waitstate::report

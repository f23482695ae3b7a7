// The software performance counters of Open MPI (SPC) as far as a trace tells them, under the names of the paper that
// introduced them: Eberius, Patinyasakdikul and Bosilca, EuroMPI/USA 2017, Table 1. They are computed from metrics that
// the analysis has anyway, for a trace of any MPI library. words/software_counters.hpp explains each of them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

enum class CounterBound : std::uint8_t {
  exact,     ///< the library would count the same
  at_most,   ///< the library's value is not larger
  at_least,  ///< the library's value is not smaller
  unknown,   ///< not available from a trace
};
std::string_view name(CounterBound bound);

struct SoftwareCounter {
  std::string_view name;  ///< "OMPI_SEND"
  CounterBound bound{};
  bool of_paper = true;       ///< it stands in the paper's Table 1
  std::string_view metric{};  ///< id of the metric that it is computed from; for calls, the function, "MPI_Send"
  /// Its values by process; empty if the trace, or this analysis, does not tell.
  std::vector<std::uint64_t> values{};

  bool counts_calls() const { return metric.starts_with("MPI_"); }
  bool is_of_queues() const;  ///< computed from the queues of messages
  /// True if it is known only where the pattern of message queues ran.
  bool is_of_pattern() const;
  bool adds_up() const;  ///< a sum over processes has a meaning
};

/// All counters, in the paper's order, then the ones that it does not have; none for a trace without MPI calls.
std::vector<SoftwareCounter> software_counters(const AnalysisResult& result);

/// The counter of that name without its values; null if there is none.
const SoftwareCounter* software_counter(std::string_view name);

}  // namespace waitstate::report

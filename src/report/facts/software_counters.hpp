// The software performance counters of Open MPI (SPC) as far as a trace tells them, under the names of the paper that
// introduced them: Eberius, Patinyasakdikul and Bosilca, EuroMPI/USA 2017, Table 1. They are made of metrics that the
// analysis has anyway, for any trace, whatever the MPI library; what a trace cannot tell says why.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

enum class CounterBound : std::uint8_t {
  exact,     ///< what the library would count
  at_most,   ///< the library's value is not larger
  at_least,  ///< nor smaller
  unknown,   ///< not to be had
};
std::string_view name(CounterBound bound);

struct SoftwareCounter {
  std::string_view name;     ///< "OMPI_SEND"
  std::string_view counts;   ///< what the library counts
  std::string_view why_not;  ///< a trace does not have it; "": it does
  CounterBound bound{};
  bool of_paper = true;       ///< of its Table 1
  std::string_view metric{};  ///< id of the metric that it is made of; of calls the function, "MPI_Send"
  /// By process; empty if the trace, or this analysis, does not tell.
  std::vector<std::uint64_t> values{};

  std::string meaning() const;  ///< what it counts, and why it cannot be had
};

/// All of them, in the paper's order, then those that it does not have; none of a trace without calls of MPI.
std::vector<SoftwareCounter> software_counters(const AnalysisResult& result);

/// Those that have values, with their sums and greatest values of a process, and a line for those that cannot be had;
/// "" of a trace without calls of MPI.
std::string software_counters_text(const AnalysisResult& result, const Style& style);
/// Without values; null if there is none of that name.
const SoftwareCounter* software_counter(std::string_view name);
/// What of the trace itself it is to be compared with, or why there is nothing.
std::string in_a_trace(const SoftwareCounter& counter);
/// What `waitstate explain NAME` shows; "" if there is none of that name.
std::string explain_software_counter(std::string_view name, const Style& style);

}  // namespace waitstate::report

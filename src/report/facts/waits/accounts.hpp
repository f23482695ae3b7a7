// The accounts of the functions of MPI and other libraries (MetricKind::account): how their time was spent. A part in
// which no process was late may be the largest problem of all.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/facts/totals.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The account of all calls of one function, in ticks.
struct FunctionAccount {
  enum Part { wait, transfer, management, local, unknown, part_count };

  std::string function;
  bool transfers = false;  ///< the function belongs to a library whose transfers are known
  std::int64_t total = 0;
  std::int64_t calls = 0;
  std::array<std::int64_t, part_count> parts{};   ///< by Part; they add up to `total`
  std::array<MetricIndex, part_count> metrics{};  ///< by Part, the metric that has it; no_metric where there is none
  std::int64_t possible_wait = 0;  ///< the part of transfers in which a member of the operation had not begun
  std::vector<std::pair<MetricIndex, std::int64_t>> states{};  ///< outermost wait states found there, largest first
  std::array<std::pair<CallPathId, std::int64_t>, part_count> worst{};  ///< the call path with most of each part
};

/// The accounts by total, largest first; none if nothing was accounted for.
std::vector<FunctionAccount> function_accounts(const AnalysisResult& result, const Totals& totals);

/// Time, in ticks, that forbids to say that nobody waited.
struct TimeOfWaiting {
  std::int64_t waited = 0;   ///< calls waited for others, whether a wait state tells that or not
  std::int64_t unknown = 0;  ///< it is not known whether they did
};
TimeOfWaiting time_of_waiting(const AnalysisResult& result, const Totals& totals);

/// The largest part of a function's time that is not a wait, in a library whose transfers are known.
struct Remainder {
  std::string function{};  ///< empty if there is none
  FunctionAccount::Part part{};
  MetricIndex metric = no_metric;  ///< the metric that has the time, in the call paths of the function
  std::int64_t ticks = 0;
  std::int64_t possible_wait = 0;  ///< as in FunctionAccount, for a transfer
  std::int64_t calls = 0;
  CallPathId callpath{};  ///< the call path with most of it
  std::int64_t callpath_ticks = 0;

  explicit operator bool() const { return !function.empty(); }
};
Remainder largest_remainder(const std::vector<FunctionAccount>& accounts);

}  // namespace waitstate::report

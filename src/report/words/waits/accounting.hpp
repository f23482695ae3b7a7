// What the time in MPI and other libraries went to, function by function: their accounts (MetricKind::account) in
// words. What nobody was late for may be the largest problem of all, and is then said to be one.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "report/facts/totals.hpp"
#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Of all calls of one function, in ticks.
struct FunctionAccount {
  enum Part { wait, transfer, management, local, unknown, part_count };

  std::string function;
  bool transfers = false;  ///< of a library of which transfers are known
  std::int64_t total = 0;
  std::int64_t calls = 0;
  std::array<std::int64_t, part_count> parts{};                ///< by Part; they add up to `total`
  std::vector<std::pair<MetricIndex, std::int64_t>> states{};  ///< outermost wait states found there, largest first
  std::array<std::pair<CallPathId, std::int64_t>, part_count> worst{};  ///< the call path with most of each part
};

/// By total, largest first; none if nothing was accounted for.
std::vector<FunctionAccount> function_accounts(const AnalysisResult& result, const Totals& totals);

/// The largest part of a function's time that is no wait, of a library of which transfers are known.
struct Remainder {
  const FunctionAccount* account = nullptr;  ///< null if there is none
  FunctionAccount::Part part{};
  std::int64_t ticks = 0;
};
Remainder largest_remainder(const std::vector<FunctionAccount>& accounts);
/// "Transfer in MPI_Send", and what to do about it, as a sentence.
std::string title(const Remainder& remainder);
std::string advice(const Remainder& remainder, const AnalysisResult& result);

/// "37.0 % of the time is in MPI_Send: 12.0 % Late Receiver, 22.0 % transfer, 3.0 % local." of the functions with most
/// time, those below 1 % of `whole` apart; "" if there is none. Shares are of `whole` ticks.
std::string accounting_text(const AnalysisResult& result, const std::vector<FunctionAccount>& accounts,
                            std::int64_t whole, std::size_t most, const Style& style);

}  // namespace waitstate::report

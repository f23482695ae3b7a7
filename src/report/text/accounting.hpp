// The time in MPI and other libraries by function, and how it was spent, a line for each function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/facts/waits/accounts.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// "37.0 % of the time is spent in MPI_Send: 12.0 % Late Receiver, 22.0 % transfer, 3.0 % local." for the functions
/// with most time, except those below 1 % of `whole`; "" if there is none. Shares are of `whole` ticks.
std::string accounting_text(const AnalysisResult& result, const std::vector<FunctionAccount>& accounts,
                            std::int64_t whole, std::size_t most, const Style& style);

}  // namespace waitstate::report

// The largest part of a function's time that is not a wait (facts/waits/accounts.hpp), in words.
#pragma once

#include <string>

#include "report/facts/waits/accounts.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// "Transfer in MPI_Send".
std::string title(const Remainder& remainder);
/// Advice, in sentences.
std::string advice(const Remainder& remainder, const AnalysisResult& result);

}  // namespace waitstate::report

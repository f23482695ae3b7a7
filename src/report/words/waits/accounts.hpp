// The largest part of a function's time that is no wait (facts/waits/accounts.hpp), in words.
#pragma once

#include <string>

#include "report/facts/waits/accounts.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// "Transfer in MPI_Send".
std::string title(const Remainder& remainder);
/// Says what to do about it, in sentences.
std::string advice(const Remainder& remainder, const AnalysisResult& result);

}  // namespace waitstate::report

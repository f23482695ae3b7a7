// The cause of a wait, step by step.
#pragma once

#include <string>

#include "report/facts/waits/chains.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// A line for each step of the chain. The instance has a chain.
std::string chain_text(const AnalysisResult& result, const NumberedInstance& asked, const Style& style);

}  // namespace waitstate::report

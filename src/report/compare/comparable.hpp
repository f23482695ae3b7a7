// Whether sums over all locations of two runs can be compared.
#pragma once

#include <string>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The reason why the two runs, A and B, cannot be compared directly: different numbers of processes or locations, or
/// different parts of a run; empty if they can.
std::string why_not_comparable(const AnalysisResult& before, const AnalysisResult& after);

}  // namespace waitstate::report

// The part of the run that a report is about, in words.
#pragma once

#include <string>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// "only what happens inside solve, on rank 1, from 0.020 s on"; "" if it is about the whole run.
std::string focus_text(const AnalysisResult& result);

}  // namespace waitstate::report

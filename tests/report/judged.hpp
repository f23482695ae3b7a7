// Completes a result made by hand, as an analysis with the built-in patterns would.
#pragma once

#include <utility>

#include "analysis/conclusions/evidence.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::test {

/// The result with what its trace cannot tell.
inline AnalysisResult judged(AnalysisResult result) {
  result.undetermined = analysis::undetermined(result, built_in_patterns());
  return result;
}

}  // namespace waitstate::test

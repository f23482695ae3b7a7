// Numbers of call paths that are the same however a trace is read: depth first. While a trace is read, a call path gets
// its number from whoever comes to it first, which with several workers is chance.
//
// Cost: once, a look at each call path that the result names, and the severities anew.
#pragma once

#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

/// Numbers the call paths of the result in the order of CallTree::depth_first().
void number_depth_first(AnalysisResult& result);

}  // namespace waitstate::analysis

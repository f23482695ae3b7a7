// The chain of a wait in words: a location waited for another, because that one waited for a third, and so on, back to
// a location that was busy. A culprit that itself waited is never called the cause; the words say what the trace cannot
// tell.
#pragma once

#include <functional>
#include <string>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

using PathText = std::function<std::string(CallPathId)>;

/// The part of a delay in percent, "82.0 %".
std::string share_text(double share);

/// The clause behind the name of the first culprit: ", itself waiting for rank 1 for rank 0, which was in main/work
/// (82.0 % of the delay)". Only the start and the end of a long chain are named. The instance has a chain.
std::string chain_clause(const AnalysisResult& result, const WaitChain& chain, const PathText& path);

/// The clause behind the name of the last culprit: ", which was in main/work (82.0 % of the delay)".
std::string end_clause(const WaitChain& chain, const PathText& path);

/// "; rank 1 was in main/slow_b (49.0 %)": all causes that are worth telling beside the one that the chain ends with;
/// shares are of the delay. Empty if there are none.
std::string further_causes_clause(const AnalysisResult& result, const WaitChain& chain, const PathText& path);

/// The thing that a location waits for, by the kind of the dependency: "a message".
const char* awaited(Crossing crossing);

}  // namespace waitstate::report

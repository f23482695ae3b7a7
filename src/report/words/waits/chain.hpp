// The chain of a wait in words: who waited for whom, because that one waited for a third, back to somebody who was
// busy. A culprit that waited itself is never called the cause; what the trace cannot tell is said.
#pragma once

#include <functional>
#include <string>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

using PathText = std::function<std::string(CallPathId)>;

/// The part of a delay in percent, "82.0 %".
std::string share_text(double share);

/// The clause behind the name of the first culprit: ", itself waiting for rank 1 for rank 0, which was in main/work
/// (82.0 % of the delay)". A long chain is told by its begin and its end. The instance has a chain.
std::string chain_clause(const AnalysisResult& result, const WaitChain& chain, const PathText& path);

/// The clause behind the name of the last culprit: ", which was in main/work (82.0 % of the delay)".
std::string end_clause(const WaitChain& chain, const PathText& path);

/// The thing that a location waits for, by the way in which it came to wait: "a message".
const char* awaited(Crossing crossing);

}  // namespace waitstate::report

// The cause of a wait, as a JSON object.
#pragma once

#include <iosfwd>

#include "report/facts/waits/chains.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The steps of the chain: times in seconds, locations and call paths by name. The instance has a chain.
void write_chain_json(const AnalysisResult& result, const NumberedInstance& asked, std::ostream& out);

}  // namespace waitstate::report

// The worst wait states as numbered paragraphs; before them, who still waited when the trace ended, of which no wait
// state knows.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "report/words/waits/problems.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// At most `most` numbered paragraphs, and one on what is small, or what takes the time where nobody waits, or what a
/// report without wait states is good for. Shares are of the time without MPI_Init and MPI_Finalize; of waits in these,
/// of the whole. Ends in '\n'.
std::string problems_text(const AnalysisResult& result, const RunTotals& run,
                          const std::vector<FunctionAccount>& accounts, const Seconds& seconds,
                          const Diagnoses& diagnoses, std::size_t most, const Style& style);

}  // namespace waitstate::report

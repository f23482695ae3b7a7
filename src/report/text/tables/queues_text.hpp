// The message queues of MPI, as the trace bounds them, and beside them what the library itself recorded of its own.
#pragma once

#include <string>

#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Both queues of each process (at most `most`, the longest first), how their longest stays are spread over processes,
/// of several communicators each, and the library's own variables if the trace has them. Ends in '\n'; "" if nobody
/// asked for queues.
std::string queues_text(const AnalysisResult& result, const Seconds& seconds, std::size_t most, const Style& style);

}  // namespace waitstate::report

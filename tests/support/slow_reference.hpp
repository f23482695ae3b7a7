// A slow, obvious implementation of everything that the engine computes of MPI: time, visits, messages, collective
// operations, and the wait states of point-to-point and collective communication. Tests compare the engine with it.
//
// It shares no code with the engine: of the library it takes the notation's reader and the definition tables only. It
// keeps the whole trace in memory and takes one step after the other, each over everything that the step before left;
// where the engine has a queue or a sum, it has a list and looks through it.
//
// Not in it: one-sided communication, neighbourhood operations (nothing but their counts), thread teams, cancelled
// requests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "support/case_file.hpp"

namespace waitstate::support {

/// Metric, call path and location → ticks, occurrences or bytes; inclusive along the metric tree, exclusive along the
/// call tree.
using SlowTable = std::map<std::tuple<std::string, std::string, std::uint32_t>, std::int64_t>;

/// The ids of all metrics that slow_reference() computes.
const std::vector<std::string>& slow_metrics();

/// The table of a trace in the text notation. Throws TraceError if it cannot be read.
SlowTable slow_reference(std::string_view trace);

/// Its rows that are not 0, as severity_rows() writes them.
Rows rows(const SlowTable& table);

}  // namespace waitstate::support

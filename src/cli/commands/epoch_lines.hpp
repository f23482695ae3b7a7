// The compound events of one-sided communication as text, for `waitstate print --epochs`.
#pragma once

#include <ostream>
#include <string>

#include "waitstate/analysis.hpp"

namespace waitstate::cli {

/// Writes all epochs, collective operations, locks and operations on windows of the trace in the order of their first
/// times, each with its members, call paths (enter and exit in ticks), numbers of operations and bytes. With
/// `options.focus`, only those that overlap its time and in which one of its locations takes part. If there are none, a
/// comment gives the reason.
void print_epochs(const std::string& trace, AnalysisOptions options, std::ostream& out);

}  // namespace waitstate::cli

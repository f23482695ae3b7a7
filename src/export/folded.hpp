// Folded stacks: the text that flame graph tools read. A line for each call path, its regions from the outermost one
// joined by ';', a blank, and the value of one metric there, without its callees, as a whole number:
//
//   p2p;main;master_worker;MPI_Recv 120795340
//
// Source: the head of stackcollapse.pl and flamegraph.pl of Brendan Gregg's FlameGraph. Times are in nanoseconds, all
// locations together. A ';' in a name becomes ':', since the format cannot quote it.
#pragma once

#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::exports {

void write_folded(const AnalysisResult& result, MetricIndex metric, std::ostream& out);

}  // namespace waitstate::exports

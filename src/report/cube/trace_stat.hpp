// The statistics file of the CUBE world (trace.stat), which Cube's viewer shows beside a report: per wait state the
// distribution of its waits, and per call path its most severe instance. Text, one wait state after the other:
//
//   PatternName               Count      Mean    Median      Minimum      Maximum …
//   mpi_earlyscan                      6 0.0043447 0.0043449 0.0043279472 0.0043691284 …
//   - cnode 30 enter: 0.5469547057 exit: 0.5513455013 duration: 0.0130790773 rank: 3
//
// Times are seconds, enter and exit counted from the first event of the trace. cnode is the number of the call path in
// the report written beside it: its place depth first. rank is that of the process that waited longest. The variance is
// divided by the count, not by count - 1 as in WaitStatistics, and is left out for a single wait, the quartiles for
// fewer than five: so do the other writers of this file.
#pragma once

#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

void write_trace_stat(const AnalysisResult& result, std::ostream& out);

}  // namespace waitstate::report

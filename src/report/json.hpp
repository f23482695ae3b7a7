// The whole result as JSON, for programs. UTF-8 (what was recorded as something else is replaced), one element a line
// in long arrays so that two results can be compared with diff, and the same bytes for the same trace on every run.
//
//   {
//     "format": "waitstate", "version": 1,
//     "trace":          path, recorder, clock, first and last event, sizes
//     "processes":      [{name, type, rank}]                         rank null where there is none
//     "locations":      [{name, type, process, events, first_time, last_time}]
//     "call_tree":      [{parent, name, file, line}]                 a parent stands before its children
//     "metrics":        [{id, title, unit, parent, within_parent, total, summary}]
//     "severities":     {columns, rows: [[metric id, call path, location, value]]}
//     "waits":          {metric id: [{culprit, victim, count, value}]}
//     "unanswered":     [{metric, sentence}]                         wait states that the trace cannot tell
//     "events_by_type": {type: count}
//     "diagnostics":    [{id, severity, sentence, count, largest, places}]
//     "unmatched_sends", "unmatched_receives",
//     "clock_violations": [{sender, receiver, count, largest}]       processes
//   }
//
// Processes, locations and call paths are referred to by their index in those arrays, null where unknown. All values
// are integers: times and durations in ticks (trace.clock.ticks_per_second), else occurrences or bytes. Severities are
// inclusive along the metric tree, exclusive along the call tree, and left out where zero. A member may be added
// without a new version; the version changes when one is removed or changes its meaning.
#pragma once

#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

void write_json(const AnalysisResult& result, std::ostream& out);

}  // namespace waitstate::report

// The whole result as JSON: for programs, and to be read back (json_reader.hpp), so it holds all that any view needs.
// UTF-8 (what was recorded as something else is replaced), one element a line so that two reports can be compared with
// diff, and the same bytes for the same trace on every run. report.schema.json documents every field.
//
//   {
//     "format": "waitstate", "version": 2, "waitstate_version": "0.2.0",
//     "trace":           path, command, recorder, clock
//     "totals":          first and last event, duration, events, messages, collectives
//     "efficiency", "factors":  numbers in both scopes; what they mean
//     "focus":           what part of the run was asked for
//     "patterns":        [{id, parameters: [{name, value}]}]           that were run
//     "paradigms", "system_tree", "processes", "locations", "regions", "programs", "communicators",
//     "cart_dimensions", "cart_topologies":                            definitions
//     "call_tree":       [{parent, region, program}]                   a parent stands before its children
//     "metrics":         [{id, title, summary, unit, within_parent, parent, total}]
//     "severities":      {metric id: table of callpath, location, value}
//     "waits":           {metric id: {statistics,
//                                     pairs: table of culprit, waiter, count, ticks,
//                                     causes: table of callpath, culprit, count, ticks,
//                                     instances: [{callpath, total, waiters, longest}]}}
//     "counters":        {metric id: {kind, timing, unit, severity_unit, scale,
//                                     values: table of callpath, location, samples, weight, least, greatest,
//                                     rate, mean}}
//     "wait_groups":     [{processes, count, ticks, circle, …}]        who wait for each other
//     "problems":        [{metric, title, sentence, advice, …}]        the summary's
//     "problems_note":   why there are none                            only then
//     "queues":          {from, to, profiles: [{process, communicator, posted, unexpected, parts}],
//                         parts}                                       only if they were asked for
//     "software_counters": [{name, meaning, bound, of_paper, values}]  only of a trace with calls of MPI
//     "unanswered":      [{metric, sentence}]                          wait states that the trace cannot tell
//     "events_by_type":  {type: count}
//     "diagnostics":     [{id, severity, sentence, count, largest, places}]
//     "diagnostic_pairs": table of diagnostic, sender, receiver, count, largest
//   }
//
// With Keep::details waits have a histogram and statistics by call path, instances their members and causes,
// and there is "communication"; with contexts, series and phase there are "contexts", "series" and "phases".
//
// Sentences are made anew when a report that was read is written: names in them that were no UTF-8 have their bytes as
// escapes at first (\xff), then the character that replaces them. All other members stay as they are.
//
// A table is {"columns": […], "rows": [[…], …]}, which is what pandas.DataFrame(**table) takes. Processes, locations,
// regions, call paths and so on are referred to by their index in those arrays, null where unknown. All values but
// statistics are integers: times and durations in ticks (trace.clock.ticks_per_second), else occurrences or bytes; of
// a counter a severity times its scale is in its severity_unit.
// Severities are what belongs to the metric itself, without the metrics below it (metrics[].total includes them), and
// exclusive along the call tree; zero is left out. A member may be added without a new version; the version changes
// when one is removed or changes its meaning.
#pragma once

#include <cstddef>
#include <iosfwd>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Which numbers call paths have: `depth_first`, which are the same for any order in which locations were read, or the
/// `own` ids of the result, for a copy of it (read_json_copy()), in which texts that are no UTF-8 are kept, too.
enum class CallPathNumbers { depth_first, own };

/// What is written of what takes most of a large report. The HTML page has severities in another form.
struct JsonParts {
  bool severities = true;
  std::size_t contexts = WaitContext::max_contexts;  ///< of the most severe instances
  bool series_by_location = true;
  friend bool operator==(const JsonParts&, const JsonParts&) = default;
};

void write_json(const AnalysisResult& result, std::ostream& out, CallPathNumbers numbers = CallPathNumbers::depth_first,
                const JsonParts& parts = {});

}  // namespace waitstate::report

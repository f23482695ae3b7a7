// The whole result as JSON, for programs and for json_reader.hpp, so it contains everything that a view needs. It is
// UTF-8 (other bytes are replaced), has one element a line so that two reports can be compared with diff, and has the
// same bytes for the same trace on every run. The members are declared in report/fields, from which report.schema.json
// is written; document.hpp has the outermost ones.
//
// Sentences are made again when a report that was read is written: names in them that were not UTF-8 first have their
// bytes as escapes (\xff), and then the replacement character. All other members stay as they are.
//
// A table is {"columns": […], "rows": [[…], …]}, which is what pandas.DataFrame(**table) takes. Processes, locations,
// regions, call paths and so on are referred to by their index in those arrays, null where unknown. All values but
// statistics are integers: times and durations in ticks (trace.clock.ticks_per_second), else occurrences or bytes; a
// severity of a counter, times its scale, is in its severity_unit. Severities belong to the metric itself, without the
// metrics below it (metrics[].total includes them), and exclusive along the call tree; zero is left out. A member may
// be added without a new version; the version changes when one is removed or changes its meaning.
#pragma once

#include <iosfwd>

#include "report/json/json_parts.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// The numbers of call paths: `depth_first`, which do not depend on the order in which locations were read, or the
/// `own` ids of the result, for a copy of it (read_json_copy()), in which texts that are not UTF-8 are kept, too.
enum class CallPathNumbers { depth_first, own };

/// `threads`: how many may format long tables; what is written does not depend on it.
void write_json(const AnalysisResult& result, std::ostream& out, CallPathNumbers numbers = CallPathNumbers::depth_first,
                const JsonParts& parts = {}, std::size_t threads = 1);

}  // namespace waitstate::report

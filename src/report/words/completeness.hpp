// The completeness of a report in words: of its values, the whole, and the trace. A report says that nothing is missing
// from a trace only if that is so: no damage, no question left open, all patterns run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/facts/completeness.hpp"
#include "report/facts/totals.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

// ---- of a value ----

/// The value's text with how far it is known: "0.5 s", "at least 0.5 s", "unknown".
std::string told_text(const Completeness& completeness, MetricIndex metric, std::int64_t value,
                      const std::string& value_text);

// ---- of the whole ----

/// "rank 2, rank 3 from 0.414 s on, and 7 more"; "" if no location lacks events.
std::string missing_text(const Completeness& completeness);
/// A note for a trace in which locations lack events: a call that waits for several may have waited longest for one of
/// them.
inline constexpr std::string_view named_culprits =
    "the location named for a wait is the last of those whose events are in the trace";
/// "Missing: the events of rank 2; …" with named_culprits; "" if no location lacks events.
std::string missing_sentence(const Completeness& completeness);
/// "This is only about what happens inside solve."; "" if the result is about the whole run.
std::string focus_sentence(const Completeness& completeness);
/// Everything that limits what the report says, each as a sentence: focus, patterns that ran (only if `patterns`),
/// missing locations.
std::vector<std::string> limits(const Completeness& completeness, bool patterns = true);
/// The locations whose values are added up: "in all locations together", "on rank 1", "in 2 of 4
/// locations together".
std::string where(const Completeness& completeness);

// ---- of the trace ----

/// The section "Unknown in this trace", and that of time in which no pattern looked for waiting; "" without either.
std::string not_told(const Completeness& completeness, const Totals& totals, const Style& style);
/// Heading of the section of unknown metrics.
std::string not_told_heading(const Completeness& completeness);
/// A sentence for a trace without damage: nothing is lost and there are no anomalies, as far as that is known.
std::string nothing_damaged(const Completeness& completeness);
/// A sentence for a trace that has only anomalies: nothing is lost, as far as that is known.
std::string nothing_lost(const Completeness& completeness);
/// Headings of the lists of losses and of anomalies: "Missing from the results", or, if only a part of the run is
/// analysed, "Missing from the whole trace".
std::string lost_heading(const Completeness& completeness);
std::string odd_heading(const Completeness& completeness);

/// A note that not all values of these metrics (empty: of all metrics) are known, for a table for other programs, which
/// has no place for it. "" if they are known.
std::string table_note(const AnalysisResult& result, const std::vector<MetricIndex>& metrics = {});

}  // namespace waitstate::report

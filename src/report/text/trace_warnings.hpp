// What is missing from a trace or odd about it, for people: each kind as its sentence with count and first places.
#pragma once

#include <string>

#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Two sections, losses first, then what is merely odd; a line saying that nothing is, where nothing is. Times of
/// places are seconds since the first event of the trace. Ends in '\n'.
std::string trace_warnings_text(const AnalysisResult& result, const Style& style);

/// True for a report that was made without the events of its trace at hand, as CUBE reports are: it says nothing of
/// damage, nor of who waited for whom. A trace that has no events is none; its damage says so.
bool without_events(const AnalysisResult& result);

/// The same as comments ahead of a listing, which must not be taken for the whole: one line a kind, each behind "# ";
/// empty if there is nothing to say.
std::string trace_warning_comments(const Diagnostics& diagnostics);

}  // namespace waitstate::report

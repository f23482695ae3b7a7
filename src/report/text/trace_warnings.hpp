// The damage and the oddities of a trace, for people: each kind as its sentence with count and first places.
#pragma once

#include <string>

#include "report/facts/completeness.hpp"
#include "report/format/layout.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Two sections, losses first, then what is merely odd; a line saying that nothing is, where nothing is and that may be
/// said (completeness.hpp). Times of places are seconds since the first event of the trace. Ends in '\n'.
std::string trace_warnings_text(const AnalysisResult& result, const Style& style);
/// Losses and oddities in a line each, without places but for the locations that are missing.
std::string trace_warnings_in_short(const AnalysisResult& result, const Style& style);

/// Losses and oddities as comments ahead of a listing, which must not be taken for the whole: one line a kind, each
/// behind "# "; empty if there is nothing to say.
std::string trace_warning_comments(const Diagnostics& diagnostics);

}  // namespace waitstate::report

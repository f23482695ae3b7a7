// The calls that still waited when the trace ended, for whom they waited, and which of them keep each other back for
// ever: in a run that hung nothing else matters, so this stands before everything else.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/format/layout.hpp"
#include "report/format/units.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// Deadlocks first, then operations that do not fit each other, then the places, those with most locations first, at
/// most `most` of each. Ends in '\n'; "" if every call ended.
std::string open_calls_text(const AnalysisResult& result, const Seconds& seconds, std::size_t most, const Style& style);

/// These as sentences, each with its lead: "Deadlock: rank 0 waits for rank 1, and rank 1 for rank 0.". Call paths have
/// at most `path_width` columns. Empty if every call ended.
std::vector<std::string> open_calls_sentences(const AnalysisResult& result, const Seconds& seconds, std::size_t most,
                                              std::size_t path_width);

/// "for a message from rank 1 (tag 7)"; "" if it is not known.
std::string waits_for(const AnalysisResult& result, const OpenCall& call);
/// "on MPI_COMM_WORLD, rank 0 is in MPI_Barrier and rank 1 is in MPI_Bcast: …": operations for which all members of a
/// communicator have come, but not to the same one; at most `most`.
std::vector<std::string> mismatched_operations(const AnalysisResult& result, std::size_t most);
/// "rank 0 waits for rank 1, and rank 1 for rank 0".
std::string deadlock_sentence(const AnalysisResult& result, const std::vector<LocationId>& circle);

}  // namespace waitstate::report

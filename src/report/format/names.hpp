// The names of processes and locations in reports: rank and thread where the trace has them, else the recorder's name.
#pragma once

#include <string>

#include "waitstate/analysis.hpp"

namespace waitstate::report {

/// "rank 2"; without a rank the recorded name, else "process 2".
std::string process_label(const Definitions& definitions, ProcessId process);
/// "rank 2", "rank 2 thread 1", "rank 2 CUDA[0:7]".
std::string location_label(const Definitions& definitions, LocationId location);
/// Call path with printable names.
std::string callpath_label(const AnalysisResult& result, CallPathId callpath);

/// File and first line of a region, "halo.c:120"; empty if the trace does not tell them.
std::string region_source(const AnalysisResult& result, RegionId region);
/// Where the code of a call path is: file and first line of the last function of it whose place is known,
/// "halo.c:120"; empty if the trace tells none. The call of a library function is in the function above it.
std::string callpath_source(const AnalysisResult& result, CallPathId callpath);

/// Time of the first event of the trace, 0 if it has none.
Time first_event(const AnalysisResult& result);
/// Ticks from the first event of the trace to a time; 0 before it.
Ticks ticks_since_first(const AnalysisResult& result, Time time);

/// Number of processes that are neither accelerators nor without a location.
std::int64_t process_count(const Definitions& definitions);

}  // namespace waitstate::report

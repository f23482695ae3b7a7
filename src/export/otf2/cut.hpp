// A part of a trace as an OTF2 archive of its own: chosen locations and times, with all wait states found there as
// markers. archive_writer.hpp describes the format.
//
// A part cannot say everything in the same way as the whole trace:
// - Regions that are open where it begins are entered there, and those that are open where it ends are left there.
// - A receive whose send lies before the part, or on a location that is not in it, is left out: or it would be matched
// with
//   a later send of its channel. The same holds for the end of a request that was started before.
// - Members of a collective operation are told apart by their number. So an operation that some location had begun
// before
//   the part is left out on all of them.
// - Messages that are not received in it, operations and tasks that end behind it remain incomplete, and an analysis of
// the
//   part counts them.
#pragma once

#include <cstdint>
#include <filesystem>

#include "access/event_stream.hpp"
#include "export/shown_waits.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::exports {

struct CutSummary {
  std::uint64_t events = 0, waits = 0;
  std::uint64_t receives_left_out = 0, operations_left_out = 0, without_record = 0;
};

/// Writes the part of the trace that the focus of `result` has, to a folder that must not exist and appears complete or
/// not at all. Throws TraceError, OutputError.
CutSummary write_cut(const AnalysisResult& result, ShownWaits& waits, access::EventStreamOptions reading,
                     const std::filesystem::path& folder);

}  // namespace waitstate::exports

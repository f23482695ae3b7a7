// Questions about a trace that are answered before it is analysed, by reading a little of it.
#pragma once

#include <cstdint>
#include <filesystem>

#include "waitstate/trace/ids.hpp"

namespace waitstate::pass {

/// Where the time of a trace begins.
struct TraceStart {
  Time first = 0;  ///< time of the first event in ticks, 0 if there is none
  std::uint64_t resolution = 1;
};
/// Throws TraceError if nothing of the trace can be read.
TraceStart trace_start(const std::filesystem::path& trace);

/// True if an event of the trace has an attribute list, which is not there unless it is asked for: of an archive; those
/// of a text always are. Decodes the trace up to the first one. Throws TraceError if nothing of the trace can be read.
bool leaves_out_lists(const std::filesystem::path& trace);

}  // namespace waitstate::pass

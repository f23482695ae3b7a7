// A timeline for Perfetto: everything that a trace has, and all waits with their culprits, as `waitstate export` writes
// it. track_events.hpp describes the format, tracks.hpp where things are.
//
// The trace is read twice: first analysed, with a log of all waits, then for its events, which are written as they
// come. So memory does not grow with the trace, and it is known beforehand which events belong to waits. Where the file
// would become larger than `most_bytes`, the trace is read once between, to learn how much would be saved by leaving
// out what.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "access/event_stream.hpp"
#include "export/perfetto/event_writer.hpp"
#include "export/shown_waits.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate::exports {

struct PerfettoOptions {
  Shown::Messages messages = Shown::Messages::all;
  bool counters = true;
  double shortest_seconds = 0;             ///< shorter region instances are left out, unless they are around waits
  std::size_t around = 0;                  ///< only that many of the worst instances, and what surrounds them; 0: all
  std::uint64_t most_bytes = 400'000'000;  ///< size of the file, not compressed
  access::EventStreamOptions reading{};
};

struct PerfettoSummary {
  EventCounts events{};
  std::uint64_t waits = 0, packets = 0, bytes = 0;
  std::uint64_t messages_without_order = 0;  ///< left out, as damaged time stamps put the receive before the send
  std::vector<std::string> left_out;         ///< descriptions in words
  bool too_large = false;                    ///< although all has been left out that may be
};

/// `result`: of the trace, with the details that AnalysisOptions keeps; `waits`: that were logged meanwhile. Throws
/// TraceError, OutputError.
PerfettoSummary write_perfetto(const AnalysisResult& result, ShownWaits& waits, const PerfettoOptions& options,
                               std::ostream& out);

}  // namespace waitstate::exports

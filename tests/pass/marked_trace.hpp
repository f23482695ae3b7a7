// A trace that has been read in turns, with an index of where it was at which time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "pass/event_index.hpp"
#include "pass/trace_input.hpp"
#include "support/case_file.hpp"

namespace waitstate::pass {

struct MarkedTrace {
  /// Reads all locations, so many events at a time. The index works as for a trace of `counted_locations`.
  explicit MarkedTrace(const std::string& text, std::size_t events_at_a_time = 1000, std::size_t counted_locations = 1)
      : file(text), input(file.path()), index(std::max(counted_locations, input.definitions().locations.size())) {
    std::vector<LocationId> locations;
    for (std::size_t l = 0; l < input.definitions().locations.size(); ++l) locations.emplace_back(l);
    const auto readers = input.reader_group(locations, false, 4);
    for (const LocationId l : locations) {
      replay::LocationReplay replay(input.definitions(), l, {});
      replay::Chunk chunk;
      replay.begin(chunk);
      std::uint64_t events = 0;
      do index.note(l, *readers, replay, events);
      while ((events += readers->read(l, replay, events_at_a_time)) != 0 && !readers->at_end(l));
      index.note(l, *readers, replay, events);
      replay.end(true);
    }
  }

  support::TraceFile file;
  TraceInput input;
  EventIndex index;
};

/// A location that is in main, and enters and leaves the region `work` so many times: at 10 and 15, at 20 and 25 …
inline std::string busy_location(std::size_t visits) {
  std::string trace = "region 0 name=main\nregion 1 name=work\n0 0 enter main\n";
  for (std::size_t i = 1; i <= visits; ++i)
    trace += "0 " + std::to_string(10 * i) + " enter work\n0 " + std::to_string(10 * i + 5) + " exit\n";
  return trace + "0 " + std::to_string(10 * visits + 10) + " exit\n";
}

}  // namespace waitstate::pass

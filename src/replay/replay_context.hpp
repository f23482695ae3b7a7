// The common context of all parts of one location's replay: which location it is, what is asked for, the chunk that is
// filled at the moment, how many events there were, and what was found odd. It has no behaviour; each part gets it by
// reference.
#pragma once

#include <array>
#include <cstdint>

#include "replay/chunk/chunk.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"
#include "waitstate/trace/event_type.hpp"

namespace waitstate::replay {

struct ReplayOptions {
  bool keep_events = false;           ///< fill Chunk::events
  bool keep_attribute_lists = false;  ///< with keep_events: attribute lists too
  bool mpi_calls = false;             ///< fill Chunk::mpi_enters and mpi_exits
  Time from = 0, to = ~Time{0};       ///< time that profiles cover; see Focus
  bool counters = false;              ///< add up METRIC events
  bool device_calls = false;          ///< fill Chunk::device_records
  bool searches = false;              ///< calls that look for a message have records
  bool work = false;                  ///< fill Chunk::work_cuts, work_shares and work_marks
  bool steps = false;                 ///< fill Chunk::steps
  bool work_to_end_of_team = false;   ///< with what threads do after their last barrier too
};

struct ReplayContext {
  ReplayContext(const Definitions& d, LocationId l, const ReplayOptions& o = {})
      : definitions(d), location(l), options(o) {}

  std::uint64_t count(EventType type) const { return counts[static_cast<std::size_t>(type)]; }
  /// Enters and exits of regions and programs, in whatever way they are recorded.
  std::uint64_t stack_events() const {
    return count(EventType::enter) + count(EventType::exit) + count(EventType::program_begin) +
           count(EventType::program_end) + count(EventType::calling_context_enter) +
           count(EventType::calling_context_exit);
  }

  /// Number of the next call or mark of the location: never 0, the number of calls that come from elsewhere.
  std::uint16_t next_number() {
    if (++last_number == 0) ++last_number;
    return last_number;
  }

  const Definitions& definitions;
  const LocationId location;
  const ReplayOptions options;
  Chunk* chunk = nullptr;  ///< chunk that events go into
  std::array<std::uint64_t, event_type_count> counts{};
  std::uint16_t last_number = 0;
  Diagnostics diagnostics;
};

}  // namespace waitstate::replay

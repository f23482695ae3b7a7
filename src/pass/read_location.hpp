// Facts that remain of locations when they have been read, each for itself, and the damage that was found there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "pass/time_damage.hpp"
#include "waitstate/trace/definitions.hpp"
#include "waitstate/trace/diagnostics.hpp"

namespace waitstate::pass {

struct ReadLocation {
  std::uint64_t events = 0;
  Time first_time = 0, last_time = 0;  ///< times of its first and last event
  bool ended_in_region = false;        ///< regions were still open at its last event
  CallPathId last_callpath;            ///< the innermost of these; none if there was none
  Time last_enter = 0;                 ///< enter of the innermost region
  std::vector<StringId> command;       ///< program and arguments; empty if it does not record them

  template <class Archive>
  void travel(Archive& archive) {
    archive(events, first_time, last_time, ended_in_region, last_callpath, last_enter, command);
  }
};

/// Damage that readers and replays found in the locations of one or of several workers.
struct Damage {
  Diagnostics diagnostics;
  std::vector<TimeSpan> spans;

  void join(const Damage& other) {
    diagnostics.merge(other.diagnostics);
    spans.insert(spans.end(), other.spans.begin(), other.spans.end());
  }
  template <class Archive>
  void travel(Archive& archive) {
    archive(diagnostics, spans);
  }
  /// When it has that of all locations: adds it, and what the times of all say, to the diagnostics of the input.
  void finish(const Clock& clock, const Diagnostics& of_input, Diagnostics& to) {
    to.merge(of_input);
    to.merge(diagnostics);
    std::sort(spans.begin(), spans.end(), [](const TimeSpan& a, const TimeSpan& b) { return a.location < b.location; });
    find_time_damage(clock, spans, to);
  }
};

}  // namespace waitstate::pass

// The analysis of a whole trace in one pass, and its result.
//
//   waitstate::AnalysisResult r = waitstate::analyze("scorep_run/traces.otf2");
//   for (const waitstate::SeverityRow& row : r.table()) …
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "waitstate/call_tree.hpp"
#include "waitstate/definitions.hpp"
#include "waitstate/diagnostics.hpp"
#include "waitstate/event_type.hpp"
#include "waitstate/metrics.hpp"
#include "waitstate/pattern.hpp"
#include "waitstate/severities.hpp"

namespace waitstate {

struct AnalysisOptions {
  unsigned threads = 0;          ///< 0: one per core, at most 8
  std::size_t chunk_events = 0;  ///< events decoded of a location at a time; 0: chosen by the number of locations
  std::vector<PatternHandle> patterns;  ///< to run beside the built-in ones
  bool built_in = true;                 ///< run the built-in patterns
  /// Called from time to time, from any thread but never from two at once: events analysed so far, events that the
  /// definitions announce (an estimate, may be 0).
  std::function<void(std::uint64_t done, std::uint64_t announced)> progress;
};

/// Who made whom wait: culprit location, waiting location → ticks and instances.
struct WaitPair {
  std::uint64_t count = 0;
  Ticks ticks = 0;
};
using WaitPairs = std::map<std::pair<LocationId, LocationId>, WaitPair>;

struct LocationSummary {
  std::uint64_t events = 0;
  Time first_time = 0, last_time = 0;  ///< ticks; both 0 if the location has no events
};

struct AnalysisResult {
  std::string path;  ///< of the anchor or notation file
  Definitions definitions;
  CallTree call_tree;
  MetricTree metrics;
  Severities severities{0};
  Diagnostics diagnostics;
  std::vector<LocationSummary> locations;  ///< by LocationId
  std::array<std::uint64_t, event_type_count> events_by_type{};
  std::uint64_t messages = 0;              ///< matched
  std::map<MetricIndex, WaitPairs> waits;  ///< per wait state

  std::uint64_t events() const;
  /// From the first to the last event of the trace, in ticks.
  Ticks duration() const;
  double seconds(std::int64_t ticks) const {
    return static_cast<double>(ticks) / static_cast<double>(definitions.clock.resolution);
  }
  /// All severities that are not zero, sorted; see severity_table().
  std::vector<SeverityRow> table() const { return severity_table(metrics, call_tree, severities); }
};

/// Analyses an OTF2 archive (anchor file, or a directory with one) or a notation file in one pass with all patterns.
/// Throws TraceError if nothing of it can be read, PatternError if a pattern fails.
AnalysisResult analyze(const std::filesystem::path& trace, const AnalysisOptions& options = {});

}  // namespace waitstate

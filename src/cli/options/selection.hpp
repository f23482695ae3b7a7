// Options that choose a part of a run: locations and a time window, as the user writes them and as the analysis needs
// them.
//
// Times on the command line are seconds since the first event of the trace, whose absolute time is known only from the
// events; so one event of each location is read before the analysis starts. That costs two reads a location, and only
// if a window was given.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "pass/trace_probe.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/rma.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate::cli {

struct TimeWindow {
  static constexpr double unlimited = std::numeric_limits<double>::infinity();
  std::pair<double, double> seconds{-unlimited, unlimited};  ///< both included
  bool all() const { return seconds.first == -unlimited && seconds.second == unlimited; }
  /// Throws UsageError unless FROM <= TO.
  void check() const;
};

/// The locations and the time window of a trace, for an analysis. Throws TraceError if a window is given and nothing of
/// the trace can be read.
Focus chosen_focus(const std::string& trace, const std::vector<std::size_t>& locations, const TimeWindow& time);

/// Time in ticks that lies `seconds` after the start, rounded up or down; if it lies outside of the range, its nearest
/// end.
Time tick_at(const pass::TraceStart& start, double seconds, bool round_up);

/// Numbers of locations from words like "3" and "0-7", each once, ascending. Throws UsageError.
std::vector<std::size_t> location_numbers(const std::vector<std::string>& words);
/// Throws UsageError if a number is not below `count`.
void check_locations(const std::vector<std::size_t>& numbers, std::size_t count);

/// The names of models of transfers: auto, basic and extended.
extern const std::vector<std::string> rma_models;
/// The model with this name. Throws UsageError.
RmaModel rma_model(const std::string& word);

}  // namespace waitstate::cli

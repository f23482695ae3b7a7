// Selects the call paths, locations and times that a run reports (AnalysisOptions::focus). Everything is read and
// matched all the same; the engine asks here before it charges anything. Without a focus, that is one test of a flag.
// Severities are charged for all locations and removed at the end, because a worker's idle time follows from its
// master's.
#pragma once

#include <algorithm>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate::analysis {

class FocusFilter {
 public:
  /// Throws UsageError if the region or a location is not in the trace.
  FocusFilter(const Focus& focus, const Definitions& definitions, const CallTree& call_tree);

  bool has(CallPathId callpath, LocationId location) {
    return everywhere_ || (has_location(location) && is_below_region(callpath));
  }
  bool has_callpath(CallPathId callpath) { return everywhere_ || is_below_region(callpath); }
  bool has_location(LocationId location) const { return locations_.empty() || locations_[location.index()]; }
  const Focus& focus() const { return focus_; }
  bool has_all_locations() const { return locations_.empty(); }
  bool has_all_times() const { return focus_.from == 0 && focus_.to == ~Time{0}; }
  bool has(Time t) const { return t >= focus_.from && t < focus_.to; }
  /// The part of [from, to) that lies in the chosen time, in ticks; 0 if the interval ends before it begins.
  Ticks duration(Time from, Time to) const {
    from = std::max(from, focus_.from), to = std::min(to, focus_.to);
    return to > from ? static_cast<Ticks>(to - from) : 0;
  }
  /// Cuts the wait to the chosen time; false if nothing is left of it.
  bool cut(Wait& wait) const;

 private:
  bool is_below_region(CallPathId callpath);

  const Focus& focus_;
  const CallTree& call_tree_;
  const bool everywhere_;
  std::vector<bool> regions_;    ///< regions of the chosen name; empty if no region was chosen
  std::vector<bool> locations_;  ///< empty means all
  std::vector<bool> callpaths_;  ///< call paths that have been decided so far
};

/// Throws UsageError, with the run's length, if no time stamp from `first` to `last` lies in the chosen time.
void expect_overlap(const Focus& focus, Time first, Time last, const Clock& clock);

}  // namespace waitstate::analysis

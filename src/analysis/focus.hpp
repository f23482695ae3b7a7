// Which call paths, locations and times a run is asked to report (AnalysisOptions::focus). Everything is read and
// matched all the same; the engine asks here before it books anything. Without a focus that is one test of a flag.
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
    return everywhere_ || (has_location(location) && has_callpath(callpath));
  }
  bool has(Time t) const { return t >= focus_.from && t < focus_.to; }
  /// How much of [from, to) lies in the chosen time; 0 if it ends before it begins.
  Ticks duration(Time from, Time to) const {
    from = std::max(from, focus_.from), to = std::min(to, focus_.to);
    return to > from ? static_cast<Ticks>(to - from) : 0;
  }
  /// The part of the wait that lies in the chosen time; false if nothing is left of it.
  bool cut(Wait& wait) const;

 private:
  bool has_location(LocationId location) const { return locations_.empty() || locations_[location.index()]; }
  bool has_callpath(CallPathId callpath);

  const Focus& focus_;
  const CallTree& call_tree_;
  const bool everywhere_;
  std::vector<bool> regions_;    ///< those of the asked name; empty: no region was asked for
  std::vector<bool> locations_;  ///< empty: all
  std::vector<bool> callpaths_;  ///< decided so far
};

}  // namespace waitstate::analysis

#include "analysis/focus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::analysis {

FocusFilter::FocusFilter(const Focus& focus, const Definitions& definitions, const CallTree& call_tree)
    : focus_(focus), call_tree_(call_tree), everywhere_(focus.region.empty() && focus.locations.empty()) {
  if (!focus.region.empty()) {
    regions_.resize(definitions.regions.size());
    std::vector<std::string_view> names;
    bool found = false;
    for (std::size_t r = 0; r < regions_.size(); ++r) {
      names.push_back(definitions.regions[r].name);
      regions_[r] = definitions.regions[r].name == focus.region;
      found = found || regions_[r];
    }
    if (!found) {
      const std::string near = util::nearest(focus.region, names);
      throw UsageError("the trace has no region '" + focus.region + "'" +
                       (near.empty() ? "" : ": did you mean '" + near + "'?"));
    }
  }
  if (!focus.locations.empty()) {
    locations_.resize(definitions.locations.size());
    for (LocationId l : focus.locations) {
      if (l.index() >= locations_.size())
        throw UsageError("the trace has no location " + std::to_string(l.value) + ": they are numbered from 0 to " +
                         std::to_string(locations_.size() - 1));
      locations_[l.index()] = true;
    }
  }
  if (focus.from >= focus.to) throw UsageError("the chosen time ends before it begins");
}

// Parents have smaller ids than their children, so the answer is there for the parent when it is asked for a child.
bool FocusFilter::is_below_region(CallPathId callpath) {
  if (regions_.empty()) return true;
  while (callpaths_.size() <= callpath.index()) {
    const CallPath& p = call_tree_[CallPathId{callpaths_.size()}];
    callpaths_.push_back((p.region.valid() && regions_[p.region.index()]) ||
                         (p.parent.valid() && callpaths_[p.parent.index()]));
  }
  return callpaths_[callpath.index()];
}

bool FocusFilter::cut(Wait& w) const {
  const Time end = std::min(w.begin + static_cast<Time>(w.ticks), focus_.to), begin = std::max(w.begin, focus_.from);
  if (end <= begin) return false;
  w.begin = begin;
  w.ticks = static_cast<Ticks>(end - begin);
  return true;
}

void expect_overlap(const Focus& focus, Time first, Time last, const Clock& clock) {
  if (focus.from <= last && (focus.to > first || focus.to == ~Time{0})) return;
  const auto seconds = [&](Time t) {
    const double ticks = t >= first ? static_cast<double>(t - first) : -static_cast<double>(first - t);
    return ticks / static_cast<double>(clock.resolution);
  };
  const std::string chosen = focus.from == 0 ? fmt::format("up to {:.9g} s", seconds(focus.to - 1))
                             : focus.to == ~Time{0}
                                 ? fmt::format("from {:.9g} s on", seconds(focus.from))
                                 : fmt::format("from {:.9g} s to {:.9g} s", seconds(focus.from), seconds(focus.to - 1));
  throw UsageError(fmt::format(
      "the chosen time, {} after the first event, lies outside of the run, which is {:.{}f} s long (ticks {} "
      "to {})",
      chosen, seconds(last), seconds(last) < 0.1 ? 9 : 6, first, last));
}

}  // namespace waitstate::analysis

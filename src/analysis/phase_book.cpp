#include "analysis/phase_book.hpp"

#include <algorithm>
#include <string_view>

#include "util/nearest.hpp"
#include "waitstate/error.hpp"

namespace waitstate::analysis {

PhaseBook::PhaseBook(pass::TraceInput& input, const std::string& region) {
  const Definitions& definitions = input.definitions();
  std::vector<bool> regions(definitions.regions.size());
  std::vector<std::string_view> names;
  for (std::size_t r = regions.size(); r-- > 0;) {
    names.push_back(definitions.regions[r].name);
    regions[r] = definitions.regions[r].name == region;
    if (regions[r]) phases_.region = RegionId{r};
  }
  if (!phases_.region.valid()) {
    const std::string near = util::nearest(region, names);
    throw UsageError("the trace has no region '" + region + "' whose visits could be phases" +
                     (near.empty() ? "" : ": did you mean '" + near + "'?"));
  }
  visits_ = pass::find_visits(input, regions);
  for (const auto& of_location : visits_) phases_.visits = std::max<std::uint64_t>(phases_.visits, of_location.size());
  while ((phases_.visits + phases_.visits_per_phase - 1) / phases_.visits_per_phase > Phases::max_phases)
    phases_.visits_per_phase *= 2;
  phases_.phases.resize((phases_.visits + phases_.visits_per_phase - 1) / phases_.visits_per_phase);
  for (std::size_t l = 0; l < visits_.size(); ++l) {
    whose_.push_back(static_cast<std::uint32_t>(l));
    const ProcessId process = definitions.locations[l].process;
    if (!visits_[l].empty() || !process.valid()) continue;
    for (const LocationId other : definitions[process].locations)
      if (!visits_[other.index()].empty()) {
        whose_.back() = other.value;
        break;
      }
  }
}

void PhaseBook::add(MetricIndex metric, LocationId location, Time begin, Ticks ticks) {
  const std::vector<pass::Visit>& visits = visits_[whose_[location.index()]];
  const auto next =
      std::upper_bound(visits.begin(), visits.end(), begin, [](Time t, const pass::Visit& v) { return t < v.enter; });
  if (next == visits.begin() || begin >= (next - 1)->exit) return;
  const auto phase = static_cast<std::size_t>(next - 1 - visits.begin()) / phases_.visits_per_phase;
  if (metric >= waits_.size()) waits_.resize(metric + 1);
  if (waits_[metric].empty()) waits_[metric].resize(phases_.phases.size());
  waits_[metric][phase] = add_ticks(waits_[metric][phase], static_cast<std::uint64_t>(ticks));
}

Phases PhaseBook::finish() const {
  Phases made = phases_;
  for (std::size_t p = 0; p < made.phases.size(); ++p) {
    Phases::Phase& phase = made.phases[p];
    phase.begin = ~Time{0};
    for (const std::vector<pass::Visit>& visits : visits_) {
      Ticks ticks = 0, computation = 0;
      const std::size_t first = p * made.visits_per_phase,
                        last = std::min<std::size_t>(first + made.visits_per_phase, visits.size());
      if (first >= last) continue;
      for (std::size_t v = first; v < last; ++v) {
        ticks = add_ticks(ticks, visits[v].exit - visits[v].enter);
        computation = add_ticks(computation, static_cast<std::uint64_t>(visits[v].computation));
      }
      phase.begin = std::min(phase.begin, visits[first].enter);
      phase.end = std::max(phase.end, visits[last - 1].exit);
      ++phase.locations;
      phase.ticks = add_ticks(phase.ticks, static_cast<std::uint64_t>(ticks));
      phase.longest = std::max(phase.longest, ticks);
      phase.computation = add_ticks(phase.computation, static_cast<std::uint64_t>(computation));
      phase.largest_computation = std::max(phase.largest_computation, computation);
    }
    for (MetricIndex m = 0; m < waits_.size(); ++m)
      if (!waits_[m].empty() && waits_[m][p] != 0) phase.waits[m] = waits_[m][p];
  }
  return made;
}

}  // namespace waitstate::analysis

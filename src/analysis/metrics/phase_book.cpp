#include "analysis/metrics/phase_book.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

#include "pass/time_bins.hpp"
#include "pass/visits.hpp"
#include "util/nearest.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"

namespace waitstate::analysis {
namespace {

/// The regions of that name, by number. Throws UsageError if there is none.
std::vector<bool> regions_of(const Definitions& definitions, const std::string& region) {
  std::vector<bool> regions;
  std::vector<std::string_view> names;
  for (const Region& r : definitions.regions) {
    names.push_back(r.name);
    regions.push_back(r.name == region);
  }
  if (std::find(regions.begin(), regions.end(), true) != regions.end()) return regions;
  const std::string near = util::nearest(region, names);
  throw UsageError("the trace has no region '" + region + "' whose visits could be phases" +
                   (near.empty() ? "" : ": did you mean '" + near + "'?"));
}

/// A wait belongs to the visit in which it began; a wait of a thread that never enters the region belongs to the visit
/// of the first thread of its process that does. Cost: a search among a location's visits for each wait.
class VisitPhases final : public PhaseBook {
 public:
  VisitPhases(pass::TraceInput& input, const std::string& region) {
    const Definitions& definitions = input.definitions();
    const std::vector<bool> regions = regions_of(definitions, region);
    for (std::size_t r = regions.size(); r-- > 0;)
      if (regions[r]) phases_.region = RegionId{r};
    visits_ = std::make_shared<const Visits>(pass::find_visits(input, regions));
    for (const auto& of_location : *visits_)
      phases_.visits = std::max<std::uint64_t>(phases_.visits, of_location.size());
    while ((phases_.visits + phases_.visits_per_phase - 1) / phases_.visits_per_phase > Phases::max_phases)
      phases_.visits_per_phase *= 2;
    phases_.phases.resize((phases_.visits + phases_.visits_per_phase - 1) / phases_.visits_per_phase);
    for (std::size_t l = 0; l < visits_->size(); ++l) {
      whose_.push_back(static_cast<std::uint32_t>(l));
      const ProcessId process = definitions.locations[l].process;
      if (!(*visits_)[l].empty() || !process.valid()) continue;
      for (const LocationId other : definitions[process].locations)
        if (!(*visits_)[other.index()].empty()) {
          whose_.back() = other.value;
          break;
        }
    }
    for (std::size_t p = 0; p < phases_.phases.size(); ++p) add_up(p);
  }

  void add(MetricIndex metric, const Wait& wait) override {
    const std::vector<pass::Visit>& visits = (*visits_)[whose_[wait.location.index()]];
    const auto next = std::upper_bound(visits.begin(), visits.end(), wait.begin,
                                       [](Time t, const pass::Visit& v) { return t < v.enter; });
    if (next == visits.begin() || wait.begin >= (next - 1)->exit) return;
    count(metric, static_cast<std::size_t>(next - 1 - visits.begin()) / phases_.visits_per_phase, wait,
          static_cast<std::uint64_t>(wait.ticks));
  }
  std::unique_ptr<PhaseBook> another() const override {
    return std::unique_ptr<PhaseBook>(new VisitPhases(phases_, visits_, whose_));
  }

 private:
  using Visits = std::vector<std::vector<pass::Visit>>;

  VisitPhases(const Phases& phases, std::shared_ptr<const Visits> visits, const std::vector<std::uint32_t>& whose)
      : PhaseBook(phases), visits_(std::move(visits)), whose_(whose) {}

  void add_up(std::size_t p) {
    Phases::Phase& phase = phases_.phases[p];
    phase.begin = ~Time{0};
    for (const std::vector<pass::Visit>& visits : *visits_) {
      Ticks ticks = 0, computation = 0;
      const std::size_t first = p * phases_.visits_per_phase,
                        last = std::min<std::size_t>(first + phases_.visits_per_phase, visits.size());
      if (first >= last) continue;
      for (std::size_t v = first; v < last; ++v) {
        ticks = add_ticks(ticks, visits[v].exit - visits[v].enter);
        computation = add_ticks(computation, static_cast<std::uint64_t>(visits[v].computation));
      }
      phase.begin = std::min(phase.begin, visits[first].enter);
      phase.end = std::max(phase.end, visits[last - 1].exit);
      phase.add_location(ticks, computation);
    }
  }

  std::shared_ptr<const Visits> visits_;  ///< indexed by location
  std::vector<std::uint32_t> whose_;      ///< by location: the location whose visits count
};

/// Stretches of time of equal length, up to a tick. A wait counts in each stretch as far as it lies there.
class TimePhases final : public PhaseBook {
 public:
  TimePhases(pass::TraceInput& input, std::size_t wanted, const Focus& focus) {
    auto [from, to] = pass::event_span(input);
    from = std::max(from, focus.from);
    to = std::min(to, focus.to);
    phases_.visits_per_phase = 1;
    if (from >= to) return;
    const Time length = to - from, n = std::min<Time>(wanted, length);
    for (Time k = 0; k <= n; ++k) bounds_.push_back(from + length / n * k + length % n * k / n);
    phases_.visits = n;
    phases_.phases.resize(n);
    for (std::size_t p = 0; p < n; ++p) phases_.phases[p].begin = bounds_[p], phases_.phases[p].end = bounds_[p + 1];
    const Definitions& definitions = input.definitions();
    pass::times_in_bins(input, bounds_, [&](LocationId l, std::span<const pass::BinTimes> bins) {
      if (definitions[l].type != LocationType::cpu_thread) return;
      if (!focus.locations.empty() &&
          std::find(focus.locations.begin(), focus.locations.end(), l) == focus.locations.end())
        return;
      for (std::size_t p = 0; p < bins.size(); ++p)
        if (bins[p].in_regions > 0) phases_.phases[p].add_location(bins[p].in_regions, bins[p].computation);
    });
  }

  void add(MetricIndex metric, const Wait& wait) override {
    if (wait.ticks <= 0 || bounds_.empty()) return;
    const auto next = std::upper_bound(bounds_.begin(), bounds_.end(), wait.begin);
    const auto bin = static_cast<std::size_t>(next - bounds_.begin()) - (next == bounds_.begin() ? 0 : 1);
    pass::spread_over_bins(bounds_, bin, wait.begin, wait.begin + static_cast<Time>(wait.ticks),
                           [&](std::size_t phase, Time part) { count(metric, phase, wait, part); });
  }
  std::unique_ptr<PhaseBook> another() const override {
    return std::unique_ptr<PhaseBook>(new TimePhases(phases_, bounds_));
  }

 private:
  TimePhases(const Phases& phases, const std::vector<Time>& bounds) : PhaseBook(phases), bounds_(bounds) {}

  std::vector<Time> bounds_;
};

/// The number in "time:20"; nothing for the name of a region.
std::optional<std::size_t> stretches_of(const std::string& phase) {
  constexpr std::string_view lead = "time:";
  if (!phase.starts_with(lead) || phase.size() == lead.size() ||
      phase.find_first_not_of("0123456789", lead.size()) != std::string::npos)
    return std::nullopt;
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(phase.data() + lead.size(), phase.data() + phase.size(), n);
  if (error != std::errc{} || n == 0 || n > Phases::max_phases)
    throw UsageError("phase '" + phase + "': expected a number of stretches of time from 1 to " +
                     std::to_string(Phases::max_phases) + ", e.g. time:20");
  return n;
}

/// Adds a place to those that have the largest sums, the largest first, if it is one of them; of equal ones, the one
/// that is `before` the other comes first.
template <class Id, class Before>
void add_place(std::vector<std::pair<Id, Ticks>>& largest, Id place, Ticks ticks, const Before& before) {
  const auto at = std::find_if(largest.begin(), largest.end(), [&](const auto& other) {
    return ticks != other.second ? ticks > other.second : before(place, other.first);
  });
  if (at == largest.end() && largest.size() == Phases::max_places) return;
  largest.emplace(at, place, ticks);
  if (largest.size() > Phases::max_places) largest.pop_back();
}

}  // namespace

void PhaseBook::count(MetricIndex metric, std::size_t phase, const Wait& wait, std::uint64_t ticks) {
  if (metric >= waits_.size()) waits_.resize(metric + 1);
  if (waits_[metric].empty()) waits_[metric].resize(phases_.phases.size());
  waits_[metric][phase] = add_ticks(waits_[metric][phase], ticks);
  if (ticks == 0) return;
  if (wait.callpath.valid()) places_.add(key(metric, phase, Place::callpath, wait.callpath.value), ticks);
  places_.add(key(metric, phase, Place::location, wait.location.value), ticks);
}

void PhaseBook::merge(PhaseBook& other) {
  for (MetricIndex m = 0; m < other.waits_.size(); ++m) {
    if (other.waits_[m].empty()) continue;
    if (m >= waits_.size()) waits_.resize(m + 1);
    if (waits_[m].empty()) waits_[m].resize(phases_.phases.size());
    for (std::size_t p = 0; p < waits_[m].size(); ++p)
      waits_[m][p] = add_ticks(waits_[m][p], static_cast<std::uint64_t>(other.waits_[m][p]));
  }
  other.places_.each([&](std::uint64_t key, std::uint64_t sum) { places_.add(key, sum); });
}

Phases PhaseBook::finish(const CallPathOrder& order) {
  Phases made = phases_;
  for (std::size_t p = 0; p < made.phases.size(); ++p)
    for (MetricIndex m = 0; m < waits_.size(); ++m)
      if (!waits_[m].empty() && waits_[m][p] != 0) {
        made.phases[p].waits[m] = waits_[m][p];
        made.phases[p].places[m];
      }
  places_.each([&](std::uint64_t key, std::uint64_t sum) {
    const auto place = static_cast<std::uint32_t>(key);
    const std::uint64_t cell = key >> 33;
    const auto m = static_cast<MetricIndex>(cell / made.phases.size());
    const auto of_metric = made.phases[cell % made.phases.size()].places.find(m);
    if (of_metric == made.phases[cell % made.phases.size()].places.end()) return;
    const auto ticks = static_cast<Ticks>(sum);
    if (static_cast<Place>(key >> 32 & 1) == Place::location)
      add_place(of_metric->second.locations, LocationId{place}, ticks, std::less<LocationId>());
    else
      add_place(of_metric->second.callpaths, CallPathId{place}, ticks, order);
  });
  return made;
}

std::unique_ptr<PhaseBook> make_phase_book(pass::TraceInput& input, const std::string& phase, const Focus& focus) {
  if (const std::optional<std::size_t> n = stretches_of(phase)) return std::make_unique<TimePhases>(input, *n, focus);
  return std::make_unique<VisitPhases>(input, phase);
}

void check_phase(const std::string& phase) { stretches_of(phase); }

void check_phase(const std::string& phase, const Definitions& definitions) {
  if (!stretches_of(phase)) regions_of(definitions, phase);
}

}  // namespace waitstate::analysis

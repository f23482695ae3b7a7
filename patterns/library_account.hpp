// Splits up all time in a library of which not every call can be judged: the waits that wait states find are wait,
// set-up and tear-down are management, and the rest is local. Computed at the end from the values of other metrics.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

class LibraryAccount : public Pattern {
  static constexpr MetricHandle wait{1}, management{2}, local{3};

 public:
  static constexpr bool in_parts = true;

  /// The library that is accounted for.
  struct Library {
    std::vector<std::string_view> times;   ///< metrics below which the library's time is
    std::vector<RegionClass> management;   ///< classes of regions that count as management
    std::string id, title, prefix, calls;  ///< texts of the metrics; `calls` describes the library's calls in words
    std::vector<std::string> needs;        ///< the patterns whose waits count
  };
  explicit LibraryAccount(Library library) : library_(std::move(library)) {}

  PatternInfo info() const override {
    const auto part = [&](const char* name, const char* title, std::string summary, MetricKind kind) {
      return MetricSpec{.id = library_.prefix + name,
                        .parent = library_.id,
                        .within_parent = false,
                        .title = title,
                        .summary = std::move(summary),
                        .kind = kind};
    };
    return {.metrics = {{.id = library_.id,
                         .within_parent = false,
                         .title = library_.title,
                         .summary = "Time in " + library_.calls + ", split up completely.",
                         .kind = MetricKind::account},
                        part("_wait", "Wait", "Time in " + library_.calls + " that a wait state explains.",
                             MetricKind::account_wait),
                        part("_management", "Management", "Time in " + library_.calls + " that set up or tear down.",
                             MetricKind::account_management),
                        part("_local", "Local", "The rest of the time in " + library_.calls + ".",
                             MetricKind::account_local)},
            .severity =
                "wait: the sum of the outermost wait states of the call path; management: the exclusive time of calls "
                "that set up or tear down; local: the rest, in which no wait is known",
            .charged_to = "the call, on its location",
            .state = "none: computed at the end from time and wait states",
            .source = "waitstate's own",
            .differs = "no",
            .diagnosis =
                "wait: see the wait states, which name the processes or threads that were late; management: start and "
                "end less "
                "often; local: make fewer calls",
            .needs = library_.needs};
  }

  void wrapup(Context& c) override {
    struct Times {
      Ticks all = 0, managed = 0, waited = 0;
    };
    std::map<std::pair<CallPathId, LocationId>, Times> sums;
    const MetricTree& metrics = c.metrics();
    const auto each = [&](MetricIndex m, Ticks Times::*sum) {
      c.severities().for_each(m, [&](CallPathId path, LocationId l, std::int64_t ticks) {
        Ticks& to = sums[{path, l}].*sum;
        to = add_ticks(to, static_cast<std::uint64_t>(ticks));
      });
    };
    for (int i = 0; i < region_class_count; ++i) {
      const auto of_class = static_cast<RegionClass>(i);
      const MetricIndex m = metrics.at(name(of_class));
      if (!is_of_library(metrics, m)) continue;
      each(m, &Times::all);
      if (std::find(library_.management.begin(), library_.management.end(), of_class) != library_.management.end())
        each(m, &Times::managed);
    }
    for (MetricIndex m = 0; m < metrics.size(); ++m)
      if (is_wait(metrics[m]) && is_of_library(metrics, m) && is_outermost(metrics, m)) each(m, &Times::waited);
    for (const auto& [place, t] : sums) {
      const Charge charge(place.first, place.second);
      const Ticks unmanaged = less(t.all, t.managed);
      const Ticks waited = std::clamp<Ticks>(t.waited, 0, std::max<Ticks>(unmanaged, 0));
      if (waited != 0) c.add(charge, waited, wait);
      if (t.managed != 0) c.add(charge, t.managed, management);
      if (const Ticks rest = less(unmanaged, waited); rest != 0) c.add(charge, rest, local);
    }
  }

 private:
  /// Difference that wraps instead of overflowing, because of damaged time stamps.
  static Ticks less(Ticks from, Ticks by) { return add_ticks(from, 0 - static_cast<std::uint64_t>(by)); }

  static bool is_wait(const MetricInfo& m) {
    return m.unit == Unit::seconds && (m.kind == MetricKind::wait || m.kind == MetricKind::completion);
  }
  static bool is_outermost(const MetricTree& metrics, MetricIndex m) {
    for (m = metrics[m].parent; m != no_metric; m = metrics[m].parent)
      if (is_wait(metrics[m])) return false;
    return true;
  }
  bool is_of_library(const MetricTree& metrics, MetricIndex m) const {
    return std::any_of(library_.times.begin(), library_.times.end(),
                       [&](std::string_view time) { return metrics.lies_within(m, metrics.at(time)); });
  }

  const Library library_;
};

}  // namespace waitstate::patterns

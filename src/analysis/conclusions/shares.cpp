#include "analysis/conclusions/shares.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "waitstate/result/severities.hpp"

namespace waitstate::analysis {
namespace {

/// Sums a metric and the metrics below that are added to it.
class Inclusive {
 public:
  Inclusive(const Run& run, MetricIndex metric) : severities_(run.severities) {
    std::vector<MetricIndex> all{metric};
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const MetricIndex child : run.metrics.children(all[i]))
        if (!run.metrics[child].within_parent) all.push_back(child);
    for (const MetricIndex m : all) {
      bool any = false;
      severities_.for_each(m, [&](CallPathId, LocationId, std::int64_t value) { any = true, add(total_, value); });
      if (any) metrics_.push_back(m);
    }
  }
  std::int64_t total() const { return total_; }
  std::int64_t at(CallPathId callpath, LocationId location) const {
    std::int64_t sum = 0;
    for (const MetricIndex m : metrics_) add(sum, severities_.value(m, callpath, location));
    return sum;
  }
  /// Calls f(call path, location) for each place that has a value, for some places several times.
  template <class F>
  void for_each_place(F&& f) const {
    for (const MetricIndex m : metrics_)
      severities_.for_each(m, [&](CallPathId callpath, LocationId location, std::int64_t) { f(callpath, location); });
  }

 private:
  static void add(std::int64_t& sum, std::int64_t value) { sum = add_ticks(sum, static_cast<std::uint64_t>(value)); }
  const Severities& severities_;
  std::vector<MetricIndex> metrics_;  ///< the metrics that have values
  std::int64_t total_ = 0;
};

std::string amount(std::int64_t value, Unit unit) {
  const char* const name = unit == Unit::seconds ? " tick" : unit == Unit::bytes ? " byte" : " occurrence";
  return std::to_string(value) + name + (value == 1 ? "" : "s");
}

}  // namespace

void mark_shares_elsewhere(MetricTree& metrics, const Severities& severities) {
  using Summed = std::vector<MetricIndex>;
  for (MetricIndex parent = 0; parent < metrics.size(); ++parent) {
    std::vector<Summed> fitting;  // the shares that stay, each with the metrics that are added to it
    const auto fits = [&](const Summed& share, CallPathId callpath, LocationId location) {
      std::int64_t left = severities.value(parent, callpath, location);
      const auto take_off = [&](MetricIndex m) {
        left = add_ticks(left, 0 - static_cast<std::uint64_t>(severities.value(m, callpath, location)));
      };
      for (const Summed& other : fitting) std::for_each(other.begin(), other.end(), take_off);
      std::for_each(share.begin(), share.end(), take_off);
      return left >= 0;
    };
    for (const MetricIndex child : metrics.children(parent)) {
      const MetricInfo& info = metrics[child];
      if (!info.within_parent || info.siblings != Siblings::disjoint || !info.sums()) continue;
      Summed share{child};
      for (std::size_t i = 0; i < share.size(); ++i)
        for (const MetricIndex below : metrics.children(share[i]))
          if (!metrics[below].within_parent) share.push_back(below);
      bool all_fit = info.unit == metrics[parent].unit, any = false;
      for (const MetricIndex m : share)
        severities.for_each(m, [&](CallPathId callpath, LocationId location, std::int64_t) {
          any = true;
          all_fit = all_fit && fits(share, callpath, location);
        });
      if (!any) continue;
      if (all_fit)
        fitting.push_back(std::move(share));
      else
        metrics.set_siblings(child, Siblings::elsewhere);
    }
  }
}

std::string share_too_large(const Run& run, MetricIndex metric) {
  const MetricInfo& info = run.metrics[metric];
  if (info.parent == no_metric || !info.within_parent || run.metrics[info.parent].unit != info.unit) return "";
  const Inclusive own(run, metric), whole(run, info.parent);
  const std::string& parent = run.metrics[info.parent].id;
  const std::string advice = "; charge it where it is a share, or give it another parent or none";
  // A value that is counted where the location waited may be counted elsewhere in the parent: in the call that started
  // the operation.
  if (run.without_place[metric] || info.unit != Unit::seconds) {
    if (own.total() <= whole.total()) return "";
    return amount(own.total(), info.unit) + " to '" + info.id + "', but '" + parent +
           "', of which it is a share, has " + std::to_string(whole.total()) + advice;
  }
  struct Excess {
    std::int64_t value = 0;
    CallPathId callpath;
    LocationId location;
  } worst;
  // A wait for an operation that another call started is part of the time of the call that waits, whatever the parent
  // has there.
  const bool waits = is_waiting(info.kind) || run.waits.any(metric);
  const Inclusive time(run, run.metrics.at("time"));
  const auto whole_at = [&](CallPathId callpath, LocationId location) {
    const std::int64_t of_parent = whole.at(callpath, location);
    return waits ? std::max(of_parent, time.at(callpath, location)) : of_parent;
  };
  const auto path = [&](const Excess& p) { return run.call_tree.path(p.callpath, run.definitions); };
  own.for_each_place([&](CallPathId callpath, LocationId location) {
    const Excess p{own.at(callpath, location) - whole_at(callpath, location), callpath, location};
    if (p.value <= 0 || p.value < worst.value) return;
    if (p.value == worst.value)  // independent of the order of call paths
      if (std::tuple(worst.location, path(worst)) <= std::tuple(p.location, path(p))) return;
    worst = p;
  });
  if (worst.value == 0) return "";
  return amount(own.at(worst.callpath, worst.location), info.unit) + " to '" + info.id + "' in " + path(worst) +
         " on location " + std::to_string(worst.location.value) + " (" + run.definitions[worst.location].name +
         "), where '" + parent + "', of which it is a share, has " +
         std::to_string(whole_at(worst.callpath, worst.location)) + advice;
}

}  // namespace waitstate::analysis

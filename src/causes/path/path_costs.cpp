#include "causes/path/path_costs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "causes/sweep/fixed_ticks.hpp"
#include "util/in_threads.hpp"

namespace waitstate::causes {

namespace {

/// The time of a location in a call path, its waits there, and the time from forks to parallel regions.
struct Done {
  CallPathId callpath{};
  Ticks ticks = 0, waits = 0, forked = 0;
  bool is_forked = false;  ///< the parallel region of a team
};

/// All that one location did, by call path. New call paths gather behind the sorted ones until they are half as many as
/// these, so that it costs little where there are thousands.
class DoneByPath {
 public:
  Done& row(CallPathId c) {
    const auto end = rows_.begin() + sorted_;
    const auto place =
        std::lower_bound(rows_.begin(), end, c, [](const Done& d, CallPathId x) { return d.callpath < x; });
    if (place != end && place->callpath == c) return *place;
    if (std::ssize(rows_) - sorted_ > sorted_ / 2 + 16) {
      sort();
      return row(c);
    }
    return rows_.emplace_back(Done{.callpath = c});
  }
  /// In the order of call paths.
  const std::vector<Done>& sorted() {
    sort();
    return rows_;
  }

 private:
  void sort() {
    std::sort(rows_.begin(), rows_.end(), [](const Done& a, const Done& b) { return a.callpath < b.callpath; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const Done& d = rows_[i];
      if (rows_[last].callpath != d.callpath) {
        rows_[++last] = d;
        continue;
      }
      Done& sum = rows_[last];
      sum.ticks += d.ticks, sum.waits += d.waits, sum.forked += d.forked;
      sum.is_forked = sum.is_forked || d.is_forked;
    }
    if (!rows_.empty()) rows_.resize(last + 1);
    sorted_ = std::ssize(rows_);
  }

  std::vector<Done> rows_;
  std::ptrdiff_t sorted_ = 0;
};

class PathCosts {
 public:
  PathCosts(const History& history, const FoundPath& path, const MetricTree& metrics, const Severities& severities,
            unsigned threads, const std::function<void(const PathCost&)>& visit)
      : of_(history.recorded),
        path_(path),
        severities_(severities),
        threads_(threads),
        management_(metrics.find("omp_management")),
        visit_(visit),
        on_path_(of_.call_tree.size()),
        busy_(on_path_.size()),
        imbalance_(on_path_.size()),
        inter_partition_(on_path_.size()),
        own_(on_path_.size()) {}

  void tell() {
    for (const auto& [where, ticks] : path_.times) {
      tell(PathCost::Kind::on_path, where.first, where.second, ticks);
      on_path_[where.first.index()] += ticks;
      length_ += ticks;
    }
    if (path_.broken_off) return;
    for (std::size_t c = 0; c < on_path_.size(); ++c)
      if (on_path_[c] > 0) critical_.emplace_back(c);
    const std::vector<LocationId> masters = of_.teams.masters();
    std::vector<DoneByPath> done = what_was_done();
    for (std::size_t l = 0; l < of_.locations(); ++l) {
      const LocationId location{l};
      if (of_.definitions[location].type != LocationType::cpu_thread || !of_.work.used(location)) continue;
      ++locations_;
      const bool is_master = std::find(masters.begin(), masters.end(), location) != masters.end();
      judge(location, done[l].sorted(), is_master);
    }
    tell_imbalance();
    compare_with_mean();
  }

 private:
  void tell(PathCost::Kind kind, CallPathId c, LocationId l, Ticks ticks) const {
    if (ticks > 0) visit_({kind, c, l, ticks});
  }

  /// By location. Threads divide the banks, each of which has locations of its own.
  std::vector<DoneByPath> what_was_done() const {
    std::vector<DoneByPath> all(of_.locations());
    util::in_threads(threads_, of_.work.banks(), [&](std::size_t bank, std::size_t) {
      of_.work.each_of_bank(bank,
                            [&](LocationId l, CallPathId c, Ticks ticks) { all[l.index()].row(c).ticks += ticks; });
    });
    util::in_threads(threads_, of_.points.banks(), [&](std::size_t bank, std::size_t) {
      of_.points.each_of_bank(bank, [&](PointId, const Point& p) {
        if (p.kind == PointKind::fork) {
          Done& region = all[p.location.index()].row(p.callpath);
          region.ticks += p.total, region.forked += p.total, region.is_forked = true;
        }
        if (p.wait > 0) all[p.location.index()].row(p.callpath).waits += p.wait;
      });
    });
    return all;
  }

  /// One location: its activities, and its part in the costs of imbalance.
  void judge(LocationId location, const std::vector<Done>& done, bool is_master) {
    own_.clear();
    for (const Done& d : done) {
      if (d.ticks <= 0) continue;
      own_.add(d.callpath, d.ticks - std::min(d.ticks, d.waits));
      busy_[d.callpath.index()] += std::max<Ticks>(0, own_[d.callpath] - managed(d, location, is_master));
    }
    Ticks sum = 0, sum_of_both = 0;
    for (const CallPathId c : own_.touched()) {
      const Ticks ticks = own_[c], g = on_path_[c.index()];
      sum += ticks;
      if (ticks > 0) sum_of_both += std::max(ticks, g);
      if (g > 0) tell(PathCost::Kind::activity, c, location, std::min(g, ticks));
      tell(PathCost::Kind::beside, c, location, ticks - g);
    }
    Ticks excess = 0, missing = 0;
    for (const CallPathId c : critical_) {
      excess += std::max<Ticks>(0, on_path_[c.index()] - own_[c]);
      if (own_[c] <= 0) missing += on_path_[c.index()];
    }
    has_imbalance_ = has_imbalance_ && (of_.wanted.plain || excess > 0);
    has_inter_partition_ = has_inter_partition_ && (of_.wanted.plain || missing > 0);
    for (const CallPathId c : critical_) {
      const Ticks g = on_path_[c.index()];
      if (excess > 0 && g > own_[c])
        imbalance_[c.index()] +=
            static_cast<double>(g - own_[c]) * static_cast<double>(length_ - sum) / static_cast<double>(excess);
      if (missing > 0 && own_[c] <= 0)
        inter_partition_[c.index()] +=
            static_cast<double>(g) * static_cast<double>(length_ - sum_of_both) / static_cast<double>(missing);
    }
  }

  static Ticks share_of(const SignedFixedTicks& cost, double share) {
    return std::llround(share * std::max(0.0, cost.ticks()));
  }

  // A location that lacks nothing leaves all costs undefined, as in Scalasca; by plain rules it adds nothing.
  void tell_imbalance() const {
    for (const auto& [where, ticks] : path_.times) {
      const std::size_t c = where.first.index();
      const double share = static_cast<double>(ticks) / static_cast<double>(on_path_[c]);
      const Ticks lost = has_imbalance_ ? share_of(imbalance_[c], share) : 0;
      const Ticks between = has_inter_partition_ ? share_of(inter_partition_[c], share) : 0;
      tell(PathCost::Kind::imbalance, where.first, where.second, lost);
      tell(PathCost::Kind::inter_partition, where.first, where.second, between);
      tell(PathCost::Kind::intra_partition, where.first, where.second, lost - between);
    }
  }

  /// The part of the time that does not count as busy. That is the time to fork and join; other threads than the first
  /// have only the time to fork, since the time after their last barrier is not theirs. In an ordered region it is all
  /// of the time. The time that teams within teams take is work.
  Ticks managed(const Done& d, LocationId location, bool is_master) const {
    const RegionId region = of_.call_tree[d.callpath].region;
    if (region.valid() && of_.definitions[region].region_class == RegionClass::omp_ordered) return d.ticks;
    const bool is_managed = is_master && d.is_forked && management_ != no_metric;
    return is_managed ? severities_.value(management_, d.callpath, location) : d.forked;
  }

  // Along the call tree, a path is compared with the mean of everything below it.
  void compare_with_mean() {
    for (std::size_t c = on_path_.size(); c-- > 0;)  // a parent has a smaller id
      if (const CallPathId parent = of_.call_tree[CallPathId{c}].parent; parent.valid())
        on_path_[parent.index()] += on_path_[c], busy_[parent.index()] += busy_[c];
    for (const auto& [where, ticks] : path_.times) {
      const auto all = static_cast<double>(on_path_[where.first.index()]);
      const double mean = static_cast<double>(busy_[where.first.index()]) / static_cast<double>(locations_);
      tell(PathCost::Kind::above_mean, where.first, where.second,
           std::llround(static_cast<double>(ticks) * (all - mean) / all));
    }
  }

  const Recorded& of_;
  const FoundPath& path_;
  const Severities& severities_;
  const unsigned threads_;
  const MetricIndex management_;
  const std::function<void(const PathCost&)>& visit_;
  Ticks length_ = 0;                                           ///< the length of the path
  std::size_t locations_ = 0;                                  ///< the number of threads that have done something
  std::vector<Ticks> on_path_, busy_;                          ///< by call path: sums over all locations
  std::vector<CallPathId> critical_;                           ///< call paths that are on the path
  std::vector<SignedFixedTicks> imbalance_, inter_partition_;  ///< by call path: what it costs
  bool has_imbalance_ = true, has_inter_partition_ = true;     ///< false if that is not defined
  PathTimes own_;                                              ///< the time of one location without its waits
};

}  // namespace

void each_path_cost(const History& history, const FoundPath& path, const MetricTree& metrics,
                    const Severities& severities, unsigned threads, const std::function<void(const PathCost&)>& visit) {
  PathCosts(history, path, metrics, severities, threads, visit).tell();
}

}  // namespace waitstate::causes

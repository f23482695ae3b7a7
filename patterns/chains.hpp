// Why somebody was late: from a wait over the waits of its culprit back to an activity, or to what the trace lacks.
//
// Between two meetings of P and Q, P was late by what it worked longer than Q (D), and by its own waits (W), as
// delay.cpp judges it. If W is the larger part, the reason is whom P waited for most, and the chain goes on there; else
// it is the call path in which P worked longest beyond Q. What is in a call of MPI, and no wait that is known, explains
// nothing; a chain that comes there ends, and says what it met.
//
// A chain is followed only for the waits that the report shows. A step costs what delay.cpp takes for one wait.
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causes.hpp"
#include "waitstate/causes.hpp"
#include "waitstate/region_class.hpp"

namespace waitstate::patterns {

inline Crossing crossing_of(PointKind kind) {
  switch (kind) {
    case PointKind::late_sender:
      return Crossing::late_sender;
    case PointKind::late_receiver:
      return Crossing::late_receiver;
    case PointKind::barrier:
      return Crossing::barrier;
    case PointKind::n2n:
      return Crossing::n_to_n;
    case PointKind::one_to_n:
      return Crossing::one_to_n;
    case PointKind::n_to_one:
      return Crossing::n_to_one;
    case PointKind::finalize:
      return Crossing::finalize;
    case PointKind::fork:
      return Crossing::fork;
    case PointKind::team_barrier:
      return Crossing::team_barrier;
    case PointKind::window:
      return Crossing::window;
    case PointKind::epoch:
      return Crossing::epoch;
    case PointKind::passive_target:
      return Crossing::passive_target;
    case PointKind::shmem_collective:
      return Crossing::shmem_collective;
    case PointKind::shmem_pair:
      return Crossing::shmem_pair;
    case PointKind::lock:
      return Crossing::lock;
    case PointKind::task:
      return Crossing::task;
    case PointKind::device:
      return Crossing::device;
    case PointKind::launch:
      return Crossing::launch;
    default:
      return Crossing::none;
  }
}

/// A call that received something whose send is not in the trace.
struct CallWithoutSend {
  LocationId location;
  CallPathId callpath;
  Time enter;
};

class Chains final : public ChainFinder {
 public:
  Chains(const Causes& causes, const Definitions& definitions, const CallTree& call_tree,
         const SpilledVector<CallWithoutSend>& without_send)
      : all_(causes), definitions_(definitions), call_tree_(call_tree), without_send_(without_send) {}

  std::vector<WaitChain> chains(const std::vector<Wait>& waits) const override {
    std::vector<WaitChain> found(waits.size());
    const std::vector<PointId> points = points_of(waits);
    Search search(call_tree_.size());
    for (std::size_t i = 0; i < waits.size(); ++i)
      if (points[i] != no_point) follow(points[i], found[i], search);
    look_for_missing(search);
    return found;
  }

 private:
  /// Where a chain came to a call that no wait explains.
  struct End {
    WaitChain* chain;
    LocationId location;
    Time from, to;
  };
  struct Search {
    explicit Search(std::size_t paths) : late(paths), own(paths), waits(paths) {}
    PathTimes late, own, waits;
    std::vector<End> unexplained;
  };

  struct HashOfCall {
    std::size_t operator()(const std::pair<LocationId, Time>& c) const {
      const std::uint64_t h = (c.second ^ std::uint64_t{c.first.value} << 40) * 0x9e3779b97f4a7c15u;
      return static_cast<std::size_t>(h ^ h >> 32);
    }
  };

  /// The points that have these waits; of several in one call that which waited for the same one.
  std::vector<PointId> points_of(const std::vector<Wait>& waits) const {
    std::unordered_map<std::pair<LocationId, Time>, std::vector<std::size_t>, HashOfCall> asked;
    for (std::size_t i = 0; i < waits.size(); ++i) asked[{waits[i].location, waits[i].enter}].push_back(i);
    std::vector<PointId> points(waits.size(), no_point);
    if (asked.empty()) return points;
    std::vector<std::pair<std::size_t, PointId>> candidates;
    PointId own = no_point;
    all_.points.each([&](const Point& p) {
      own = {p.location, p.location == own.location ? own.number + 1 : 0};
      if (p.wait <= 0) return;
      if (const auto at = asked.find({p.location, p.enter}); at != asked.end())
        for (const std::size_t i : at->second)
          if (p.wait == waits[i].ticks || p.kind == PointKind::device || p.kind == PointKind::passive_target)
            candidates.emplace_back(i, own);  // not of what came after the wait
    });
    for (const auto& [i, point] : candidates) {
      const PointId culprit = culprit_of(all_.at(point));
      const bool same = culprit != no_point && all_.at(culprit).location == waits[i].culprit;
      if (same || !waits[i].culprit.valid()) points[i] = point;
    }
    return points;
  }

  /// Nobody is charged for a wait in MPI_Finalize, but whom it is for is known.
  PointId culprit_of(const Point& q) const {
    return q.kind == PointKind::finalize && q.culprit == no_point ? all_.first_to_end : q.culprit;
  }

  void follow(PointId id, WaitChain& chain, Search& search) const {
    double share = 1;
    std::vector<PointId> seen;
    for (;;) {
      seen.push_back(id);
      const Point q = all_.at(id);
      const PointId culprit = culprit_of(q);
      ChainStep step{q.location, q.callpath, q.enter, q.wait, crossing_of(q.kind), {}, share};
      if (culprit == no_point || all_.at(culprit).location == q.location) {
        chain.steps.push_back(step);
        chain.end = WaitChain::End::no_culprit;
        return;
      }
      const Point p = all_.at(culprit);
      step.culprit = p.location;
      chain.steps.push_back(step);
      const PointId a = all_.previous_meeting(p, q), b = all_.previous_meeting(q, p);
      const Ticks waited = all_.add_work_without_waits(a, p, search.late, search.waits);
      all_.add_work_without_waits(b, q, search.own, search.waits);
      Ticks worked = 0, most = 0;
      PointId longest = no_point;
      Ticks longest_wait = 0;
      all_.between(a, p.point_before(), [&](PointId y, const Point& of_y) {
        if (of_y.wait > longest_wait) longest = y, longest_wait = of_y.wait;
      });
      CallPathId root;
      for (const CallPathId c : search.late.touched()) {
        const Ticks d = search.late[c] - search.own[c];
        if (d <= 0) continue;
        worked += d;
        if (d > most || (d == most && c < root)) most = d, root = c;
      }
      search.late.clear(), search.own.clear();
      const auto all = static_cast<double>(worked + waited);
      if (waited >= worked && longest != no_point) {
        if (std::find(seen.begin(), seen.end(), longest) != seen.end()) {
          chain.end = WaitChain::End::circle;
          return;
        }
        if (seen.size() == WaitChain::max_steps) {
          chain.end = WaitChain::End::left_out;
          return;
        }
        share *= static_cast<double>(longest_wait) / all;
        id = longest;
        continue;
      }
      if (most == 0) {
        chain.end = WaitChain::End::nothing;
        return;
      }
      chain.root = root, chain.root_ticks = most;
      chain.root_share = share * static_cast<double>(most) / all;
      chain.waited_share = share * static_cast<double>(waited) / all;
      if (!is_work(root)) {
        chain.end = WaitChain::End::unexplained;
        search.unexplained.push_back({&chain, p.location, a == no_point ? 0 : all_.at(a).enter, p.enter});
      }
      return;
    }
  }

  bool is_work(CallPathId path) const {
    const RegionId region = call_tree_[path].region;
    if (!region.valid()) return true;
    const RegionClass c = definitions_[region].region_class;
    return !is_mpi(c) && c != RegionClass::omp_ebarrier && c != RegionClass::omp_ibarrier;
  }

  static bool is_there(const End& e, LocationId location, CallPathId callpath, Time enter) {
    return location == e.location && callpath == e.chain->root && enter >= e.from && enter <= e.to;
  }
  void look_for_missing(const Search& search) const {
    if (search.unexplained.empty()) return;
    all_.work->each_mark([&](const WorkMark& m) {
      if (m.kind != WorkMark::Kind::without_member) return;
      for (const End& e : search.unexplained)
        if (is_there(e, m.location, m.callpath, m.time)) e.chain->end = WaitChain::End::missing_member;
    });
    without_send_.each(0, without_send_.size(), [&](const CallWithoutSend& call) {
      for (const End& e : search.unexplained)
        if (is_there(e, call.location, call.callpath, call.enter)) e.chain->end = WaitChain::End::missing_record;
    });
  }

  const Causes& all_;
  const Definitions& definitions_;
  const CallTree& call_tree_;
  const SpilledVector<CallWithoutSend>& without_send_;
};

}  // namespace waitstate::patterns

// Why somebody was late: from a wait over the waits of its culprit back to an activity, or to what the trace lacks.
//
// Between two meetings of P and Q, P was late by what it worked longer than Q in each call path, and by its own waits,
// as delay.cpp judges it. If it waited for as long as it worked longer in any one call path, the reason is whom P
// waited for most, and the chain goes on there; else it is that call path. What is in a call that waits for others, and
// no wait that is known, explains nothing; a chain that comes there ends, and says what the trace lacks of that call. A
// worker that is idle outside of parallel regions waits for what its first thread did since they had met, as in
// delay.cpp.
//
// A chain is followed only for the waits that the report shows. A step costs what delay.cpp takes for one wait.
#pragma once

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "causes/causes.hpp"
#include "patterns/rules/more_waits.hpp"
#include "patterns/rules/record_counts.hpp"
#include "waitstate/result/causes.hpp"
#include "waitstate/trace/region_class.hpp"

namespace waitstate::causes {

using namespace patterns;  // rules

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
    case PointKind::scan:
      return Crossing::scan;
    default:
      return Crossing::none;
  }
}

class Chains final : public ChainFinder {
 public:
  Chains(const Causes& causes, const Context& context)
      : all_(causes), context_(context), definitions_(context.definitions()), call_tree_(context.call_tree()) {}

  std::vector<WaitChain> chains(const std::vector<Wait>& waits) const override {
    std::vector<WaitChain> found(waits.size());
    const std::vector<PointId> points = points_of(waits);
    Search search(call_tree_.size());
    for (std::size_t i = 0; i < waits.size(); ++i)
      if (points[i] != no_point) follow(points[i], 1, found[i], search);
    for (const auto& [i, alone] : idleness(waits, points)) follow_idleness(waits[i], alone, found[i], search);
    look_for_missing(search);
    return found;
  }

 private:
  /// Where a chain came to a call that no wait explains.
  struct End {
    WaitChain* chain;
    LocationId location;
    Time from, to;
    WorkMark::Kind lacks = none_lacking;  ///< what the trace lacks of that call
  };
  static constexpr auto none_lacking = static_cast<WorkMark::Kind>(~std::uint32_t{0});
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
    all_.points.chunks_back(0, all_.locations(), [&](PointId first, PointId end) {
      for (PointId own = end; own.number-- > first.number;) {
        const Point p = all_.at(own);
        if (p.wait <= 0) continue;
        if (const auto at = asked.find({p.location, p.enter}); at != asked.end())
          for (const std::size_t i : at->second)
            if (p.wait == waits[i].ticks || p.kind == PointKind::device || p.kind == PointKind::passive_target)
              candidates.emplace_back(i, own);  // not of what came after the wait
      }
    });
    std::reverse(candidates.begin(), candidates.end());  // of a location the latest one is taken
    for (const auto& [i, point] : candidates) {
      const PointId culprit = culprit_of(all_.at(point));
      const bool same = culprit != no_point && all_.at(culprit).location == waits[i].culprit;
      if (same || !waits[i].culprit.valid()) points[i] = point;
    }
    return points;
  }

  /// What the first thread of a process did while the others were idle.
  struct Alone {
    std::optional<Time> from, to;  ///< none: from the begin, to the end
    PointId last;                  ///< of its points, before that end
  };
  /// Of waits of workers outside of parallel regions, by number: they end where the first thread forks, or with it.
  std::unordered_map<std::size_t, Alone> idleness(const std::vector<Wait>& waits,
                                                  const std::vector<PointId>& points) const {
    std::unordered_map<std::size_t, Alone> found;
    std::unordered_map<std::pair<LocationId, Time>, std::vector<std::size_t>, HashOfCall> asked;
    for (std::size_t i = 0; i < waits.size(); ++i) {
      const Wait& w = waits[i];
      if (points[i] != no_point || !w.culprit.valid() || w.culprit == w.location ||
          definitions_[w.culprit].process != definitions_[w.location].process)
        continue;
      asked[{w.culprit, w.exit}].push_back(i);
      if (const auto joined = all_.last_join(w.culprit); joined && *joined == w.enter)
        found[i] = {joined, std::nullopt, all_.last(w.culprit)};
    }
    if (asked.empty()) return found;
    all_.forks.each(0, all_.forks.size(), [&](const Causes::Fork& f) {
      const auto at = asked.find({f.master, f.time});
      if (at == asked.end() || f.point == no_point) return;
      for (const std::size_t i : at->second)
        if (f.is_first || f.after == waits[i].enter)
          found[i] = {f.is_first ? std::nullopt : std::optional(f.after), f.time, all_.at(f.point).point_before()};
    });
    return found;
  }

  /// Nobody is charged for a wait in MPI_Finalize, but whom it is for is known.
  PointId culprit_of(const Point& q) const {
    return q.kind == PointKind::finalize && q.culprit == no_point ? all_.first_to_end : q.culprit;
  }

  /// What the culprit of a wait did since the two had met before, less what who waited did meanwhile.
  struct Lateness {
    Ticks worked = 0, most = 0, waited = 0, longest_wait = 0;
    CallPathId root{};           ///< where it worked longest beyond the other, `most`
    PointId longest = no_point;  ///< its longest wait
    LocationId location{};
    Time from = 0, to = 0;

    void work(CallPathId c, Ticks ticks) {
      if (ticks <= 0) return;
      worked += ticks;
      if (ticks > most || (ticks == most && c < root)) most = ticks, root = c;
    }
    void wait(PointId id, const Point& y) {
      if (y.wait > longest_wait) longest = id, longest_wait = y.wait;
    }
  };

  Lateness lateness(const Point& q, PointId culprit, Search& search) const {
    const Point p = all_.at(culprit);
    const PointId a = all_.previous_meeting(p, q), b = all_.previous_meeting(q, p);
    Lateness late{.location = p.location, .from = a == no_point ? 0 : all_.at(a).enter, .to = p.enter};
    late.waited = all_.add_work_without_waits(a, p, search.late, search.waits);
    all_.add_work_without_waits(b, q, search.own, search.waits);
    all_.between(a, p.point_before(), [&](PointId id, const Point& y) { late.wait(id, y); });
    for (const CallPathId c : search.late.touched()) late.work(c, search.late[c] - search.own[c]);
    search.late.clear(), search.own.clear();
    return late;
  }

  void follow(PointId id, double share, WaitChain& chain, Search& search) const {
    for (std::vector<PointId> seen;;) {
      seen.push_back(id);
      const Point q = all_.at(id);
      const PointId culprit = culprit_of(q);
      ChainStep step{q.location, q.callpath, q.enter, q.wait, crossing_of(q.kind), {}, share};
      if (culprit == no_point || all_.at(culprit).location == q.location) {
        chain.steps.push_back(step);
        chain.end = WaitChain::End::no_culprit;
        return;
      }
      step.culprit = all_.at(culprit).location;
      chain.steps.push_back(step);
      const Lateness late = lateness(q, culprit, search);
      if (!goes_on(late)) return end(late, share, chain, search);
      if (std::find(seen.begin(), seen.end(), late.longest) != seen.end()) {
        chain.end = WaitChain::End::circle;
        return;
      }
      if (chain.steps.size() == WaitChain::max_steps) {
        chain.end = WaitChain::End::left_out;
        return;
      }
      share *= share_of(late.longest_wait, late);
      id = late.longest;
    }
  }

  void follow_idleness(const Wait& wait, const Alone& alone, WaitChain& chain, Search& search) const {
    Lateness late{.location = wait.culprit, .from = alone.from.value_or(0), .to = alone.to.value_or(~Time{0})};
    all_.work->add(wait.culprit, alone.from, alone.to, search.late);
    for (PointId id = alone.last; id != no_point;) {
      const Point y = all_.at(id);
      if (Causes::is_of_team(y)) break;
      if (y.wait > 0) {
        search.own.add(y.callpath, y.wait);
        late.waited += y.wait;
        late.wait(id, y);
      }
      id = y.point_before();
    }
    for (const CallPathId c : search.late.touched()) late.work(c, search.late[c] - search.own[c]);
    search.late.clear(), search.own.clear();
    chain.steps.push_back({wait.location, wait.callpath, wait.enter, wait.ticks, Crossing::fork, wait.culprit, 1});
    if (!goes_on(late)) return end(late, 1, chain, search);
    follow(late.longest, share_of(late.longest_wait, late), chain, search);
  }

  static bool goes_on(const Lateness& late) { return late.longest != no_point && late.waited >= late.most; }
  static double share_of(Ticks part, const Lateness& late) {
    return static_cast<double>(part) / static_cast<double>(late.worked + late.waited);
  }

  void end(const Lateness& late, double share, WaitChain& chain, Search& search) const {
    if (late.most == 0) {
      chain.end = WaitChain::End::nothing;
      return;
    }
    chain.root = late.root, chain.root_ticks = late.most;
    chain.root_share = share * share_of(late.most, late);
    chain.waited_share = share * share_of(late.waited, late);
    if (is_work(late.root)) return;
    if (!is_critical_section(late.root))
      chain.end = without_wait(late.root, late.location);
    else if (!all_.all_waits)
      return;
    if (chain.end != WaitChain::End::not_followed)
      search.unexplained.push_back({&chain, late.location, late.from, late.to});
  }

  /// Of a call that waits for others, with no wait that is known: why that may be.
  WaitChain::End without_wait(CallPathId path, LocationId location) const {
    const Region& region = definitions_[call_tree_[path].region];
    for (const MoreWaits kind :
         {MoreWaits::collectives, MoreWaits::one_sided, MoreWaits::shmem, MoreWaits::locks, MoreWaits::devices})
      if (!all_.all_waits && has_more_waits(kind, region)) return WaitChain::End::not_followed;
    const RegionClass c = region.region_class;
    const bool counts =
        c == RegionClass::mpi_point2point || c == RegionClass::mpi_collective || c == RegionClass::mpi_sync_collective;
    if (!counts || !waits_for_others(region) || completes_requests(region.mpi_function))
      return WaitChain::End::unexplained;
    for (const char* const id : record_counts) {
      const MetricIndex metric = context_.metrics().find(id);
      if (metric == no_metric || context_.severities().value(metric, path, location) != 0)
        return WaitChain::End::unexplained;
    }
    return WaitChain::End::no_record;
  }

  bool is_work(CallPathId path) const {
    const RegionId region = call_tree_[path].region;
    return !region.valid() || (!is_mpi(definitions_[region].region_class) && !waits_for_others(definitions_[region]));
  }
  /// Such are work, unless the trace lacks whoever had the lock before.
  bool is_critical_section(CallPathId path) const {
    return definitions_[call_tree_[path].region].region_class == RegionClass::omp_critical;
  }

  static bool is_there(const End& e, const WorkMark& m) {
    return m.location == e.location && m.callpath == e.chain->root && m.time >= e.from && m.time <= e.to;
  }
  /// That a request completed there, and the trace has no record of it.
  bool may_have_completed(const End& e, const WorkMark& m) const {
    return m.location == e.location && m.time <= e.to &&
           completes_requests(definitions_[call_tree_[e.chain->root].region].mpi_function);
  }
  // Of several things that are missing the first of the list, whatever was met first.
  void look_for_missing(Search& search) const {
    if (search.unexplained.empty()) return;
    all_.work->each_mark([&](const WorkMark& m) {
      const bool open = m.kind == WorkMark::Kind::never_completed;
      if (!open && !WorkMark::lacks(m.kind)) return;
      for (End& e : search.unexplained)
        if (m.kind < e.lacks && (open ? may_have_completed(e, m) : is_there(e, m))) {
          e.lacks = m.kind;
          e.chain->end = end_at(m.kind);
        }
    });
  }
  static WaitChain::End end_at(WorkMark::Kind lack) {
    switch (lack) {
      case WorkMark::Kind::without_partner:
        return WaitChain::End::missing_record;
      case WorkMark::Kind::without_start:
        return WaitChain::End::missing_start;
      case WorkMark::Kind::without_part:
        return WaitChain::End::missing_part;
      case WorkMark::Kind::never_completed:
        return WaitChain::End::no_record;
      default:
        return WaitChain::End::missing_member;
    }
  }

  const Causes& all_;
  const Context& context_;
  const Definitions& definitions_;
  const CallTree& call_tree_;
};

}  // namespace waitstate::causes

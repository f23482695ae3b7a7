#include "causes/chains/chains.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "causes/chains/chain_ends.hpp"
#include "causes/chains/lateness.hpp"
#include "causes/chains/wait_points.hpp"

namespace waitstate::causes {

namespace {

class ChainWalk {
 public:
  ChainWalk(const History& history, LatenessFinder& latenesses, ChainEnds& ends, WaitChain& chain)
      : history_(history), latenesses_(latenesses), ends_(ends), chain_(chain) {}

  /// Follows the chain from a wait's point.
  void follow(PointId id) {
    find_causes(id, 1, 0);
    sort_causes();
    follow(id, 1);
  }

  /// Follows the chain from the wait of an idle worker.
  void follow(const Wait& wait, const MasterAlone& alone) {
    const Lateness late = latenesses_.of_master(wait.culprit, alone);
    add_causes(late, 1, 0);
    sort_causes();
    chain_.steps.push_back({wait.location, wait.callpath, wait.enter, wait.ticks, Crossing::fork, wait.culprit, 1});
    if (!late.is_by_wait()) return end(late, 1);
    follow(late.longest, late.share_of(late.longest_wait));
  }

 private:
  /// Follows the largest reasons, from a wait that is the reason for that share of the first one.
  void follow(PointId id, double share) {
    for (std::vector<PointId> seen;;) {
      seen.push_back(id);
      const Point q = history_.at(id);
      const PointId culprit = culprit_of(history_, q);
      ChainStep step{q.location, q.callpath, q.enter, q.wait, traits(q.kind).crossing, {}, share};
      if (culprit == no_point || history_.at(culprit).location == q.location || history_.recorded.lacks_member_at(q)) {
        chain_.steps.push_back(step);
        chain_.end = WaitChain::End::no_culprit;
        return;
      }
      step.culprit = history_.at(culprit).location;
      chain_.steps.push_back(step);
      const Lateness late = latenesses_.of_wait(q, culprit);
      if (late.lacks != nullptr && (late.is_by_wait() || late.root != late.lacks->callpath)) {
        chain_.root = late.lacks->callpath, chain_.end = late.lacks->lacks->end;
        return;
      }
      if (late.unknown_completion > std::max(late.most, late.waited)) {
        chain_.end = WaitChain::End::missing_member;
        chain_.root = late.met_in;
        return;
      }
      if (!late.is_by_wait()) return end(late, share);
      if (std::find(seen.begin(), seen.end(), late.longest) != seen.end()) {
        chain_.end = WaitChain::End::circle;
        return;
      }
      if (chain_.steps.size() == WaitChain::max_steps) {
        chain_.end = WaitChain::End::left_out;
        return;
      }
      share *= late.share_of(late.longest_wait);
      id = late.longest;
    }
  }

  /// Follows all reasons that are large enough. Their number is bounded, because the shares add up to at most 1.
  void find_causes(PointId id, double share, std::size_t depth) {
    const Point q = history_.at(id);
    const PointId culprit = culprit_of(history_, q);
    if (culprit == no_point || history_.at(culprit).location == q.location || history_.recorded.lacks_member_at(q))
      return;
    const Lateness late = latenesses_.of_wait(q, culprit);
    if (late.lacks == nullptr) add_causes(late, share, depth);
  }
  void add_causes(const Lateness& late, double share, std::size_t depth) {
    for (const auto& [path, ticks] : late.work_by_path)
      if (const double part = share * late.share_of(ticks); part >= WaitChain::least_share && ends_.is_work(path))
        add_cause({late.location, path, ticks, part});
    for (const auto& [wait, ticks] : late.longest_waits)
      if (const double part = share * late.share_of(ticks);
          part >= WaitChain::least_share && depth + 1 < WaitChain::max_steps)
        find_causes(wait, part, depth + 1);
  }
  void add_cause(const ChainCause& cause) {
    for (ChainCause& known : chain_.causes)
      if (known.location == cause.location && known.callpath == cause.callpath) {
        known.ticks += cause.ticks, known.share += cause.share;
        return;
      }
    chain_.causes.push_back(cause);
  }
  void sort_causes() {
    const CallPathOrder& order = latenesses_.order();
    std::sort(chain_.causes.begin(), chain_.causes.end(), [&](const ChainCause& a, const ChainCause& b) {
      return std::tuple(-a.share, a.location, order.place(a.callpath)) <
             std::tuple(-b.share, b.location, order.place(b.callpath));
    });
  }
  void end(const Lateness& late, double share) {
    if (late.most == 0) {
      chain_.end = WaitChain::End::nothing;
      return;
    }
    chain_.root = late.root, chain_.root_ticks = late.most;
    chain_.root_share = share * late.share_of(late.most);
    chain_.waited_share = share * late.share_of(late.waited);
    ends_.come_to_root(chain_, late.location, late.from, late.to);
  }

  const History& history_;
  LatenessFinder& latenesses_;
  ChainEnds& ends_;
  WaitChain& chain_;
};

}  // namespace

std::vector<WaitChain> find_chains(const History& history, const std::vector<Wait>& waits, const MetricTree& metrics,
                                   const Severities& severities, unsigned threads) {
  std::vector<WaitChain> found(waits.size());
  const std::vector<PointId> points = points_of(history, waits, threads);
  LatenessFinder latenesses(history);
  ChainEnds ends(history, metrics, severities);
  for (std::size_t i = 0; i < waits.size(); ++i)
    if (points[i] != no_point) ChainWalk(history, latenesses, ends, found[i]).follow(points[i]);
  for (const auto& [i, alone] : idle_waits(history, waits, points))
    ChainWalk(history, latenesses, ends, found[i]).follow(waits[i], alone);
  ends.look_for_reasons();
  return found;
}

}  // namespace waitstate::causes

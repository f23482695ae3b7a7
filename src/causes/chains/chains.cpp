#include "causes/chains/chains.hpp"

#include <algorithm>

#include "causes/chains/chain_ends.hpp"
#include "causes/chains/lateness.hpp"
#include "causes/chains/wait_points.hpp"

namespace waitstate::causes {

namespace {

class ChainWalk {
 public:
  ChainWalk(const History& history, LatenessFinder& latenesses, ChainEnds& ends, WaitChain& chain)
      : history_(history), latenesses_(latenesses), ends_(ends), chain_(chain) {}

  /// From a wait's point on, which is the reason of that share of the first wait.
  void follow(PointId id, double share) {
    for (std::vector<PointId> seen;;) {
      seen.push_back(id);
      const Point q = history_.at(id);
      const PointId culprit = culprit_of(history_, q);
      ChainStep step{q.location, q.callpath, q.enter, q.wait, traits(q.kind).crossing, {}, share};
      if (culprit == no_point || history_.at(culprit).location == q.location) {
        chain_.steps.push_back(step);
        chain_.end = WaitChain::End::no_culprit;
        return;
      }
      step.culprit = history_.at(culprit).location;
      chain_.steps.push_back(step);
      const Lateness late = latenesses_.of_wait(q, culprit);
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

  /// From the wait of an idle worker on.
  void follow(const Wait& wait, const MasterAlone& alone) {
    const Lateness late = latenesses_.of_master(wait.culprit, alone);
    chain_.steps.push_back({wait.location, wait.callpath, wait.enter, wait.ticks, Crossing::fork, wait.culprit, 1});
    if (!late.is_by_wait()) return end(late, 1);
    follow(late.longest, late.share_of(late.longest_wait));
  }

 private:
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
                                   const Severities& severities) {
  std::vector<WaitChain> found(waits.size());
  const std::vector<PointId> points = points_of(history, waits);
  LatenessFinder latenesses(history);
  ChainEnds ends(history, metrics, severities);
  for (std::size_t i = 0; i < waits.size(); ++i)
    if (points[i] != no_point) ChainWalk(history, latenesses, ends, found[i]).follow(points[i], 1);
  for (const auto& [i, alone] : idle_waits(history, waits, points))
    ChainWalk(history, latenesses, ends, found[i]).follow(waits[i], alone);
  ends.look_for_lacks();
  return found;
}

}  // namespace waitstate::causes

// The lateness of the culprit of a wait: its work since the two locations had met before, less the work of the location
// that waited meanwhile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "causes/chains/wait_points.hpp"
#include "causes/history.hpp"
#include "model/call_path_order.hpp"
#include "waitstate/result/causes.hpp"

namespace waitstate::causes {

struct Lateness {
  Ticks worked = 0, most = 0, waited = 0, longest_wait = 0;
  Ticks unknown = 0;                                 ///< work beyond `worked` that there may be
  Ticks unknown_completion = 0;                      ///< the part of it in `met_in`, an operation that lacks a member
  CallPathId met_in{};                               ///< where the two had met before; none if they had not
  const LackingCalls::LackingCall* lacks = nullptr;  ///< a call that makes all of this unknown
  CallPathId root{};                                 ///< where it worked longest beyond the other, `most`
  PointId longest = no_point;                        ///< its longest wait
  LocationId location{};
  Time from = 0, to = 0;
  /// All of its work beyond the other's, and its longest waits: as many as can be shares worth telling.
  std::vector<std::pair<CallPathId, Ticks>> work_by_path{};
  std::vector<std::pair<PointId, Ticks>> longest_waits{};
  static constexpr auto most_waits = static_cast<std::size_t>(1 / WaitChain::least_share);

  void work(CallPathId c, Ticks ticks, const CallPathOrder& order) {
    if (ticks <= 0) return;
    worked += ticks;
    work_by_path.emplace_back(c, ticks);
    if (ticks > most || (ticks == most && order(c, root))) most = ticks, root = c;
  }
  void wait(PointId id, const Point& y) {
    if (y.wait > longest_wait) longest = id, longest_wait = y.wait;
    if (y.wait <= 0) return;
    const auto shorter = std::find_if(longest_waits.begin(), longest_waits.end(),
                                      [&](const auto& other) { return other.second < y.wait; });
    longest_waits.emplace(shorter, id, y.wait);
    if (longest_waits.size() > most_waits) longest_waits.pop_back();
  }
  /// It waited for as long as it worked longer in any one call path: the reason is whom it waited for most.
  bool is_by_wait() const { return longest != no_point && waited >= most; }
  /// The part of the lateness that those ticks are, 0 to 1.
  double share_of(Ticks part) const {
    return static_cast<double>(part) / static_cast<double>(worked + waited + unknown);
  }
};

/// Computes latenesses, one after the other, in the same memory.
class LatenessFinder {
 public:
  explicit LatenessFinder(const History& history)
      : history_(history),
        order_(history.recorded.call_tree),
        late_(history.recorded.call_tree.size()),
        own_(history.recorded.call_tree.size()),
        waits_(history.recorded.call_tree.size()) {}

  const CallPathOrder& order() const { return order_; }
  /// The lateness of the culprit of a wait at q.
  Lateness of_wait(const Point& q, PointId culprit);
  /// The lateness of the first thread of a process, for which the others were idle.
  Lateness of_master(LocationId master, const MasterAlone& alone);

 private:
  const History& history_;
  const CallPathOrder order_;
  PathTimes late_, own_, waits_;
};

}  // namespace waitstate::causes

// The sweep of one thread over its part of the locations (sweep.hpp says what it computes).
//
// Where a location comes to a point that waits, it tells the culprit's location (Waiter): how long it waited, what of
// later waits it owes, and what it had worked since the two met before. Where a location comes to a point that others
// waited for, all of them have told it so: it charges what it worked longer than they, and its own waits before that,
// back to where the two met, become debts (OpenSpans). A location that has not yet been told of all waits at its point
// lets others go on, the latest in time first.
//
// Nothing but a Waiter passes between locations, and sums are integers: the result does not depend on the order in
// which locations go on. Before the sweep, parts announce to each other how many waits they will tell
// (announced_waits.hpp); what is told to locations of another part goes through boxes (mail.hpp). Memory beside the
// points: 28 bytes a point, spilled; of each location whom it met last; of open spans their sums; and of spans of more
// than 32 points sums by call path of each 16, 256, … points, from the start of the earliest open one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "causes/mail.hpp"
#include "causes/sweep/announced_waits.hpp"
#include "causes/sweep/meetings.hpp"
#include "causes/sweep/open_spans.hpp"
#include "causes/sweep/waiters.hpp"

namespace waitstate::causes {

class SweepPart {
 public:
  /// `number`: of this part among the parts.
  SweepPart(const History& history, const std::vector<LocationRange>& parts, std::size_t number, Mail<Waiter>& mail,
            AnnouncedWaits& announced);

  JudgedDelays run();

 private:
  struct LocationState {
    PointIndex at = before_all;  ///< index of the point that comes next
    PointId id = no_point;       ///< its name
    Point next{};
    std::int32_t met_before = before_all;
    Meetings meetings{};
    OpenSpans spans{};
  };
  struct Ready {
    Time enter;
    LocationId location;
    bool operator<(const Ready& o) const { return enter != o.enter ? enter < o.enter : location < o.location; }
  };
  struct FoundSum {
    DelayPlace place{};
    FixedTicks* sum = nullptr;
  };
  /// The work of the location from a point to the one that is judged, which its waiters have in common.
  struct Late {
    WorkSums::Paths worked{};
    Ticks waited = 0;
    Ticks unknown = 0;   ///< work beyond that which there may be
    bool lacks = false;  ///< the trace lacks something that it depended on
  };
  FixedTicks& sum(const DelayPlace& place);
  LocationState& of(LocationId l) { return locations_[range_.place(l)]; }
  void go_to(LocationId l, PointIndex at);
  Ready ready(LocationId l) { return {of(l).next.enter, l}; }
  bool is_ready(LocationId l) {
    const PointId id = of(l).id;
    return id != no_point && waiters_.has_all(id);
  }
  bool is_last_told(PointId culprit) { return waiters_.is_last(culprit) && of(culprit.location).id == culprit; }
  std::size_t part_of(LocationId l) const;

  bool prepare();
  void put_in_order(LocationState& own, AnnouncedWaits::Sender& to_others);
  void pass(LocationId l);
  void tell_culprit(LocationState& own, PointIndex at, const Point& q);
  void take_mail();
  PointIndex previous_meeting(LocationState& own, LocationId l, PointKind kind, LocationId met) const {
    return own.meetings.previous(history_, order_, l, kind, met);
  }
  void judge(LocationState& own, PointIndex at, const Point& p, const std::vector<Waiter>& waiters);
  void look_back(PointIndex a, PointIndex at, const Point& p, Late& late);
  void charge(LocationState& own, const Point& p, const Waiter& w, PointIndex since, const Late& late,
              std::optional<std::vector<PointIndex>>& meetings);
  std::optional<PointIndex> end_of_debts(LocationState& own, const Point& p, PointIndex a,
                                         std::optional<std::vector<PointIndex>>& meetings) const;
  void before_fork(PointId id, const Point& p);
  void add_idle_work(LocationId master, std::optional<Time> from, std::optional<Time> to);
  void charge_idleness(LocationId master, PointId last);

  const History& history_;
  const Recorded& recorded_;
  const std::vector<LocationRange>& parts_;
  const std::size_t number_;
  const LocationRange range_;
  Mail<Waiter>& mail_;
  AnnouncedWaits& announced_;
  OrderedPoints order_;
  Waiters waiters_;
  std::vector<LocationState> locations_;
  WorkSums work_sums_;
  PathTimes idle_work_, idle_waits_, others_work_;
  bool idle_lacks_ = false;  ///< the waits in idle_work_ are not all known
  std::priority_queue<Ready> ready_;
  Late late_;
  Waiter outgoing_;
  std::vector<Waiter> incoming_;
  JudgedDelays judged_;
  std::vector<FoundSum> found_ = std::vector<FoundSum>(std::size_t{1} << 14);  ///< in sums_, by hash: looked at last
};

}  // namespace waitstate::causes

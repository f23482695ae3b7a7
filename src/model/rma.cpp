// Queries that all kinds of one-sided compound events answer.
#include "waitstate/pattern/rma.hpp"

#include <algorithm>

namespace waitstate {

namespace {

struct WindowOf {
  template <class T>
  RmaWinId operator()(const T& o) const {
    return o.win;
  }
};

struct FirstTime {
  Time operator()(const RmaCollective& r) const {
    Time first = ~Time{0};
    for (const CollectiveMember& m : r.collective.members) first = std::min(first, m.call->enter);
    return first;
  }
  Time operator()(const RmaAccessEpoch& e) const { return e.start.enter; }
  Time operator()(const RmaExposureEpoch& e) const { return e.post.enter; }
  Time operator()(const RmaLockEpoch& e) const { return e.locked.enter; }
  Time operator()(const RmaOperation& o) const { return o.start; }
};

struct LastTime {
  Time operator()(const RmaCollective& r) const {
    Time last = 0;
    for (const CollectiveMember& m : r.collective.members) last = std::max(last, m.call->exit);
    return last;
  }
  Time operator()(const RmaAccessEpoch& e) const { return e.complete.exit; }
  Time operator()(const RmaExposureEpoch& e) const { return e.wait.exit; }
  Time operator()(const RmaLockEpoch& e) const { return e.unlocked.exit; }
  Time operator()(const RmaOperation& o) const { return o.completion; }
};

struct TakesPart {
  LocationId l;
  bool operator()(const RmaCollective& r) const {
    return std::any_of(r.collective.members.begin(), r.collective.members.end(),
                       [&](const CollectiveMember& m) { return m.call->location == l; });
  }
  bool operator()(const RmaAccessEpoch& e) const {
    return e.start.location == l ||
           std::any_of(e.targets.begin(), e.targets.end(), [&](const RmaAccessTarget& t) { return t.target == l; });
  }
  bool operator()(const RmaExposureEpoch& e) const {
    return e.post.location == l ||
           std::any_of(e.origins.begin(), e.origins.end(), [&](const RmaExposureOrigin& o) { return o.origin == l; });
  }
  bool operator()(const RmaLockEpoch& e) const {
    return e.locked.location == l || e.target == l ||
           std::any_of(e.accesses.begin(), e.accesses.end(), [&](const RmaAccess& a) { return a.target == l; });
  }
  bool operator()(const RmaOperation& o) const { return o.origin == l || o.target == l; }
};

}  // namespace

RmaWinId window(const OneSided& o) { return std::visit(WindowOf{}, o); }
Time first_time(const OneSided& o) { return std::visit(FirstTime{}, o); }
Time last_time(const OneSided& o) { return std::visit(LastTime{}, o); }
bool takes_part(const OneSided& o, LocationId location) { return std::visit(TakesPart{location}, o); }

}  // namespace waitstate

#include "causes/path/path_walk.hpp"

#include <algorithm>
#include <vector>

#include "causes/path/segments.hpp"

namespace waitstate::causes {

namespace {

constexpr Time to_its_end = ~Time{0};

/// True if the path leaves the location at that point, or is known to come from before it.
bool ends_piece(const Point& p) {
  if (p.kind == PointKind::device) return p.leads_back;
  if (p.kind == PointKind::launch) return p.culprit != no_point;
  return p.wait > 0 || p.kind == PointKind::init || is_of_team(p.kind);
}

/// The part of a wait that lies in the call of its point.
Ticks wait_in_call(const Point& p) { return p.kind == PointKind::poll ? 0 : p.wait; }

class PathWalk {
 public:
  explicit PathWalk(Recorded& of)
      : of_(of), history_(of), order_(of.call_tree), piece_(of.call_tree.size()), segments_(order_) {}

  FoundPath walk() {
    if (const auto unknown = of_.unknown_end()) {
      found_.broken_off = {RegionId::none(), LocationId::none(), *unknown};
      return std::move(found_);
    }
    PointId to = of_.first_to_end;
    LocationId location = to == no_point ? last_to_end() : history_.at(to).location;
    found_.exists = location.valid();
    for (bool goes_on = found_.exists; goes_on;) {
      (*of_.stop)();
      goes_on = go_back(to, location);
    }
    found_.segments = segments_.finish();
    found_.unfollowed = of_.unfollowed.longest_in(std::move(passed_));
    return std::move(found_);
  }

 private:
  /// Over one piece, to the point that its location had waited for; false if the path begins there.
  bool go_back(PointId& to, LocationId& location) {
    PointId from = to == no_point ? history_.last(location) : history_.at(to).point_before();
    while (from != no_point && !ends_piece(history_.at(from))) from = history_.at(from).point_before();
    if (from != no_point && history_.at(from).on_path) return false;
    const Time end = to == no_point ? to_its_end : history_.at(to).enter;
    const std::optional<Time> since = from == no_point ? std::nullopt : std::optional(history_.at(from).enter);
    if (const LackingCalls::LackingCall* const last = of_.lacking.last_between(location, since, end)) {
      begin_after(*last, location, end);
      return false;
    }
    if (to != no_point)
      history_.add_work(from, history_.at(to), piece_);
    else
      history_.add_work_to_end(from, location, piece_);
    const Point begin = from == no_point ? Point{} : history_.at(from);
    if (from != no_point) piece_.add(begin.callpath, -std::min(wait_in_call(begin), piece_[begin.callpath]));
    book(from == no_point ? nullptr : &begin, end, location);
    piece_.clear();
    if (from == no_point || begin.kind == PointKind::init || begin.culprit == no_point) return false;
    of_.points.change(from, [](Point& p) { p.on_path = true; });
    to = begin.culprit;
    location = history_.at(to).location;
    return true;
  }

  // Whether the call waited, and for whom, is not known: what was before may not be on the path.
  void begin_after(const LackingCalls::LackingCall& call, LocationId location, Time to) {
    piece_.clear();
    of_.work.add(location, call.enter, to == to_its_end ? std::nullopt : std::optional(to), piece_);
    Point begin;
    begin.location = location, begin.callpath = call.callpath, begin.enter = call.enter;
    begin.wait = std::min(ticks_from(call.enter, call.exit), piece_[call.callpath]);
    piece_.add(call.callpath, -begin.wait);
    book(&begin, to, location);
    found_.broken_off = {of_.call_tree[call.callpath].region, location, call.lacks->words};
  }

  void book(const Point* begin, Time to, LocationId location) {
    for (const CallPathId c : piece_.touched())
      if (piece_[c] > 0) found_.times[{c, location}] += piece_[c];
    const Time end = to == to_its_end ? of_.work.last_time(location) : to;
    segments_.add(begin, end, location, piece_);
    if (of_.unfollowed.empty()) return;
    const Time from = begin == nullptr ? 0 : begin->enter + static_cast<Time>(std::max<Ticks>(0, wait_in_call(*begin)));
    if (from < end) passed_.push_back({location, from, end});
  }

  /// The first thread of a process that ends last.
  LocationId last_to_end() const {
    LocationId last;
    for (const LocationGroup& process : of_.definitions.processes)
      for (const LocationId l : process.locations)
        if (of_.definitions[l].type == LocationType::cpu_thread && of_.work.used(l)) {
          if (!last.valid() || of_.work.last_time(l) > of_.work.last_time(last)) last = l;
          break;
        }
    return last;
  }

  Recorded& of_;
  const History history_;
  const CallPathOrder order_;
  PathTimes piece_;
  Segments segments_;
  std::vector<PathPiece> passed_;  ///< empty where all waits are followed
  FoundPath found_;
};

}  // namespace

FoundPath find_path(Recorded& of) { return PathWalk(of).walk(); }

}  // namespace waitstate::causes

// The events of one location that are still to be placed: chunk by chunk, with the links of their records.
//
// Events come with the step of their chunk, links at the latest with the step of another thread of the process: the
// next event may be there before its link. Cost: a pointer and two numbers are looked at for each event.
#pragma once

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

#include "link/merge_feed.hpp"
#include "merge/open_regions.hpp"
#include "replay/chunk/chunk.hpp"
#include "util/front_queue.hpp"

namespace waitstate::merge {

struct LocationStream {
  /// The events of one chunk.
  struct Interval {
    replay::EventRows events;
    std::vector<replay::TaskEvent> tasks;  ///< in the order of their events
  };

  // These members come first, because they are read for each event.
  const replay::EventRow* rows = nullptr;  ///< events of the first interval, `count` of them
  std::size_t count = 0, next = 0;
  Time key = 0;  ///< time of the next event, never decreasing
  RegionStack stack;
  bool last = false;       ///< no more intervals will come
  bool has_link = false;   ///< `link` is the next event's
  bool in_window = false;  ///< the event from which on those of the window are still to be placed
  link::Link link;
  util::FrontQueue<link::Link> links;  ///< links of the records to come
  std::deque<Interval> intervals;
  std::size_t next_task = 0;  ///< in the first interval

  const replay::EventRow& row() const { return rows[next]; }
  /// The time at which the next event in the interval is placed: not before the events that have been placed.
  Time advance_key() { return key = std::max(key, rows[next].time); }

  /// Takes the events and task switches out of a step.
  void add(replay::EventRows& events, std::vector<replay::TaskEvent>& tasks) {
    Interval& interval = intervals.emplace_back();
    std::swap(interval.events, events);
    std::swap(interval.tasks, tasks);
  }
  /// Goes on to the next interval if all of the first one has been placed; its memory is added to `spare`. False if
  /// the next event has not been read.
  bool begin_next(std::vector<replay::EventRows>& spare) {
    if (!intervals.empty() && next == intervals.front().events.size()) {
      intervals.front().events.clear();
      spare.push_back(std::move(intervals.front().events));
      intervals.pop_front();
      next = next_task = 0;
    }
    if (intervals.empty()) return false;
    rows = intervals.front().events.rows.data();
    count = intervals.front().events.size();
    return true;
  }
  /// True if the link of the next event, which has one, is known: it is `link` then.
  bool find_link() {
    if (has_link) return true;
    if (links.empty()) return false;
    link = links.front();
    links.pop_front();
    return has_link = true;
  }
};

}  // namespace waitstate::merge

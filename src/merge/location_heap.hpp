// A heap of locations by the time of their next event; their numbers decide ties.
//
// The first location stays in its place while its events are placed (taken), and moves to the place of its next time in
// one walk down the heap, instead of one walk down to be removed and one up to come back: with many locations, each of
// which has its turn for an event or two, this is most of the cost of ordering. At each step the smaller child is
// chosen by arithmetic, since no processor guesses which it is.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "waitstate/trace/ids.hpp"

namespace waitstate::merge {

class LocationHeap {
 public:
  struct Head {
    Time time;
    LocationId location;
    bool operator<(const Head& o) const {
      return ((time < o.time) | ((time == o.time) & (location.value < o.location.value))) != 0;
    }
  };

  bool empty() const { return heads_.empty(); }
  const Head& front() const { return heads_.front(); }
  void clear() { heads_.clear(); }
  /// Adds a location that is not in it, also while the first one is taken.
  void push(const Head& head) {
    std::size_t i = heads_.size();
    heads_.push_back(head);
    for (std::size_t parent = (i - 1) / 2; i > (taken_ ? 2 : 0) && head < heads_[parent]; parent = (i - 1) / 2) {
      heads_[i] = heads_[parent];
      i = parent;
    }
    heads_[i] = head;
  }

  /// Takes the first location until put_back() or leave().
  LocationId take() {
    taken_ = true;
    return heads_.front().location;
  }
  /// True if the location that is taken would, with this head, still be the first one.
  bool stays_first(const Head& head) const {
    const std::size_t n = heads_.size();
    return !((n > 1 && heads_[1] < head) || (n > 2 && heads_[2] < head));
  }
  void put_back(const Head& head) {
    taken_ = false;
    sift_down(head);
  }
  void leave() {
    taken_ = false;
    const Head last = heads_.back();
    heads_.pop_back();
    if (!heads_.empty()) sift_down(last);
  }

 private:
  void sift_down(const Head& head) {
    const std::size_t n = heads_.size();
    std::size_t i = 0;
    for (std::size_t child = 1; child < n; child = 2 * i + 1) {
      child += static_cast<std::size_t>(child + 1 < n && heads_[child + 1] < heads_[child]);
      if (!(heads_[child] < head)) break;
      heads_[i] = heads_[child];
      i = child;
    }
    heads_[i] = head;
  }

  std::vector<Head> heads_;
  bool taken_ = false;
};

}  // namespace waitstate::merge

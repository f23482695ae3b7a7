// Times per call path. Cost: none for those that are not touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waitstate/trace/ids.hpp"

namespace waitstate::causes {

/// Zero for call paths that were not touched since the last clear().
class PathTimes {
 public:
  explicit PathTimes(std::size_t callpaths) : times_(callpaths), is_touched_(callpaths) {}
  void add(CallPathId path, Ticks ticks) {
    if (!is_touched_[path.index()]) is_touched_[path.index()] = 1, touched_.push_back(path);
    times_[path.index()] += ticks;
  }
  void set(CallPathId path, Ticks ticks) { times_[path.index()] = ticks; }
  Ticks operator[](CallPathId path) const { return times_[path.index()]; }
  const std::vector<CallPathId>& touched() const { return touched_; }
  void clear() {
    for (const CallPathId p : touched_) times_[p.index()] = 0, is_touched_[p.index()] = 0;
    touched_.clear();
  }

 private:
  std::vector<Ticks> times_;
  std::vector<std::uint8_t> is_touched_;
  std::vector<CallPathId> touched_;
};

}  // namespace waitstate::causes

// When processes were inside of MPI: only then does a library without a thread of its own take messages from the
// network, so a message cannot have come into a queue before.
//
// Keeps the calls of MPI of each location, outermost ones; beyond a number of them the oldest two become one, so that a
// process seems to have been inside between them: the answer is then too early, which keeps it a bound. Cost: 16
// bytes a call, and a search in them a message that was sent before its receive was posted.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "link/processes.hpp"
#include "replay/chunk/records.hpp"
#include "util/front_queue.hpp"

namespace waitstate::link {

class MpiPresence {
 public:
  static constexpr std::size_t most_kept = std::size_t{1} << 22, most_kept_of_each = 1024;

  /// `kept`: calls of all locations together.
  explicit MpiPresence(const Processes& processes, std::size_t kept = most_kept)
      : processes_(processes),
        kept_(std::max(kept / std::max<std::size_t>(processes.locations(), 1), most_kept_of_each)),
        locations_(processes.locations()) {}

  /// The location's next calls: enters, and exits of those and of earlier ones.
  void read(LocationId l, std::span<const replay::CallRecord> enters, std::span<const Time> exits) {
    auto& [calls, left] = locations_[l.index()];
    for (const replay::CallRecord& c : enters) calls.push_back({c.enter, ~Time{0}});
    for (const Time t : exits)
      if (left < calls.size()) calls[left++].exit = t;
    while (left > kept_) {
      const Time enter = calls.front().enter;
      calls.pop_front();
      calls.front().enter = enter;
      --left;
    }
  }

  /// The first time from `t` on at which the process was inside; `at_most` if that is earlier.
  Time first_inside(ProcessId process, Time t, Time at_most) const {
    for (const LocationId l : processes_.threads(process)) {
      const auto& calls = locations_[l.index()].calls;
      const auto after =
          std::upper_bound(calls.begin(), calls.end(), t, [](Time time, const Inside& c) { return time < c.enter; });
      if (after != calls.begin() && (after - 1)->exit > t) return std::min(t, at_most);
      if (after != calls.end()) at_most = std::min(at_most, after->enter);
    }
    return at_most;
  }

 private:
  struct Inside {
    Time enter = 0, exit = 0;  ///< the exit is ~0 while it is not known
  };
  struct LocationState {
    util::FrontQueue<Inside> calls;
    std::size_t left = 0;  ///< number of these that have an exit
  };

  const Processes& processes_;
  const std::size_t kept_;
  std::vector<LocationState> locations_;
};

}  // namespace waitstate::link

// How far each process has been read, counted from when it left MPI_Init or shmem_init (without these from its own
// first event: processes may start, and wait there, long after each other): clocks of different processes may disagree
// by any amount, but what lies far apart by this measure on both sides does not belong together. Tells one-sided epochs
// and collectives when a partner that has not been seen is not behind, but missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "link/processes.hpp"

namespace waitstate::link {

class ReadProgress {
 public:
  /// Parts that may wait for one partner. When so many do, and the partner has been read beyond where the last of them
  /// stood, they are given up: nobody is that far ahead of a partner whose records are all there.
  static constexpr std::uint32_t most_waiting = 1024;

  explicit ReadProgress(const Processes& processes) : processes_(processes), starts_(processes.size()) {}

  /// The process has left MPI_Init or shmem_init. The first time counts.
  void initialised(ProcessId process, Time t) {
    Start& start = starts_[process.index()];
    if (!start.initialised) start.time = t;
    start.initialised = true;
  }
  /// A chunk of the process that begins then has been read.
  void read(ProcessId process, Time first) {
    Start& start = starts_[process.index()];
    if (!start.started && !start.initialised) start.time = first;
    start.started = true;
  }

  /// Up to which all threads of the process have been read; the largest number there is once it has ended.
  Time progress(ProcessId process) const {
    if (processes_.ended(process)) return ~Time{0};
    Time least = ~Time{0};
    for (const LocationId t : processes_.threads(process))
      if (!processes_.at_end(t)) least = std::min(least, processes_.read_up_to(t));
    return starts_[process.index()].started ? progress_at(process, least) : 0;
  }
  /// Where the process was at a time of its clock.
  Time progress_at(ProcessId process, Time t) const {
    const Time start = starts_[process.index()].time;
    return t > start ? t - start : 0;
  }

 private:
  struct Start {
    Time time = 0;
    bool started = false, initialised = false;
  };

  const Processes& processes_;
  std::vector<Start> starts_;
};

}  // namespace waitstate::link

// How far each process has been read, counted from when it left MPI_Init or shmem_init (without these from its own
// first event: processes may start, and wait there, long after each other): clocks of different processes may disagree
// by any amount, but what lies far apart by this measure on both sides does not belong together. Tells one-sided epochs
// and collectives when a partner that has not been seen is not behind, but missing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "link/processes.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class ReadProgress {
 public:
  /// Parts that may wait for one partner: if it comes to its next one when so many do, they are given up, since nobody
  /// is that far ahead of a partner whose records are all there.
  static constexpr std::uint32_t most_waiting = 1024;

  ReadProgress(const Definitions& definitions, const Processes& processes)
      : processes_(processes), starts_(processes.size()) {
    for (const Region& r : definitions.regions)
      may_initialise_ =
          may_initialise_ || initialises_or_finalizes(r.mpi_function) || r.region_class == RegionClass::shmem_init_exit;
  }

  /// The process has left MPI_Init or shmem_init. The first time counts.
  void initialised(ProcessId process, Time t) {
    Start& start = starts_[process.index()];
    if (!start.initialised) start.time = t;
    start.initialised = true;
  }
  /// A chunk of the process that begins then is read, with one-sided records or without.
  void read(ProcessId process, Time first, bool has_records) {
    Start& start = starts_[process.index()];
    if (!start.started && !start.initialised) start.time = first;
    start.started = true;
    start.acts = start.acts || has_records;
  }

  /// Up to which all threads of the process have been read; the largest number there is once it has ended. 0 as long as
  /// MPI_Init may still come.
  Time progress(ProcessId process) const {
    if (processes_.ended(process)) return ~Time{0};
    Time least = ~Time{0};
    for (const LocationId t : processes_.threads(process))
      if (!processes_.at_end(t)) least = std::min(least, processes_.read_up_to(t));
    const Start& start = starts_[process.index()];
    const bool begun = start.initialised || start.acts || (start.started && !may_initialise_);
    return begun ? progress_at(process, least) : 0;
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
    bool acts = false;  ///< it has had one-sided records
  };

  const Processes& processes_;
  bool may_initialise_ = false;
  std::vector<Start> starts_;
};

}  // namespace waitstate::link

// How far each process has been read, counted from when it left MPI_Init or shmem_init (without these from its own
// first event: processes may start, and wait there, long after each other): clocks of different processes may disagree
// by any amount, but what lies far apart by this measure on both sides does not belong together. Tells one-sided epochs
// and collectives when a partner that has not been seen is not behind, but missing.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "waitstate/definitions.hpp"

namespace waitstate::link {

class RmaReading {
 public:
  /// Parts that may wait for one partner. When so many do, and the partner has been read beyond where the last of them
  /// stood, they are let go: nobody is that far ahead of a partner whose records are all there.
  static constexpr std::uint32_t most_waiting = 1024;

  explicit RmaReading(const Definitions& definitions)
      : definitions_(definitions), locations_(definitions.locations.size()), processes_(definitions.processes.size()) {
    for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
      const Location& l = definitions.locations[i];
      if (l.process.valid() && l.type != LocationType::accelerator_stream && l.type != LocationType::metric)
        processes_[l.process.index()].threads.push_back(LocationId{i});
    }
  }

  /// Locations of the process that can communicate.
  const std::vector<LocationId>& threads(ProcessId process) const { return processes_[process.index()].threads; }

  /// The process has left MPI_Init or shmem_init. The first time counts.
  void initialised(ProcessId id, Time t) {
    Process& process = processes_[id.index()];
    if (!process.initialised) process.first = t;
    process.initialised = true;
  }
  void read(LocationId l, Time first, Time up_to, bool at_end) {
    if (!definitions_[l].process.valid()) return;
    Process& process = processes_[definitions_[l].process.index()];
    if (!process.started && !process.initialised) process.first = first;
    process.started = true;
    locations_[l.index()] = {up_to, at_end};
  }
  void end(ProcessId process) { processes_[process.index()].ended = true; }

  Time read_up_to(LocationId l) const { return locations_[l.index()].read; }
  bool at_end(LocationId l) const { return locations_[l.index()].at_end; }
  /// Up to which all threads of the process have been read; the largest number there is once it has ended.
  Time progress(ProcessId process) const {
    const Process& p = processes_[process.index()];
    if (p.ended) return ~Time{0};
    Time least = ~Time{0};
    for (const LocationId t : p.threads)
      if (!locations_[t.index()].at_end) least = std::min(least, locations_[t.index()].read);
    return p.started && least > p.first ? least - p.first : 0;
  }
  /// Where the process was at a time of its clock.
  Time progress_at(ProcessId process, Time t) const {
    const Process& p = processes_[process.index()];
    return t > p.first ? t - p.first : 0;
  }

 private:
  struct LocationState {
    Time read = 0;
    bool at_end = false;
  };
  struct Process {
    std::vector<LocationId> threads;
    Time first = 0;
    bool started = false, initialised = false, ended = false;
  };

  const Definitions& definitions_;
  std::vector<LocationState> locations_;
  std::vector<Process> processes_;
};

}  // namespace waitstate::link

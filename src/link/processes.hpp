// The processes that messages go between: which locations each has, and how far these have been processed. Locations
// without a process are taken as one more, behind the last. Cost: an index.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "link/exchange/homes.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class Processes {
 public:
  /// `homes` may be null: then all processes are the worker's own.
  explicit Processes(const Definitions& definitions, const Homes* homes = nullptr, WorkerId worker = 0)
      : homes_(homes),
        worker_(worker),
        locations_(definitions.locations.size()),
        processes_(definitions.processes.size() + 1),
        ended_(processes_.size()) {
    for (std::size_t i = 0; i < locations_.size(); ++i) {
      const Location& l = definitions.locations[i];
      ids_.push_back(l.process.valid() ? l.process : ProcessId{definitions.processes.size()});
      if (communicates(l)) processes_[ids_[i].index()].threads.push_back(LocationId{i});
    }
  }

  /// Streams of accelerators and recorders of metrics are nobody's partners.
  static bool communicates(const Location& l) {
    return l.type != LocationType::accelerator_stream && l.type != LocationType::metric;
  }

  /// The home of the process; 0 if there is only one worker.
  WorkerId home(ProcessId p) const { return homes_ == nullptr ? 0 : homes_->of(p); }
  bool is_own(ProcessId p) const { return homes_ == nullptr || homes_->of(p) == worker_; }

  /// That of locations without a process included.
  std::size_t size() const { return processes_.size(); }
  std::size_t locations() const { return locations_.size(); }
  ProcessId of(LocationId l) const { return ids_[l.index()]; }
  /// None if the location has none.
  ProcessId recorded(LocationId l) const { return of(l).index() + 1 == processes_.size() ? ProcessId::none() : of(l); }
  /// Locations of the process that communicate.
  std::span<const LocationId> threads(ProcessId p) const { return processes_[p.index()].threads; }

  /// A chunk from `first` to `up_to` has been processed.
  void read(LocationId l, Time first, Time up_to, bool at_end) {
    Process& process = processes_[of(l).index()];
    if (!process.started) process.first = first;
    process.started = true;
    locations_[l.index()] = {up_to, static_cast<Ticks>(up_to - process.first), at_end};
  }
  bool at_end(LocationId l) const { return locations_[l.index()].at_end; }
  /// Time of the last event that has been processed, 0 if there is none.
  Time read_up_to(LocationId l) const { return locations_[l.index()].read; }
  /// The same since the first event of the process; less than 0 if there is none.
  Ticks progress(LocationId l) const { return locations_[l.index()].progress; }

  bool all_at_end(ProcessId p) const {
    return std::all_of(threads(p).begin(), threads(p).end(), [&](LocationId t) { return at_end(t); });
  }
  /// All of it has been processed, what waited for an order among its threads included.
  void end(ProcessId p) { ended_[p.index()] = 1; }
  bool ended(ProcessId p) const { return ended_[p.index()] != 0; }

 private:
  struct LocationState {
    Time read = 0;
    Ticks progress = -1;
    bool at_end = false;
  };
  struct Process {
    std::vector<LocationId> threads;
    Time first = 0;
    bool started = false;
  };

  const Homes* const homes_;
  const WorkerId worker_;
  std::vector<LocationState> locations_;
  std::vector<Process> processes_;
  // These are looked up for the partners of messages, so they lie side by side: with many locations, states are in no
  // cache.
  std::vector<ProcessId> ids_;       ///< by location
  std::vector<std::uint8_t> ended_;  ///< by process
};

}  // namespace waitstate::link

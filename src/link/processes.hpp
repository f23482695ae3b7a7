// The processes that messages go between: which locations each has, and how far these have been processed. Locations
// without a process are taken as one more, behind the last. Cost: an index.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "link/exchange/homes.hpp"
#include "util/paged_table.hpp"
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
    for (const Location& l : definitions.locations)
      ids_.push_back(l.process.valid() ? l.process : ProcessId{definitions.processes.size()});
    all_ = Lists(*this, [](LocationId) { return true; });
    threads_ = Lists(*this, [&](LocationId l) { return communicates(definitions[l]); });
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
  std::span<const LocationId> all(ProcessId p) const { return all_.of(p); }
  /// Locations of the process that communicate.
  std::span<const LocationId> threads(ProcessId p) const { return threads_.of(p); }

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
    Time first = 0;
    bool started = false;
  };
  /// Locations by process, in one piece of memory.
  class Lists {
   public:
    Lists() = default;
    template <class Takes>
    Lists(const Processes& processes, Takes&& takes) : begins_(processes.size() + 1) {
      const auto each = [&](auto&& use) {
        for (std::size_t l = 0; l < processes.locations(); ++l)
          if (takes(LocationId{l})) use(LocationId{l}, processes.ids_[l].index());
      };
      each([&](LocationId, std::size_t p) { ++begins_[p + 1]; });
      std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
      locations_.resize(begins_.back());
      std::vector<std::uint32_t> next = begins_;
      each([&](LocationId l, std::size_t p) { locations_[next[p]++] = l; });
    }
    std::span<const LocationId> of(ProcessId p) const {
      return std::span(locations_).subspan(begins_[p.index()], begins_[p.index() + 1] - begins_[p.index()]);
    }

   private:
    std::vector<std::uint32_t> begins_;  ///< by process, and the end of all
    std::vector<LocationId> locations_;
  };

  const Homes* const homes_;
  const WorkerId worker_;
  util::PagedTable<LocationState> locations_;
  util::PagedTable<Process> processes_;
  Lists all_, threads_;
  // These are looked up for the partners of messages, so they lie side by side: with many locations, states are in no
  // cache.
  std::vector<ProcessId> ids_;       ///< by location
  std::vector<std::uint8_t> ended_;  ///< by process
};

}  // namespace waitstate::link

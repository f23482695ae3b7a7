// Which worker has which process: the home of everything that the process did.
//
// A unit is never divided among workers: a process with all its threads; a process and the one whose streams
// are in a group of their own; processes that share a team of threads; and all locations without a process together, as
// these are matched as one process. Units are dealt in blocks of neighbours with about as many events each: neighbours
// talk to each other more than to others, so fewer messages go from one worker to another.
//
// Cost: an index. Memory: four bytes a process and a location.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "waitstate/trace/definitions.hpp"

namespace waitstate::peers {
class Peers;
}

namespace waitstate::link {

/// Number of a worker.
using WorkerId = std::uint32_t;

class Homes {
 public:
  /// At most so many workers: never more than there are units.
  Homes(const Definitions& definitions, std::size_t workers);

  /// Number of workers, at least one; each has a location, if there is any.
  std::size_t workers() const { return workers_; }
  /// The process behind the last stands for locations without one.
  WorkerId of(ProcessId p) const { return by_process_[p.index()]; }
  WorkerId of(LocationId l) const { return by_location_[l.index()]; }
  /// The locations of a worker, in their order.
  std::vector<LocationId> locations(WorkerId worker) const;

 private:
  std::size_t workers_ = 1;
  std::vector<WorkerId> by_process_, by_location_;
};

/// The workers of this peer: a block of all workers.
struct OwnWorkers {
  WorkerId first = 0, last = 0;  ///< behind the last

  /// The block of a peer; without peers, all workers.
  static OwnWorkers of(const peers::Peers* peers, int rank, std::size_t workers);
  static OwnWorkers of(const peers::Peers* peers, std::size_t workers);
  bool has(WorkerId w) const { return first <= w && w < last; }
};

}  // namespace waitstate::link

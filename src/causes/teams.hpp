// The parallel regions of the program: where threads forked teams, and what was found of teams that are not followed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "causes/points/point.hpp"
#include "util/spill/spilled_vector.hpp"

namespace waitstate::causes {

struct Teams {
  /// A parallel region: the time from the join before it to its fork belongs to its first thread alone.
  struct Fork {
    LocationId master;              ///< its first thread
    std::uint32_t next = no_group;  ///< the next fork of a team of the same communicator
    Time after = 0, time = 0;       ///< the join before it, if it is not the first; the fork
    Time first_enter = ~Time{0};    ///< the first enter of the region by any of its threads
    Time join = ~Time{0};
    bool is_first = true;      ///< there is no join before it
    PointId point = no_point;  ///< the point of the first thread
  };
  /// The state of a thread, while marks are gone through and after the last one.
  struct Thread {
    std::uint32_t fork = no_group;  ///< the fork of its latest team
    bool own = false;               ///< it forked that team itself
    bool in = false;                ///< in the parallel region, or about to enter it
    bool entered = false;           ///< in it
    bool has_forked = false, has_joined = false;
    Time joined = 0;
  };

  explicit Teams(std::size_t bytes_in_memory) : forks(bytes_in_memory) {}

  /// The join of the last parallel region of a process; none if it was in one when the trace ended.
  std::optional<Time> last_join(LocationId master) const;
  /// Locations that have forked.
  std::vector<LocationId> masters() const;

  util::SpilledVector<Fork> forks;
  std::map<LocationId, Thread> threads;
  bool has_others = false;          ///< tasks without teams, or teams whose fork is not known
  bool has_inner_barriers = false;  ///< there are barriers of teams within teams
  bool has_tasks = false;           ///< there are explicit tasks
};

}  // namespace waitstate::causes

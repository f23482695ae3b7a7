// When the targets of a call were outside of MPI while it waited for them: a target makes progress only inside.
//
// Keeps the MPI calls of each location since the earliest call that may still ask. Of those that a target entered
// while a call waited the last 65,536 count, and what it did before them is taken for one call: so a process which
// hangs in a call for the whole run costs no more, and what it waited for before is found too short, whoever is read
// first. Cost: of calls that end while their target is in MPI what the target called meanwhile. Memory: these calls,
// and those by which a target is ahead.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "link/rma/joined_gaps.hpp"
#include "util/front_queue.hpp"
#include "util/paged_table.hpp"
#include "waitstate/trace/definitions.hpp"

namespace waitstate::link {

class ProgressGaps {
 public:
  explicit ProgressGaps(const Definitions& definitions)
      : definitions_(definitions), library_(definitions.locations.size()) {}

  /// `enters`: MPI calls that the location has entered, whose exits are unknown; `exits`: of those that it has left.
  void read(LocationId l, std::span<const Call> enters, std::span<const Time> exits);
  /// Nobody asks for times before t any more, and no call that asks ends before `exit`.
  void forget_before(Time t, Time exit);

  // One call after the other: the time in which it needs its targets, then these, then the gaps.
  void begin(Time from, Time exit);
  void add_target(ProcessId target);
  /// The times in which the targets were outside of MPI. Valid until begin() and read().
  std::vector<ProgressGap>& gaps() { return gaps_; }

 private:
  static constexpr std::ptrdiff_t most_counted = std::ptrdiff_t{1} << 16;
  using Library = util::FrontQueue<Call>;
  struct LocationState {
    Library calls;         ///< the exit is ~0 while it is not known
    std::size_t left = 0;  ///< number of these that have an exit
    bool known = false;    ///< listed in known_
  };
  /// The calls that a target's location entered while the call waited.
  struct During {
    const Call *begin, *end;
    bool cut;  ///< true if there are more than count
  };
  During during(LocationId l) const;
  void add_all(ProcessId target);

  const Definitions& definitions_;
  util::PagedTable<LocationState> library_;  ///< by location
  std::vector<LocationId> known_;            ///< locations that have had calls
  Time from_ = 0, exit_ = 0;                 ///< the time of the call
  std::vector<const Call*> inside_;          ///< scratch of add_all()
  std::vector<ProgressGap> gaps_;
};

}  // namespace waitstate::link

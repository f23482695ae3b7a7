// When the targets of a call were outside of MPI while it waited for them: a target makes progress only inside.
//
// Keeps the MPI calls of each location since the earliest call that may still ask. Of those that a target entered
// while a call waited the last 65,536 count, and what it did before them is taken for one call: so a process which
// hangs in a call for the whole run costs no more, and what it waited for before is found too short, whoever is read
// first. Cost: of calls that end while their target is in MPI what the target called meanwhile. Memory: these calls,
// and those by which a target is ahead.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "util/front_queue.hpp"
#include "util/paged_table.hpp"
#include "waitstate/pattern/rma.hpp"
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

  // One call after the other: its time from `from` on, then its targets, then the gaps.
  void begin(const Call& call, Time from);
  void add_target(ProcessId target);
  /// The times in which targets were outside of MPI, without overlaps; of several targets the one whose time begins
  /// first counts. Valid until begin().
  std::span<const RmaProgressGap> gaps();

 private:
  static constexpr std::ptrdiff_t most_counted = std::ptrdiff_t{1} << 16;
  using Library = util::FrontQueue<Call>;
  struct LocationState {
    Library calls;         ///< the exit is ~0 while it is not known
    std::size_t left = 0;  ///< number of these that have an exit
    bool known = false;    ///< listed in known_
  };
  struct Gap {  ///< as RmaProgressGap
    Time begin = 0, end = 0;
    const Call* next = nullptr;
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
  const Call* call_ = nullptr;
  Time from_ = 0;
  std::vector<const Call*> inside_;  ///< scratch of add_all()
  std::vector<Gap> all_gaps_;
  std::vector<RmaProgressGap> gaps_;
  std::deque<Call> left_later_;  ///< calls that gaps_ refers to and that ended after the call did
};

}  // namespace waitstate::link

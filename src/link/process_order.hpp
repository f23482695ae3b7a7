// Brings the records of a process's threads into one order, that of time: MPI orders messages by process, and any
// thread may complete what another one started. A process with one thread needs none of this; its records are linked
// straight from the chunk.
//
// The order is that of time, and for records of one time that of the threads. A record is taken as soon as no thread of
// the process can bring one that comes before it: so the order is the same however far each has been read. Cost: a look
// at each thread of the process a record. Memory: how far the threads have been read apart.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "link/calls.hpp"
#include "link/processes.hpp"
#include "util/front_queue.hpp"
#include "util/paged_table.hpp"

namespace waitstate::link {

/// Record: has a `time`.
template <class Record>
class ProcessOrder {
 public:
  struct Queued {
    Record record;
    CallRef call;
  };

  explicit ProcessOrder(const Processes& processes) : processes_(processes), queues_(processes.locations()) {}

  void add(LocationId l, const Record& record, CallRef call) { queues_[l.index()].push_back({record, call}); }

  /// Calls take(location, record, call) for each record that is next, and forgets it.
  template <class Take>
  void take(ProcessId process, Take&& take) {
    for (LocationId next = next_of(process); next.valid(); next = next_of(process)) {
      const Queued q = queues_[next.index()].front();
      queues_[next.index()].pop_front();
      take(next, q.record, q.call);
    }
  }

  /// The oldest that has not been taken; null if there is none.
  const Queued* oldest(LocationId l) const {
    return queues_[l.index()].empty() ? nullptr : &queues_[l.index()].front();
  }

  /// No record of any process of the worker that is still to be taken is earlier than this.
  Time watermark() const {
    Time least = ~Time{0};
    for (std::size_t p = 0; p < processes_.size(); ++p)
      if (processes_.is_own(ProcessId{p}))
        for (const LocationId t : processes_.threads(ProcessId{p})) least = std::min(least, earliest(t));
    return least;
  }

 private:
  Time earliest(LocationId t) const {
    if (const Queued* const q = oldest(t)) return q->record.time;
    return processes_.at_end(t) ? ~Time{0} : processes_.read_up_to(t);
  }

  // The thread whose record is next; none if some thread may still bring an earlier one.
  LocationId next_of(ProcessId process) const {
    LocationId next;
    Time first = 0;
    std::pair bound{~Time{0}, LocationId::none()};  // only records before the bound may be taken
    for (const LocationId t : processes_.threads(process)) {
      const Queued* const q = oldest(t);
      if (q == nullptr) {
        bound = std::min(bound, {earliest(t), t});
      } else if (!next.valid() || q->record.time < first) {
        next = t;
        first = q->record.time;
      }
    }
    return next.valid() && std::pair{first, next} < bound ? next : LocationId::none();
  }

  const Processes& processes_;
  util::PagedTable<util::FrontQueue<Queued>> queues_;  ///< by location
};

}  // namespace waitstate::link

// What the message queues of the trace were (waitstate/result/message_queues.hpp): keeps when each message was sent and
// its receive posted, until all is read, and then goes through the queues of one process after the other.
//
// A message is known when its receive completes, long after others came and went: how long a queue was then cannot be
// told at once, whatever is kept of what is open. So the pass only notes two times a message, and at the end they are
// brought into the order of time. Beyond a number of them, they are sorted and put into the scratch file, from which
// the sorted runs are merged. Cost: 40 bytes written a message, and sorting. Memory: one run (16 MB) while reading,
// then a block of each run (160 KiB), the entries that are in queues at once, and 96 bytes for each call path and
// location that posts receives.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/queue_entry.hpp"
#include "analysis/queue_places.hpp"
#include "util/scratch_file.hpp"
#include "waitstate/result/message_queues.hpp"

namespace waitstate::analysis {

class QueueLog {
 public:
  static constexpr std::size_t most_in_memory = (std::size_t{16} << 20) / sizeof(QueueEntry);

  /// `in_memory`: entries from which on they are put into the scratch file.
  explicit QueueLog(std::size_t in_memory = most_in_memory) : in_memory_(in_memory) {}

  void add(const QueueEntry& entry) {
    if (entry.posted == entry.sent) return;  // in no queue
    if (entries_.size() >= in_memory_) set_aside();
    entries_.push_back(entry);
  }
  /// All queues of a run from `from` to `to`. Once, after the last add(). `places`, if it is not null, gets what is
  /// charged to call paths.
  MessageQueues profile(Time from, Time to, QueuePlaces* places = nullptr);

  /// Entries that are in the scratch file.
  std::size_t aside() const { return static_cast<std::size_t>(file_.size() / sizeof(QueueEntry)); }

 private:
  class Merge;
  struct SortedRun {
    std::uint64_t place = 0;
    std::size_t count = 0;
  };

  void set_aside();

  std::size_t in_memory_;
  std::vector<QueueEntry> entries_;
  std::vector<SortedRun> runs_;
  util::ScratchFile file_;
};

}  // namespace waitstate::analysis

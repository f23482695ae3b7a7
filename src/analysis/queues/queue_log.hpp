// The message queues of the trace (waitstate/result/message_queues.hpp): keeps when each message was sent and its
// receive posted, until everything is read, and then goes through the queues of one process after the other.
//
// A message is known when its receive completes, long after others came and went, so the length of a queue at that time
// cannot be known at once, whatever is kept of open messages. So the pass only notes two times a message, and at the
// end they are put into the order of time. Beyond a number of entries, they are sorted and put into the scratch file,
// from which the sorted runs are merged. Cost: 40 bytes written a message, and sorting. Memory: one run (16 MB) while
// reading, then a block of each run (160 KiB), the entries that are in queues at once, and 96 bytes for each call path
// and location that posts receives.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/queues/queue_entry.hpp"
#include "analysis/queues/queue_places.hpp"
#include "util/spill/scratch_file.hpp"
#include "waitstate/result/message_queues.hpp"

namespace waitstate::analysis {

class QueueLog {
 public:
  static constexpr std::size_t most_in_memory = (std::size_t{16} << 20) / sizeof(QueueEntry);

  /// `in_memory` is the number of entries from which on they are put into the scratch file.
  explicit QueueLog(std::size_t in_memory = most_in_memory) : in_memory_(in_memory) {}

  void add(const QueueEntry& entry) {
    if (entry.posted == entry.sent) return;  // it was in no queue
    if (entries_.size() >= in_memory_) set_aside();
    entries_.push_back(entry);
  }
  /// Adds the entries of another log.
  void merge(const QueueLog& other);
  /// Calls visit(entry) for all, in their order.
  void each(const std::function<void(const QueueEntry&)>& visit) const;
  /// Brings the entries to a log of another process.
  template <class Archive>
  void travel(Archive& archive) {
    bool more = true;
    QueueEntry entry;
    if constexpr (Archive::reads) {
      for (archive(more); more; archive(more)) {
        archive(entry);
        add(entry);
      }
    } else {
      each([&](const QueueEntry& e) {
        entry = e;
        archive(more, entry);
      });
      more = false;
      archive(more);
    }
  }
  /// All queues of a run from `from` to `to`. Call it once, after the last add(). If `places` is not null, it receives
  /// the values that are charged to call paths.
  MessageQueues profile(Time from, Time to, QueuePlaces* places = nullptr);

  /// Number of entries in the scratch file.
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

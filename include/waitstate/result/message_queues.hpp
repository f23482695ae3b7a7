// The message queues of each process, as far as a trace shows them: receives that were posted before their message had
// been sent, and messages that had been sent before their receive was posted.
//
// A library's own queues are in no trace. These queues bound them: a receive lay in the posted queue at least as long
// as it does here, a message in the unexpected queue at most as long - it may have been on its way, or have waited
// outside while its receiver was not in MPI. Receives that were cancelled are in neither, and a message that a matched
// probe removed stays until MPI_Mrecv.
#pragma once

#include <cstdint>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// The values of one queue.
struct QueueProfile {
  std::uint64_t entered = 0;          ///< entries that were in it for some time
  std::uint64_t remaining = 0;        ///< entries that were still in it at the end of the run
  std::uint64_t greatest_length = 0;  ///< largest number of entries at once; entries that leave at a time do so before
                                      ///< others enter
  Ticks populated = 0;                ///< time in which it was not empty
  Ticks total = 0;                    ///< sum of the times of all entries in it
  Ticks least = 0, greatest = 0;      ///< shortest and longest time of an entry in it; both 0 if there was none
  // Places of the entries when they were removed, counted from 1 in the order in which entries came in; remaining
  // entries do not count. This models how far a library searches; it is not a time.
  std::uint64_t search_total = 0, search_greatest = 0;  ///< place among the entries of its communicator, as in a
                                                        ///< library with one list
  std::uint64_t source_total = 0, source_greatest = 0;  ///< place among the entries of its communicator and sender, as
                                                        ///< in a library with a list for each sender

  std::uint64_t searches() const { return entered - remaining; }
  friend bool operator==(const QueueProfile&, const QueueProfile&) = default;
};

/// The value that a metric takes from the queues (MetricSpec::queue_value): charged to the call path and location at
/// which the receive was posted, for messages that were received.
enum class QueueValue : std::uint8_t {
  none,
  posted_length,         ///< most entries at once when a receive had been posted; a maximum
  posted_stay,           ///< longest time of an entry; a maximum
  posted_populated,      ///< time in which the queue was not empty, charged to the entry that left it empty
  posted_places,         ///< sum of the places from which entries were removed: QueueProfile::search_total
  posted_sender_places,  ///< sum of the places among entries of one sender: QueueProfile::source_total
  posted_least_stay,     ///< shortest time of an entry; a minimum
  unexpected_length,     ///< most entries at once when a receive was posted and removed one of them; a maximum
  unexpected_stay,
  unexpected_populated,
  unexpected_places,
  unexpected_sender_places,
  unexpected_least_stay,
};
inline constexpr std::size_t queue_values = 6;  ///< number of values for each queue
constexpr Aggregation aggregation(QueueValue v) {
  const bool is_greatest = v == QueueValue::posted_length || v == QueueValue::posted_stay ||
                           v == QueueValue::unexpected_length || v == QueueValue::unexpected_stay;
  const bool is_least = v == QueueValue::posted_least_stay || v == QueueValue::unexpected_least_stay;
  return is_greatest ? Aggregation::maximum : is_least ? Aggregation::minimum : Aggregation::sum;
}

/// The queues in one of the equal parts of the run.
struct QueuePart {
  std::uint64_t posted_greatest = 0, unexpected_greatest = 0;  ///< longest queue of a process
  double posted_mean = 0, unexpected_mean = 0;  ///< number of entries of all chosen processes together, as a mean over
                                                ///< time
  friend bool operator==(const QueuePart&, const QueuePart&) = default;
};

/// The queues of a process, for all communicators together or for one.
struct QueueRow {
  ProcessId process;
  CommId comm;  ///< none for the row of all communicators, which includes entries of no known communicator (receives
                ///< that never completed)
  QueueProfile posted, unexpected;
  std::vector<QueuePart> parts{};  ///< parts of these queues; only the `most_with_parts` longest ones have them
  friend bool operator==(const QueueRow&, const QueueRow&) = default;
};

/// The queues of the chosen processes in the whole run, whatever part of its time is chosen.
struct MessageQueues {
  static constexpr std::size_t part_count = 50, most_with_parts = 256;

  bool known = false;            ///< false if no pattern asked for queues (PatternInfo::message_queues): all else is
                                 ///< then empty
  std::vector<QueueRow> rows;    ///< by process and communicator; the row of all communicators comes first
  Time from = 0, to = 0;         ///< times of the first and last event of the run
  std::vector<QueuePart> parts;  ///< for all processes: `part_count` parts, or none
  friend bool operator==(const MessageQueues&, const MessageQueues&) = default;
};

}  // namespace waitstate

// The message queues of each process as a trace lets them be told: the receives that were posted before their message
// had been sent, and the messages that had been sent before their receive was posted.
//
// A library's own queues are in no trace. What is here bounds them: a receive lay in the posted queue at least as long
// as said, a message in the unexpected queue at most so long - it may have been on its way, or have waited outside
// while its receiver was not in MPI. Receives that were cancelled are in neither, and a message that a matched probe
// took out is there until MPI_Mrecv.
#pragma once

#include <cstdint>
#include <vector>

#include "waitstate/result/metrics.hpp"
#include "waitstate/trace/ids.hpp"

namespace waitstate {

/// What is known of one queue.
struct QueueProfile {
  std::uint64_t entered = 0;          ///< entries that were in it for some time
  std::uint64_t remaining = 0;        ///< of them, those that were still in it at the end of the run
  std::uint64_t greatest_length = 0;  ///< entries at once; what leaves at a time leaves before what enters then
  Ticks populated = 0;                ///< time in which it was not empty
  Ticks total = 0;                    ///< sum of the times of all entries in it
  Ticks least = 0, greatest = 0;      ///< shortest and longest time of an entry in it; both 0 if there was none
  // Where an entry stood when it was taken out, counted from 1 in the order in which entries came in; not of what
  // remained. A model of how far a library searches, never a time.
  std::uint64_t search_total = 0, search_greatest = 0;  ///< among those of its communicator: one list
  std::uint64_t source_total = 0, source_greatest = 0;  ///< of its communicator and sender: a list for each sender

  std::uint64_t searches() const { return entered - remaining; }
  friend bool operator==(const QueueProfile&, const QueueProfile&) = default;
};

/// What a metric takes from the queues (MetricSpec::queue_value): charged to the call path and location of the posting
/// of the receive, of messages that were received.
enum class QueueValue : std::uint8_t {
  none,
  posted_length,         ///< most entries at once when a receive had been posted; a maximum
  posted_stay,           ///< longest time of an entry; a maximum
  posted_populated,      ///< time in which the queue was not empty, of the entry that left it empty
  posted_places,         ///< sum of places from which entries were taken: QueueProfile::search_total
  posted_sender_places,  ///< QueueProfile::source_total
  posted_least_stay,     ///< shortest time of an entry; a minimum
  unexpected_length,     ///< most entries at once when a receive was posted and took one of them; a maximum
  unexpected_stay,
  unexpected_populated,
  unexpected_places,
  unexpected_sender_places,
  unexpected_least_stay,
};
inline constexpr std::size_t queue_values = 6;  ///< of each queue
constexpr Aggregation aggregation(QueueValue v) {
  const bool is_greatest = v == QueueValue::posted_length || v == QueueValue::posted_stay ||
                           v == QueueValue::unexpected_length || v == QueueValue::unexpected_stay;
  const bool is_least = v == QueueValue::posted_least_stay || v == QueueValue::unexpected_least_stay;
  return is_greatest ? Aggregation::maximum : is_least ? Aggregation::minimum : Aggregation::sum;
}

/// One of the equal parts of the run: what queues were like in it.
struct QueuePart {
  std::uint64_t posted_greatest = 0, unexpected_greatest = 0;  ///< longest queue of a process
  double posted_mean = 0, unexpected_mean = 0;  ///< entries, of all processes in question together, mean over time
  friend bool operator==(const QueuePart&, const QueuePart&) = default;
};

/// The queues of a process, of all communicators together or of one.
struct QueueRow {
  ProcessId process;
  CommId comm;  ///< none: all, and what is of no known communicator (receives that never completed)
  QueueProfile posted, unexpected;
  std::vector<QueuePart> parts{};  ///< of these queues; of the `most_with_parts` longest ones, none of the others
  friend bool operator==(const QueueRow&, const QueueRow&) = default;
};

/// Of the whole run, whatever part of its time is chosen; of the processes that are chosen.
struct MessageQueues {
  static constexpr std::size_t part_count = 50, most_with_parts = 256;

  bool known = false;            ///< false: nobody asked (patterns with PatternInfo::message_queues), all else is empty
  std::vector<QueueRow> rows;    ///< by process and communicator, that of all communicators first
  Time from = 0, to = 0;         ///< the run: times of its first and last event
  std::vector<QueuePart> parts;  ///< of all processes: `part_count` of them, or none
  friend bool operator==(const MessageQueues&, const MessageQueues&) = default;
};

}  // namespace waitstate

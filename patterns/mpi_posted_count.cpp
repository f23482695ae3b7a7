#include <algorithm>

#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class QueuesPattern : public Pattern {
  static constexpr MetricHandle posted_count{0}, posted_time{1}, unexpected_count{2}, unexpected_time{3},
      unexpected_bytes{4}, unexpected_seen_time{5}, posted_time_most{16};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_posted_count",
                     .unit = Unit::occurrences,
                     .title = "Receives posted first",
                     .summary = "Number of messages whose receive was posted before they were sent, so that they were "
                                "not unexpected."},
                    {.id = "mpi_posted_time",
                     .title = "Time in the posted queue (at least)",
                     .summary = "Time from the posting of a receive to the start of its send: the receive was in the "
                                "queue of posted receives at least that long."},
                    {.id = "mpi_unexpected_count",
                     .unit = Unit::occurrences,
                     .title = "Unexpected messages (at most)",
                     .summary = "Number of messages that were sent before their receive was posted: at most that many "
                                "arrived unexpected."},
                    {.id = "mpi_unexpected_time",
                     .title = "Time in the unexpected queue (at most)",
                     .summary = "Time from the start of a send to the posting of its receive: the message was in the "
                                "queue of unexpected messages at most that long."},
                    {.id = "mpi_unexpected_bytes",
                     .unit = Unit::bytes,
                     .title = "Bytes of unexpected messages (at most)",
                     .summary = "Bytes of the messages that were sent before their receive was posted."},
                    {.id = "mpi_unexpected_seen_time",
                     .parent = "mpi_unexpected_time",
                     .title = "Time in the unexpected queue since the receiver was in MPI (at most)",
                     .summary = "Time in the unexpected queue, without the time after the send in which the receiver "
                                "had not been in MPI yet: a library without a thread of its own could not have taken "
                                "the message then."},
                    {.id = "mpi_posted_length",
                     .unit = Unit::occurrences,
                     .title = "Longest posted queue (at least)",
                     .summary = "Largest number of receives in the queue of posted receives just after one was posted: "
                                "the maximum over processes, not a sum.",
                     .queue_value = QueueValue::posted_length},
                    {.id = "mpi_posted_stay",
                     .title = "Longest time in the posted queue (at least)",
                     .summary = "Longest time of one receive in the queue of posted receives; not a sum.",
                     .queue_value = QueueValue::posted_stay},
                    {.id = "mpi_posted_populated",
                     .title = "Time in which the posted queue was not empty (at least)",
                     .summary = "Time in which there was a posted receive whose message had not been sent, charged to "
                                "the receive that left the queue empty.",
                     .queue_value = QueueValue::posted_populated},
                    {.id = "mpi_posted_places",
                     .unit = Unit::occurrences,
                     .title = "Places in the posted queue",
                     .summary = "Sum of the places, counted from 1 in the order of posting, from which receives were "
                                "taken when their message was sent, for one list in each communicator.",
                     .queue_value = QueueValue::posted_places},
                    {.id = "mpi_posted_sender_places",
                     .unit = Unit::occurrences,
                     .title = "Places in the posted queue of the sender",
                     .summary = "Sum of the places, counted from 1 in the order of posting, from which receives were "
                                "taken when their message was sent, for a list for each communicator and sender.",
                     .queue_value = QueueValue::posted_sender_places},
                    {.id = "mpi_unexpected_length",
                     .unit = Unit::occurrences,
                     .title = "Longest unexpected queue (at most)",
                     .summary = "Largest number of messages in the queue of unexpected messages when a receive was "
                                "posted that took one of them: the maximum over processes, not a sum.",
                     .queue_value = QueueValue::unexpected_length},
                    {.id = "mpi_unexpected_stay",
                     .title = "Longest time in the unexpected queue (at most)",
                     .summary = "Longest time of one message in the queue of unexpected messages; not a sum.",
                     .queue_value = QueueValue::unexpected_stay},
                    {.id = "mpi_unexpected_populated",
                     .title = "Time in which the unexpected queue was not empty (at most)",
                     .summary = "Time in which there was a message whose receive had not been posted, charged to the "
                                "receive that took the last message from the queue.",
                     .queue_value = QueueValue::unexpected_populated},
                    {.id = "mpi_unexpected_places",
                     .unit = Unit::occurrences,
                     .title = "Places in the unexpected queue",
                     .summary = "Sum of the places, counted from 1 in the order of sending, from which messages were "
                                "taken when their receive was posted, for one list in each communicator.",
                     .queue_value = QueueValue::unexpected_places},
                    {.id = "mpi_unexpected_sender_places",
                     .unit = Unit::occurrences,
                     .title = "Places in the unexpected queue of the sender",
                     .summary = "Sum of the places, counted from 1 in the order of sending, from which messages were "
                                "taken when their receive was posted, for a list for each communicator and sender.",
                     .queue_value = QueueValue::unexpected_sender_places},
                    {.id = "mpi_posted_time_most",
                     .title = "Time in the posted queue (at most)",
                     .summary = "Time from the posting of a receive to its record: the receive was in the queue of "
                                "posted receives at most that long."},
                    {.id = "mpi_posted_least_stay",
                     .title = "Shortest time in the posted queue",
                     .summary = "Shortest time of one receive in the queue of posted receives; not a sum.",
                     .queue_value = QueueValue::posted_least_stay},
                    {.id = "mpi_unexpected_least_stay",
                     .title = "Shortest time in the unexpected queue",
                     .summary = "Shortest time of one message in the queue of unexpected messages; not a sum.",
                     .queue_value = QueueValue::unexpected_least_stay}},
        .severity =
            "s: enter of the call that sends; p: enter of the call that posts the receive (Recv, Irecv, Start; the "
            "completing call if the post is not in the trace); e: time of the receive record. If clocks put s after e, "
            "s = e. p < s: +1 in mpi_posted_count, s - p in mpi_posted_time; e - p of every message in "
            "mpi_posted_time_most, an upper bound; s < p: +1 in mpi_unexpected_count, p - s in mpi_unexpected_time, "
            "the message's bytes in mpi_unexpected_bytes; s = p: nothing. mpi_unexpected_seen_time: p - f, where f is "
            "the first time from s on at which a thread of the receiver was in an MPI call. A receive is in the "
            "queue of posted receives from p to s if p < s, a message in that of unexpected messages from s to p if s "
            "< p; entries that leave at a time do so before others enter. Lengths, stays, populated times and places "
            "are those of the queues of the process, whatever part of the run is chosen, and count if the receive was "
            "posted in that part; messages that were never received count only in lengths and in places of others",
        .charged_to = "call path of the call that posts the receive, receiver",
        .state =
            "each received message (40 bytes, in a scratch file beyond 16 MB), for the lengths of the queues that "
            "--full shows",
        .source =
            "Hermanns et al., Parallel Computing 85 (2019), section 5.2.2: message queue profiles of the "
            "logging tool MEL",
        .differs =
            "MEL is notified by the library when its queues change. A trace does not contain the time of arrival, "
            "number and time of searches, messages out of sequence, cancelled receives, the buffers of the library, or "
            "the messages of collective operations. Places model how far a list is searched; they are not times. So "
            "all values are bounds: a message may still have been on its way, or have waited outside of the queue "
            "while its receiver was not in MPI",
        .diagnosis =
            "many or long unexpected messages: post receives earlier, before the partners send. Long queues may be "
            "searched at each receive (a library that finds its messages by a hash is not slowed down): spread "
            "messages over communicators, or receive them in the order in which they are sent",
        .needs = {"comms_recv"},
        .message_queues = true};
  }

  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    for (const Message& m : r.messages) {
      const Time sent = std::min(m.send->enter, m.recv_time), posted = m.recv_post->enter;
      if (posted < m.recv_time) c.add(*m.recv_post, static_cast<Ticks>(m.recv_time - posted), posted_time_most);
      if (posted < sent) {
        c.add(*m.recv_post, 1, posted_count);
        c.add(*m.recv_post, static_cast<Ticks>(sent - posted), posted_time);
      } else if (sent < posted) {
        c.add(*m.recv_post, 1, unexpected_count);
        c.add(*m.recv_post, static_cast<Ticks>(posted - sent), unexpected_time);
        if (m.seen_time < posted)
          c.add(*m.recv_post, static_cast<Ticks>(posted - std::max(m.seen_time, sent)), unexpected_seen_time);
        if (m.bytes != 0) c.add(*m.recv_post, bounded(m.bytes), unexpected_bytes);
      }
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    const std::int64_t records = e.events(EventType::recv) + e.events(EventType::irecv),
                       unmatched = e.warnings(DiagnosticId::recv_unmatched);
    if (unmatched > 0)
      for (const MetricHandle m : {posted_count, posted_time, unexpected_count, unexpected_time, unexpected_bytes,
                                   unexpected_seen_time, posted_time_most})
        u.because(m, e.of(unmatched, records, "receive") +
                         " without a send in the trace: it is not known in which queue they were");
  }

 private:
  static std::int64_t bounded(std::uint64_t bytes) {  // bytes of damaged sizes become a value that severities recognise
                                                      // as too large
    return static_cast<std::int64_t>(std::min(bytes, std::uint64_t{1} << 62));
  }
};

}  // namespace

PatternHandle mpi_posted_count() { return make_pattern<QueuesPattern>(); }

}  // namespace waitstate::patterns

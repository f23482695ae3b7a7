// mpi_latesender: a receive waits because the message had not been sent yet.
//
// severity    min(E(send), L(recv)) - E(recv) if > 0; E(send) is the enter of the call that started the send, E and
//             L(recv) those of the call in which the receive completes. A call that completes several receives at once
//             (Waitall, Waitsome) waits once: the longest of its waits counts. MPI_Test… never waits.
// charged to  call path of the completing call, on the receiver; the culprit is the sender of the message.
// unit        ticks; mpi_cls_count, mpi_sls_count: instances, of messages with and without bytes
// state       none
// source      Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)
// differs     from EXPERT: Waitall is analysed, and a wait ends at the latest with the call that waits
// diagnosis   the sender is late: look at what it did before (its call path), balance that work, or post the send
// earlier
#include "patterns.hpp"
#include "waitstate/late_sender.hpp"

namespace waitstate::patterns {

namespace {

class LateSenderPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"mpi_latesender", "mpi_point2point", Unit::seconds, true, "Late Sender",
                     "Time that receives wait for messages that have not been sent yet."},
                    {"mpi_cls_count", "comms_recv", Unit::occurrences, true, "Late Sender instances (communication)",
                     "Number of Late Sender instances of messages with at least one byte."},
                    {"mpi_sls_count", "syncs_recv", Unit::occurrences, true, "Late Sender instances (synchronisation)",
                     "Number of Late Sender instances of messages without bytes."}},
        .severity = "min(E(send), L(recv)) - E(recv) if > 0; of a Waitall or Waitsome the largest over its receives",
        .charged_to = "call path of the call in which the receive completes, receiver",
        .state = "none",
        .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4",
        .differs = "from EXPERT: Waitall is analysed, and the wait is clamped to the exit of the waiting call",
        .diagnosis = "the sender is late: balance the work before its send, or start the send earlier"};
  }

  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    const MpiFunction f = r.call.function;
    if (f == MpiFunction::waitall || f == MpiFunction::waitsome) {
      const Message* worst = nullptr;
      for (const Message& m : r.messages)
        if (worst == nullptr || late_sender_ticks(m) > late_sender_ticks(*worst)) worst = &m;
      if (worst != nullptr) book(*worst, c);
    } else {
      for (const Message& m : r.messages) book(m, c);
    }
  }

 private:
  static void book(const Message& m, Context& c) {
    const Ticks wait = late_sender_ticks(m);
    if (wait <= 0) return;
    const Wait w = make_wait(*m.recv, wait, *m.send);
    c.add_wait(0, w);
    c.add(m.bytes > 0 ? 1 : 2, w, 1);
    c.set_receive_wait(wait);
    c.publish(LateSender{m, w});
  }
};

}  // namespace

PatternHandle mpi_latesender() { return make_pattern<LateSenderPattern>(); }

}  // namespace waitstate::patterns

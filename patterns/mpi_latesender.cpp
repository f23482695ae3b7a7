#include "undetermined.hpp"
#include "waitstate/pattern/late_sender.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class LateSenderPattern : public Pattern {
  static constexpr MetricHandle with_bytes{1}, without_bytes{2};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_latesender",
                     .parent = "mpi_point2point",
                     .title = "Late Sender",
                     .summary = "Time in which receives wait for messages that have not been sent yet.",
                     .kind = MetricKind::wait},
                    {.id = "mpi_cls_count",
                     .parent = "comms_recv",
                     .unit = Unit::occurrences,
                     .title = "Late Sender instances (communication)",
                     .summary = "Number of Late Sender instances of messages with at least one byte."},
                    {.id = "mpi_sls_count",
                     .parent = "syncs_recv",
                     .unit = Unit::occurrences,
                     .title = "Late Sender instances (synchronisation)",
                     .summary = "Number of Late Sender instances of messages without bytes."}},
        .severity =
            "min(E(send), L(recv)) - E(recv) if > 0; E(send) is the enter of the call that started the send; E(recv) "
            "and L(recv) are enter and exit of the call in which the receive completes. A call that completes several "
            "receives at once (Waitall, Waitsome) waits once: the longest of its waits counts. MPI_Test… never waits",
        .charged_to = "call path of the completing call, on the receiver; the culprit is the sender of the message",
        .state = "none",
        .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
        .differs = "from EXPERT: Waitall is analysed, and the wait ends at the exit of the waiting call at the latest",
        .diagnosis = "the sender is late: balance the work before its send, or start the send earlier"};
  }

  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    const MpiFunction f = r.call.function;
    if (f == MpiFunction::waitall || f == MpiFunction::waitsome) {
      const Message* worst = nullptr;
      for (const Message& m : r.messages)
        if (worst == nullptr || late_sender_ticks(m) > late_sender_ticks(*worst)) worst = &m;
      if (worst != nullptr) charge(*worst, c);
    } else {
      for (const Message& m : r.messages) charge(m, c);
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override { receive_reasons(e, u, first_metric); }

 private:
  static void charge(const Message& m, Context& c) {
    const Ticks ticks = late_sender_ticks(m);
    if (ticks <= 0) return;
    const Wait wait = make_wait(*m.recv, ticks, *m.send);
    c.add_wait(wait);
    c.add(wait, 1, m.bytes > 0 ? with_bytes : without_bytes);
    c.publish(LateSender{m, wait});
  }
};

}  // namespace

PatternHandle mpi_latesender() { return make_pattern<LateSenderPattern>(); }

}  // namespace waitstate::patterns

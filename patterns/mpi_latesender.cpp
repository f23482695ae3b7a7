#include "undetermined.hpp"
#include "waitstate/late_sender.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

namespace {

class LateSenderPattern : public Pattern {
  static constexpr MetricHandle with_bytes{1}, without_bytes{2};

 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_latesender",
                         .parent = "mpi_point2point",
                         .title = "Late Sender",
                         .summary = "Time that receives wait for messages that have not been sent yet.",
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
                "min(E(send), L(recv)) - E(recv) if > 0; E(send) is the enter of the call that started the send, E and "
                "L(recv) those of the call in which the receive completes. A call that completes several receives at "
                "once (Waitall, Waitsome) waits once: the longest of its waits counts. MPI_Test… never waits",
            .charged_to = "call path of the completing call, on the receiver; the culprit is the sender of the message",
            .state = "none",
            .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
            .differs = "from EXPERT: Waitall is analysed, and the wait is clamped to the exit of the waiting call",
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

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    const std::int64_t posted = e.events(EventType::irecv_request),
                       records = e.events(EventType::recv) + e.events(EventType::irecv);
    if (const auto n = e.open_receives(); n > 0)
      u.because(first_metric, e.of(n, posted, "non-blocking receive") +
                                  " without a completion in the trace: how long they waited is not known");
    const std::int64_t unmatched = e.warnings(DiagnosticId::recv_unmatched);
    if (unmatched > 0)
      u.because(first_metric, e.of(unmatched, records, "receive") +
                                  " without a send in the trace: whether the sender was late is not known");
    if (records == 0 && posted == 0) {
      const auto in_vain = [&e](const Region& r) { return is_receive(r) && !e.for_nobody(r.name); };
      if (const std::string name = e.called(in_vain); !name.empty())
        u.because(first_metric, name + " is called, but the trace has no record of a receive");
    } else if (unmatched + e.warnings(DiagnosticId::peer_unknown) == 0) {
      const auto in_the_call = [](const Region& r) { return is_receive(r) && !starts_nonblocking(r); };
      if (const std::string name = e.called_without({"comms_recv", "syncs_recv"}, in_the_call); !name.empty())
        u.because(first_metric, name + " is called, but no call of it has a record of a receive");
    }
    partner_reasons(e, u, first_metric, is_receive);
    records_outside_calls(e, u, first_metric, records);
  }

 private:
  static bool is_receive(const Region& region) {
    using enum MpiFunction;
    const MpiFunction f = region.mpi_function;
    return f == recv || f == mrecv || f == irecv || f == imrecv || f == sendrecv || f == sendrecv_replace ||
           f == isendrecv || f == isendrecv_replace;
  }

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

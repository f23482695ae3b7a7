#include <algorithm>

#include "undetermined.hpp"
#include "waitstate/pattern/late_sender.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class LateReceiverPattern : public Pattern {
  static constexpr MetricHandle with_bytes{1}, without_bytes{2};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_latereceiver",
                         .parent = "mpi_point2point",
                         .title = "Late Receiver",
                         .summary = "Time in which sends wait for receives that have not been posted yet.",
                         .kind = MetricKind::wait},
                        {.id = "mpi_clr_count",
                         .parent = "comms_send",
                         .unit = Unit::occurrences,
                         .title = "Late Receiver instances (communication)",
                         .summary = "Number of Late Receiver instances of messages with at least one byte."},
                        {.id = "mpi_slr_count",
                         .parent = "syncs_send",
                         .unit = Unit::occurrences,
                         .title = "Late Receiver instances (synchronisation)",
                         .summary = "Number of Late Receiver instances of messages without bytes."}},
            .severity =
                "E(q) - E(c) if > 0, where c is the call that completes the send (the blocking send itself, or its "
                "Wait, Waitany) and q the call that posts the receive (Recv, Irecv, Start); 0 if L(c) <= E(q). A "
                "Waitall or Waitsome waits once, for the largest over its sends, and only if it did not wait for a "
                "Late Sender. Only standard and synchronous sends count, not Bsend, Rsend and Sendrecv; non-blocking "
                "receives count only if the trace records where they were posted",
            .charged_to = "call path of c, on the sender; the culprit is the receiver",
            .state = "none",
            .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
            .differs = "from EXPERT: non-blocking operations are analysed, not only MPI_Recv",
            .diagnosis = "post the receive earlier, or balance the work before it on the receiver",
            .needs = {"mpi_latesender"},
            .late_receives_only = true};
  }

  void completed_sends_callback(const CompletedSends& s, Context& c) override {
    const MpiFunction f = s.call.function;
    if (f == MpiFunction::waitall || f == MpiFunction::waitsome) {
      if (s.receive_wait > 0) return;
      const Message* worst = nullptr;
      for (const Message& m : s.messages)
        if (ticks(s.call, m) > (worst == nullptr ? 0 : ticks(s.call, *worst))) worst = &m;
      if (worst != nullptr) charge(s.call, *worst, c);
    } else {
      for (const Message& m : s.messages) charge(s.call, m, c);
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override { send_reasons(e, u, first_metric); }

 private:
  static Ticks ticks(const Call& c, const Message& m) {
    // A call that completes requests posts nothing: it stands for the one that did where the trace does not say which.
    if (!may_wait(m.send->function, c.function) || completes_requests(m.recv_post->function)) return 0;
    const Time posted = m.recv_post->enter;
    return c.exit > posted && posted > c.enter ? static_cast<Ticks>(posted - c.enter) : 0;
  }

  static bool may_wait(MpiFunction started, MpiFunction completed) {
    switch (started) {
      case MpiFunction::send:
      case MpiFunction::ssend:
        return completed == started;
      case MpiFunction::isend:
      case MpiFunction::issend:
      case MpiFunction::start:
      case MpiFunction::startall:
        return completed == MpiFunction::wait || completed == MpiFunction::waitany ||
               completed == MpiFunction::waitall || completed == MpiFunction::waitsome;
      default:
        return false;
    }
  }

  static void charge(const Call& call, const Message& m, Context& c) {
    const Ticks waited = ticks(call, m);
    if (waited <= 0) return;
    const Wait wait = make_wait(call, waited, *m.recv_post);
    c.add_wait(wait);
    c.add(wait, 1, m.bytes > 0 ? with_bytes : without_bytes);
    c.publish(LateReceiver{m, wait, call});
  }
};

}  // namespace

PatternHandle mpi_latereceiver() { return make_pattern<LateReceiverPattern>(); }

}  // namespace waitstate::patterns

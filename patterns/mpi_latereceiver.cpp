// mpi_latereceiver: a send waits because the receive had not been posted yet.
//
// severity    E(q) - E(c) if > 0, where c is the call that completes the send (the blocking send itself, or its Wait,
//             Waitany) and q the call that posts the receive (Recv, Irecv, Start); 0 if L(c) <= E(q). A Waitall or
//             Waitsome waits once, for the largest over its sends, and only if it did not wait for a Late Sender.
//             Standard and synchronous sends only: not Bsend, Rsend, Sendrecv; and no non-blocking receive of which
//             the trace does not record where it was posted.
// charged to  call path of c, on the sender; the culprit is the receiver.
// unit        ticks; mpi_clr_count, mpi_slr_count: instances, of messages with and without bytes
// state       none
// source      Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)
// differs     from EXPERT: non-blocking operations are analysed, not only MPI_Recv
// diagnosis   post the receive earlier (MPI_Irecv), or balance what the receiver does before it
#include <algorithm>

#include "patterns.hpp"
#include "waitstate/late_sender.hpp"

namespace waitstate::patterns {

namespace {

class LateReceiverPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"mpi_latereceiver", "mpi_point2point", Unit::seconds, true, "Late Receiver",
                     "Time that sends wait for receives that have not been posted yet."},
                    {"mpi_clr_count", "comms_send", Unit::occurrences, true, "Late Receiver instances (communication)",
                     "Number of Late Receiver instances of messages with at least one byte."},
                    {"mpi_slr_count", "syncs_send", Unit::occurrences, true,
                     "Late Receiver instances (synchronisation)",
                     "Number of Late Receiver instances of messages without bytes."}},
        .severity =
            "E(q) - E(c) if > 0 and L(c) > E(q); c completes the send, q posts the receive; of a Waitall or "
            "Waitsome without Late Sender the largest over its sends",
        .charged_to = "call path of the call that completes the send, sender",
        .state = "none",
        .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4",
        .differs = "from EXPERT: non-blocking operations are analysed",
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
      if (worst != nullptr) book(s.call, *worst, c);
    } else {
      for (const Message& m : s.messages) book(s.call, m, c);
    }
  }

 private:
  static Ticks ticks(const Call& c, const Message& m) {
    if (!may_wait(m.send->function, c.function) || completes_requests(m.recv_post->function)) return 0;
    const Time posted = m.recv_post->enter;
    return c.exit > posted && posted > c.enter ? static_cast<Ticks>(posted - c.enter) : 0;
  }

  // Such a call posts nothing: it stands for the one that did where the trace does not say which that was.
  static bool completes_requests(MpiFunction f) {
    return f >= MpiFunction::wait && f <= MpiFunction::request_get_status;
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

  static void book(const Call& call, const Message& m, Context& c) {
    const Ticks wait = ticks(call, m);
    if (wait <= 0) return;
    const Wait w = make_wait(call, wait, *m.recv_post);
    c.add_wait(0, w);
    c.add(m.bytes > 0 ? 1 : 2, w, 1);
    c.publish(LateReceiver{m, w});
  }
};

}  // namespace

PatternHandle mpi_latereceiver() { return make_pattern<LateReceiverPattern>(); }

}  // namespace waitstate::patterns

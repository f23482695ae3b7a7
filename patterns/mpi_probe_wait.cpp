#include "message_search.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class ProbeWaitPattern : public MessageSearchWait {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_probe_wait",
                     .parent = "mpi_point2point",
                     .title = "Late Sender at probe",
                     .summary = "Time in which MPI_Probe and MPI_Mprobe wait for messages that have not been sent yet.",
                     .kind = MetricKind::wait}},
        .severity =
            "min(E(send), L) - E if > 0; E, L: enter and exit of the call; E(send): enter of the call that started the "
            "send of the message that it found: of MPI_Probe the next receive that the thread begins, of MPI_Mprobe "
            "the next matched receive (Mrecv, Imrecv), in the order of the calls that found one. If that send was "
            "entered after L, it is not known what was found",
        .charged_to = "call path of MPI_Probe or MPI_Mprobe; the culprit is the sender of the message",
        .state = "calls of MPI_Probe and MPI_Mprobe whose message has not been received",
        .source = "waitstate's own, as Late Sender",
        .differs = "no other analyzer has it",
        .diagnosis = "the sender is late: balance the work before its send, or start the send earlier"};
  }

 private:
  bool is_of(MpiFunction f) const override { return f == MpiFunction::probe || f == MpiFunction::mprobe; }
};

}  // namespace

PatternHandle mpi_probe_wait() { return make_pattern<ProbeWaitPattern>(); }

}  // namespace waitstate::patterns

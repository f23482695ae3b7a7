#include "message_search.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class PollWaitPattern : public MessageSearchWait {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_poll_wait",
                         .parent = "mpi_point2point",
                         .title = "Polling for a late sender",
                         .summary = "Time in calls that ask for messages that have not been sent yet.",
                         .kind = MetricKind::wait}},
            .severity =
                "for each call c that asked for a message: min(E(send), L(c)) - E(c) if > 0; E, L: enter and exit; "
                "E(send): "
                "enter of the call that started the send. MPI_Iprobe and Improbe ask for the message that the thread "
                "receives next, if it moves no other data meanwhile; MPI_Test and its like for that of the request, "
                "from its "
                "post on. Time that belongs to two messages counts for the one that was received first",
            .charged_to = "call path of the poll; the culprit is the sender of the message",
            .state =
                "the polls of messages that have not been received; more than 4,096 of one message are joined in pairs",
            .source = "waitstate's own, as Late Sender",
            .differs = "no other analyzer has it",
            .diagnosis = "the sender is late: balance the work before its send, or compute between polls"};
  }

 private:
  bool is_of(MpiFunction f) const override {
    return f == MpiFunction::iprobe || f == MpiFunction::improbe || is_test(f);
  }
};

}  // namespace

PatternHandle mpi_poll_wait() { return make_pattern<PollWaitPattern>(); }

}  // namespace waitstate::patterns

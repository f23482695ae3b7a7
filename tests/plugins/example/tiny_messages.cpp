// tiny_messages: the example of patterns/README.md, small and complete.
#include <waitstate/pattern.hpp>

namespace {

using namespace waitstate;

class TinyMessages : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "tiny_messages",
                         .parent = "comms_recv",
                         .unit = Unit::occurrences,
                         .title = "Tiny messages",
                         .summary = "Number of messages received that are too small to be worth sending alone."}},
            .severity = "+1 per received message of at most `limit` bytes",
            .charged_to = "call path of the call in which the receive completes, receiver",
            .state = "none",
            .source = "an example of how patterns are written",
            .differs = "no",
            .diagnosis = "send several of them in one message",
            .parameters = {{"limit", std::int64_t{8}, "bytes", "Size up to which a message is tiny.", 0}}};
  }

  void configure(const Parameters& parameters) override { limit_ = parameters.integer("limit"); }

  void completed_receives_callback(const CompletedReceives& receives, Context& context) override {
    for (const Message& message : receives.messages)
      if (static_cast<std::int64_t>(message.bytes) <= limit_) context.add(receives.call, 1);
  }

  void undetermined(const TraceEvidence& trace, Undetermined& answers) const override {
    if (const std::int64_t n = trace.warnings(DiagnosticId::recv_unmatched); n > 0)
      answers.because(first_metric, trace.count(n, "receive has", "receives have") + " no send in the trace");
  }

 private:
  std::int64_t limit_ = 0;
};

}  // namespace

WAITSTATE_PLUGIN(TinyMessages)

// huge_messages: messages that are too large for the eager protocol, so that the sender may have to wait for the
// receive.
//
// severity    +1 per received message of at least `threshold` bytes
// charged to  call path of the call in which the receive completes, receiver
// unit        occurrences
// state       none
// source      an example of how patterns are written
// differs     no
// diagnosis   post the receives of such messages before their sends start, or send fewer, smaller ones
//
// Two more patterns build on compound events of others: huge_message_bytes on the events of huge_messages, short_waits
// on those of the built-in mpi_latesender.
#include <waitstate/pattern.hpp>

namespace {

using namespace waitstate;

/// Published by huge_messages for every instance.
struct HugeMessage {
  const Message& message;
};

class HugeMessages : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "huge_messages",
                         .parent = "comms_recv",
                         .unit = Unit::occurrences,
                         .title = "Huge messages",
                         .summary = "Number of messages received that are too large to be sent at once."}},
            .severity = "+1 per received message of at least `threshold` bytes",
            .charged_to = "call path of the call in which the receive completes, receiver",
            .state = "none",
            .source = "an example of how patterns are written",
            .differs = "no",
            .diagnosis = "post the receives of such messages before their sends start, or send fewer, smaller ones",
            .parameters = {{"threshold", std::int64_t{65536}, "bytes", "Size from which on a message is huge."}}};
  }

  void configure(const Parameters& parameters) override {
    const std::int64_t threshold = parameters.integer("threshold");
    if (threshold < 0) throw UsageError("huge_messages.threshold is negative; expected a number of bytes");
    threshold_ = static_cast<std::uint64_t>(threshold);
  }

  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    for (const Message& m : r.messages) {
      if (m.bytes < threshold_) continue;
      c.add(r.call, 1);
      c.publish(HugeMessage{m});
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    if (const auto n = e.warnings(DiagnosticId::recv_unmatched); n > 0)
      u.because(first_metric, e.of(n, e.events(EventType::recv) + e.events(EventType::irecv), "receive") +
                                  " without a send in the trace: how large their messages were is not known");
  }

 private:
  std::uint64_t threshold_ = 0;
};

class HugeMessageBytes : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "huge_message_bytes",
                         .parent = "bytes_rcvd",
                         .unit = Unit::bytes,
                         .title = "Bytes of huge messages",
                         .summary = "Bytes received in huge messages."}},
            .severity = "bytes of each huge message",
            .charged_to = "call path of the call in which the receive completes, receiver",
            .state = "none",
            .source = "an example of a pattern that builds on one of the same plug-in",
            .differs = "no",
            .diagnosis = "as of huge_messages",
            .needs = {"huge_messages"}};
  }

  void published_callback(const Published& p, Context& c) override {
    if (const auto* huge = p.as<HugeMessage>())
      c.add(*huge->message.recv, static_cast<std::int64_t>(huge->message.bytes));
  }
};

class ShortWaits : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "short_waits",
                         .parent = "mpi_latesender",
                         .title = "Short Late Sender waits",
                         .summary = "Late Sender waits that are too short to be worth a change of the program."}},
            .severity = "the ticks of each Late Sender wait shorter than `limit`",
            .charged_to = "as mpi_latesender",
            .state = "none",
            .source = "an example of a pattern that builds on a built-in one",
            .differs = "no",
            .diagnosis = "none: look at the other waits first",
            .needs = {"mpi_latesender"},
            .parameters = {{"limit", 1e-6, "s", "Waits shorter than this are short.", 0}}};
  }

  void configure(const Parameters& parameters) override { limit_ = parameters.number("limit"); }

  void init(Context& c) override { ticks_per_second_ = static_cast<double>(c.definitions().clock.resolution); }

  void published_callback(const Published& p, Context& c) override {
    const auto* late = p.as<LateSender>();
    if (late != nullptr && static_cast<double>(late->wait.ticks) < limit_ * ticks_per_second_) c.add_wait(late->wait);
  }

 private:
  double limit_ = 0, ticks_per_second_ = 1;
};

}  // namespace

WAITSTATE_PLUGIN(HugeMessages, HugeMessageBytes, ShortWaits)

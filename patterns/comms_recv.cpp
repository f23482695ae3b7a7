// comms_recv, syncs_recv, bytes_rcvd: messages received, by the bytes of the matching send.
//
// severity    +1 per matched receive: comms_recv for messages with at least one byte, syncs_recv for those without;
//             bytes_rcvd adds the bytes of the matching send
// charged to  call path of the call in which the receive completes, receiver
// unit        occurrences, bytes
// state       none
// source      Scalasca 2.6
// differs     no
// diagnosis   none: these are counts
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class ReceiveCountPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"comms_recv", "comms_p2p", Unit::occurrences, false, "Messages received",
                     "Number of messages received with at least one byte."},
                    {"syncs_recv", "syncs_p2p", Unit::occurrences, false, "Empty messages received",
                     "Number of messages received without bytes."},
                    {"bytes_rcvd", "bytes_p2p", Unit::bytes, false, "Bytes received",
                     "Bytes of all messages received."}},
        .severity = "+1 per matched receive (comms_recv: with bytes, syncs_recv: without); bytes of the matching send",
        .charged_to = "call path of the call in which the receive completes, receiver",
        .state = "none",
        .source = "Scalasca 2.6",
        .differs = "no",
        .diagnosis = "none: these are counts"};
  }

  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    std::int64_t with_bytes = 0, bytes = 0;
    for (const Message& m : r.messages) {
      with_bytes += m.bytes > 0;
      bytes = static_cast<std::int64_t>(static_cast<std::uint64_t>(bytes) + m.bytes);
    }
    const std::int64_t empty = static_cast<std::int64_t>(r.messages.size()) - with_bytes;
    if (with_bytes != 0) c.add(0, r.call, with_bytes);
    if (empty != 0) c.add(1, r.call, empty);
    if (bytes != 0) c.add(2, r.call, bytes);
  }
};

}  // namespace

PatternHandle comms_recv() { return make_pattern<ReceiveCountPattern>(); }

}  // namespace waitstate::patterns

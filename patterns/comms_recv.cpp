#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class ReceiveCountPattern : public Pattern {
  static constexpr MetricHandle with_bytes{0}, without_bytes{1}, bytes_received{2};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "comms_recv",
                         .parent = "comms_p2p",
                         .unit = Unit::occurrences,
                         .within_parent = false,
                         .title = "Messages received",
                         .summary = "Number of messages received with at least one byte."},
                        {.id = "syncs_recv",
                         .parent = "syncs_p2p",
                         .unit = Unit::occurrences,
                         .within_parent = false,
                         .title = "Empty messages received",
                         .summary = "Number of messages received without bytes."},
                        {.id = "bytes_rcvd",
                         .parent = "bytes_p2p",
                         .unit = Unit::bytes,
                         .within_parent = false,
                         .title = "Bytes received",
                         .summary = "Bytes of all messages received."}},
            .severity =
                "+1 per matched receive: comms_recv for messages with at least one byte, syncs_recv for those without; "
                "bytes_rcvd adds the bytes of the matching send",
            .charged_to = "call path of the call in which the receive completes, receiver",
            .state = "none",
            .source = "Scalasca 2.6",
            .differs = "no",
            .diagnosis = "none: these are counts"};
  }

  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    constexpr std::uint64_t too_many = std::uint64_t{1} << 63;  // a sum of damaged sizes, which severities recognise as
                                                                // too large
    std::int64_t filled = 0;
    std::uint64_t bytes = 0;
    for (const Message& m : r.messages) {
      filled += m.bytes > 0;
      if (__builtin_add_overflow(bytes, m.bytes, &bytes) || bytes > too_many) bytes = too_many;
    }
    const std::int64_t empty = static_cast<std::int64_t>(r.messages.size()) - filled;
    if (filled != 0) c.add(r.call, filled, with_bytes);
    if (empty != 0) c.add(r.call, empty, without_bytes);
    if (bytes != 0) c.add(r.call, static_cast<std::int64_t>(bytes), bytes_received);
  }
};

}  // namespace

PatternHandle comms_recv() { return make_pattern<ReceiveCountPattern>(); }

}  // namespace waitstate::patterns

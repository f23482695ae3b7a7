#include "undetermined.hpp"
#include "waitstate/pattern/late_sender.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class WrongOrderPattern : public Pattern {
  static constexpr MetricHandle different{1}, same_source{2}, with_bytes{3}, without_bytes{4};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_latesender_wo",
                     .parent = "mpi_latesender",
                     .title = "Late Sender, wrong order",
                     .summary =
                         "Late Sender waits for a message while an older one for the same receiver was on its way.",
                     .kind = MetricKind::wait},
                    {.id = "mpi_lswo_different",
                     .parent = "mpi_latesender_wo",
                     .within_parent = false,
                     .title = "Late Sender, wrong order, different sources",
                     .summary = "The older message came from another sender.",
                     .kind = MetricKind::wait},
                    {.id = "mpi_lswo_same",
                     .parent = "mpi_latesender_wo",
                     .within_parent = false,
                     .title = "Late Sender, wrong order, same source",
                     .summary = "The older message came from the same sender.",
                     .kind = MetricKind::wait},
                    {.id = "mpi_clswo_count",
                     .parent = "mpi_cls_count",
                     .unit = Unit::occurrences,
                     .title = "Late Sender, wrong order instances (communication)",
                     .summary = "Number of wrong-order instances of messages with at least one byte."},
                    {.id = "mpi_slswo_count",
                     .parent = "mpi_sls_count",
                     .unit = Unit::occurrences,
                     .title = "Late Sender, wrong order instances (synchronisation)",
                     .summary = "Number of wrong-order instances of messages without bytes."}},
        .severity =
            "the wait w of a Late Sender receive r1 whose message was sent at s1, if a later receive of the same "
            "location, in a later call, receives a message sent at s2 < s1; once for each r1",
        .charged_to = "call path of r1's completing call, on the receiver; the culprit is the sender of r1's message",
        .state = "the waits that an older message can still overtake (kept by the engine)",
        .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT: Receiving messages in wrong order)",
        .differs = "from Scalasca: all waits of a location are remembered, not only the last 100",
        .diagnosis = "receive messages in the order in which they are sent, or in the order in which they arrive",
        .needs = {"mpi_latesender"}};
  }

  void published_callback(const Published& p, Context& c) override {
    if (const auto* late = p.as<LateSender>()) c.publish(WatchOvertaking{late->message, late->wait});
  }

  void overtaken_callback(const Overtaken& o, Context& c) override {
    const auto& locations = c.definitions().locations;  // a source is a process: any of its threads may have sent
    const bool same = locations[o.overtaker.index()].process == locations[o.source.index()].process;
    c.add_wait(o.wait, same ? same_source : different);
    c.add(o.wait, 1, o.bytes > 0 ? with_bytes : without_bytes);
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override { never_received(e, u, first_metric); }
};

}  // namespace

PatternHandle mpi_latesender_wo() { return make_pattern<WrongOrderPattern>(); }

}  // namespace waitstate::patterns

// mpi_latesender_wo: a Late Sender wait for a message although an older one for the same receiver was on its way:
// receiving the older one first would have used the time. mpi_lswo_same and mpi_lswo_different tell whether both
// messages came from the same sender.
//
// severity    the wait w of a Late Sender receive r1 whose message was sent at s1, once a later receive of the same
//             location - in a later call - is of a message sent at s2 < s1; once per r1
// charged to  call path of r1's completing call, on the receiver; the culprit is the sender of r1's message
// unit        ticks; mpi_clswo_count, mpi_slswo_count: instances, by the bytes of r1's message
// state       the waits that an older message can still reveal (kept by the engine)
// source      Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4 (EXPERT: Receiving messages in wrong order)
// differs     from Scalasca: the waits of a location are remembered without limit, not the last 100 only
// diagnosis   receive in the order in which the messages are sent, or with MPI_ANY_SOURCE / MPI_Waitany
#include "patterns.hpp"
#include "waitstate/late_sender.hpp"

namespace waitstate::patterns {

namespace {

class WrongOrderPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_latesender_wo", "mpi_latesender", Unit::seconds, true, "Late Sender, wrong order",
                         "Late Sender waits for a message while an older one for the same receiver was on its way."},
                        {"mpi_lswo_different", "mpi_latesender_wo", Unit::seconds, false,
                         "Late Sender, wrong order, different sources", "The older message came from another sender."},
                        {"mpi_lswo_same", "mpi_latesender_wo", Unit::seconds, false,
                         "Late Sender, wrong order, same source", "The older message came from the same sender."},
                        {"mpi_clswo_count", "mpi_cls_count", Unit::occurrences, true,
                         "Late Sender, wrong order instances (communication)",
                         "Number of wrong-order instances of messages with at least one byte."},
                        {"mpi_slswo_count", "mpi_sls_count", Unit::occurrences, true,
                         "Late Sender, wrong order instances (synchronisation)",
                         "Number of wrong-order instances of messages without bytes."}},
            .severity = "the Late Sender wait of a receive whose message was sent after one that a later call receives",
            .charged_to = "call path of the call in which the early receive completes, receiver",
            .state = "the Late Sender waits that an older message can still reveal",
            .source = "Scalasca 2.6; Wolf and Mohr, EuroPar 2001, section 4",
            .differs = "from Scalasca: the waits of a location are remembered without limit, not the last 100 only",
            .diagnosis = "receive messages in the order in which they are sent, or whichever comes first",
            .needs = {"mpi_latesender"}};
  }

  void published_callback(const Published& p, Context& c) override {
    if (const auto* late = p.as<LateSender>()) c.watch_overtaking(late->message, late->wait);
  }

  void overtaken_callback(const Overtaken& o, Context& c) override {
    const auto& locations = c.definitions().locations;  // a source is a process: any of its threads may have sent
    const bool same = locations[o.overtaker.index()].process == locations[o.source.index()].process;
    c.add_wait(same ? 2 : 1, o.wait);
    c.add(o.bytes > 0 ? 3 : 4, o.wait, 1);
  }
};

}  // namespace

PatternHandle mpi_latesender_wo() { return make_pattern<WrongOrderPattern>(); }

}  // namespace waitstate::patterns

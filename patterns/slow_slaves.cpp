#include "master.hpp"

namespace waitstate::patterns {

namespace {

class SlowWorkersPattern : public MasterPattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "slow_slaves",
                         .parent = "mpi_latesender",
                         .title = "Slow workers",
                         .summary = "Late Sender waits of the master for messages from its workers.",
                         .kind = MetricKind::wait,
                         .siblings = Siblings::overlapping}},
            .severity = "the Late Sender waits for messages to the master location",
            .charged_to = "as for mpi_latesender; the culprit is the worker that sent the message",
            .state = "none: built on the instances of mpi_latesender",
            .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
            .differs = "no",
            .diagnosis = "give the master work of its own, use more workers, or hand out smaller pieces",
            .needs = {"mpi_latesender"},
            .parameters = {parameter()}};
  }

  void published_callback(const Published& p, Context& c) override {
    const auto* late = p.as<LateSender>();
    if (late != nullptr && is_master(late->message.receiver)) c.add_wait(late->wait);
  }
};

}  // namespace

PatternHandle slow_slaves() { return make_pattern<SlowWorkersPattern>(); }

}  // namespace waitstate::patterns

#include "master.hpp"

namespace waitstate::patterns {

namespace {

class OverloadedMasterPattern : public MasterPattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "overloaded_master",
                         .parent = "mpi_point2point",
                         .title = "Overloaded master",
                         .summary = "Time that workers wait for the master to send or to receive.",
                         .siblings = Siblings::overlapping}},
            .severity =
                "the Late Sender waits for messages from the master location, and the Late Receiver waits of messages "
                "to it",
            .charged_to = "as for mpi_latesender and mpi_latereceiver; the culprit is the master",
            .state = "none: built on the instances of mpi_latesender and mpi_latereceiver",
            .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
            .differs = "no",
            .diagnosis =
                "relieve the master: hand out larger pieces of work, use fewer workers for a master, or several "
                "masters",
            .needs = {"mpi_latesender", "mpi_latereceiver"},
            .parameters = {parameter()}};
  }

  // Added without an instance: the instances are recorded for the two patterns that this one consists of.
  void published_callback(const Published& p, Context& c) override {
    if (const auto* late = p.as<LateSender>()) {
      if (is_master(late->message.sender)) c.add(late->wait, late->wait.ticks);
    } else if (const auto* receiver = p.as<LateReceiver>()) {
      if (is_master(receiver->message.receiver)) c.add(receiver->wait, receiver->wait.ticks);
    }
  }
};

}  // namespace

PatternHandle overloaded_master() { return make_pattern<OverloadedMasterPattern>(); }

}  // namespace waitstate::patterns

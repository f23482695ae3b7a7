#include "waitstate/error.hpp"
#include "waitstate/late_sender.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

namespace {

class OverloadedMasterPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{.id = "overloaded_master",
                     .parent = "mpi_point2point",
                     .title = "Overloaded master",
                     .summary = "Time that workers wait for the master to send or to receive."}},
        .severity =
            "the Late Sender waits for messages from the master location, and the Late Receiver waits of messages to "
            "it charged to  as mpi_latesender and mpi_latereceiver; the culprit is the master unit        ticks state  "
            "     none: built on the instances of mpi_latesender and mpi_latereceiver source      Wolf and Mohr, "
            "EuroPar 2001, section 4 (EXPERT) differs     no diagnosis   relieve the master: larger pieces of work, "
            "fewer workers per master, or several masters",
        .charged_to = "as mpi_latesender and mpi_latereceiver",
        .state = "none",
        .source = "Wolf and Mohr, EuroPar 2001, section 4",
        .differs = "no",
        .diagnosis = "relieve the master: larger pieces of work, fewer workers per master, or several masters",
        .needs = {"mpi_latesender", "mpi_latereceiver"},
        .parameters = {{"master", std::int64_t{0}, "", "Number of the master's location, in rank and thread order."}}};
  }

  void configure(const Parameters& p) override { master_ = p.integer("master"); }

  void init(Context& c) override {
    const auto locations = static_cast<std::int64_t>(c.definitions().locations.size());
    if (locations != 0 && (master_ < 0 || master_ >= locations))
      throw UsageError("parameter master is " + std::to_string(master_) + ", but locations are numbered from 0 to " +
                       std::to_string(locations - 1));
  }

  // Added without an instance: the waits are recorded as instances of the two patterns that it is made of.
  void published_callback(const Published& p, Context& c) override {
    if (const auto* late = p.as<LateSender>()) {
      if (late->message.sender.value == master_) c.add(first_metric, late->wait, late->wait.ticks);
    } else if (const auto* receiver = p.as<LateReceiver>()) {
      if (receiver->message.receiver.value == master_) c.add(first_metric, receiver->wait, receiver->wait.ticks);
    }
  }

 private:
  std::int64_t master_ = 0;
};

}  // namespace

PatternHandle overloaded_master() { return make_pattern<OverloadedMasterPattern>(); }

}  // namespace waitstate::patterns

#include "waitstate/error.hpp"
#include "waitstate/late_sender.hpp"
#include "waitstate/pattern.hpp"

namespace waitstate::patterns {

namespace {

class SlowWorkersPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{.id = "slow_slaves",
                     .parent = "mpi_latesender",
                     .title = "Slow workers",
                     .summary = "Late Sender waits of the master for messages of its workers.",
                     .kind = MetricKind::wait}},
        .severity = "the Late Sender waits for messages to the master location",
        .charged_to = "as mpi_latesender; the culprit is the worker that sent the message",
        .state = "none: built on the instances of mpi_latesender",
        .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
        .differs = "no",
        .diagnosis = "give the master work of its own, use more workers, or hand out smaller pieces",
        .needs = {"mpi_latesender"},
        .parameters = {{"master", std::int64_t{0}, "", "Number of the master's location, in rank and thread order."}}};
  }

  void configure(const Parameters& p) override { master_ = p.integer("master"); }

  void init(Context& c) override {
    const auto locations = static_cast<std::int64_t>(c.definitions().locations.size());
    if (locations != 0 && (master_ < 0 || master_ >= locations))
      throw UsageError("parameter master is " + std::to_string(master_) + ", but locations are numbered from 0 to " +
                       std::to_string(locations - 1));
  }

  void published_callback(const Published& p, Context& c) override {
    const auto* late = p.as<LateSender>();
    if (late != nullptr && late->message.receiver.value == master_) c.add_wait(first_metric, late->wait);
  }

 private:
  std::int64_t master_ = 0;
};

}  // namespace

PatternHandle slow_slaves() { return make_pattern<SlowWorkersPattern>(); }

}  // namespace waitstate::patterns

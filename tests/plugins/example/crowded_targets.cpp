// crowded_targets: processes whose memory many others put to within one epoch, so that their network link or memory is
// what all of them wait for.
//
// severity    +1 per target and epoch with puts of more than `origins` other processes
// charged to  the call that ends the epoch at the target: the fence, or MPI_Win_wait
// unit        occurrences
// state       none: the engine keeps the epochs
// source      an example of a pattern that looks at one-sided epochs
// differs     no
// diagnosis   spread the data over more targets, or let the origins take turns
#include <waitstate/pattern.hpp>

#include <vector>

namespace {

using namespace waitstate;

class CrowdedTargets : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{.id = "crowded_targets",
                         .parent = "comms_rma",
                         .unit = Unit::occurrences,
                         .within_parent = false,
                         .title = "Crowded targets",
                         .summary = "Number of epochs in which many processes put to the memory of this one."}},
            .severity = "+1 per target and epoch with puts of more than `origins` other processes",
            .charged_to = "the call that ends the epoch at the target: the fence, or MPI_Win_wait",
            .state = "none",
            .source = "an example of a pattern that looks at one-sided epochs",
            .differs = "no",
            .diagnosis = "spread the data over more targets, or let the origins take turns",
            .parameters = {{"origins", std::int64_t{4}, "", "Up to so many origins are no crowd.", 0}}};
  }

  void configure(const Parameters& parameters) override { most_ = parameters.integer("origins"); }

  void rma_collective_callback(const RmaCollective& r, Context& c) override {
    if (r.kind != RmaCollectiveKind::fence) return;
    const auto& members = r.collective.members;
    std::vector<std::int64_t> origins(members.size());
    for (const RmaAccess& a : r.accesses)
      if (a.puts != 0 && a.origin_member != a.target_member) ++origins[a.target_member];
    for (std::size_t i = 0; i < members.size(); ++i)
      if (origins[i] > most_) c.add(*members[i].call, 1);
  }

  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& c) override {
    std::int64_t origins = 0;
    for (const RmaExposureOrigin& o : e.origins) origins += o.access.puts != 0 && o.origin != e.wait.location;
    if (origins > most_) c.add(e.wait, 1);
  }

 private:
  std::int64_t most_ = 0;
};

}  // namespace

WAITSTATE_PLUGIN(CrowdedTargets)

#include <string>

#include "rules/creation.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class CommWaitAtCreatePattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_comm_wait_at_create",
                         .parent = "mpi_mgmt_comm",
                         .title = "Wait at creation of communicators",
                         .summary = "Time in functions that create a communicator before the last process has reached "
                                    "them.",
                         .kind = MetricKind::wait}},
            .severity =
                "maxB - E_i if > 0 and maxB <= L_i; E, L: enter and exit of the call that creates the communicator, or "
                "that completes its creation; B_j: begin record of member j, or the enter of the call in which it "
                "started a "
                "non-blocking creation; maxB over all members of the operation",
            .charged_to =
                "the call that creates the communicator (MPI_Comm_dup, _split, _create, topologies, "
                "inter-communicators, …) or completes its creation, rank i; the culprit began last",
            .state = "the parts of operations that some member has not reached yet",
            .source = "waitstate's own, as Wait at window create",
            .differs = "MPI_Comm_free is left out: it waits for nobody in the libraries that are known",
            .diagnosis = "create communicators once, outside of phases with unequal load"};
  }

  void handle_creation_callback(const HandleCreation& h, Context& c) override {
    const OtherMember& last = last_to_create(h);
    const RegionId region = last.started->region;
    if (!region.valid() || c.definitions()[region].region_class != RegionClass::mpi_mgmt_comm) return;
    for (const OtherMember& m : h.members)
      if (const Ticks t = wait_for_creation(h, m, last); t > 0) c.add_wait(make_wait(*m.completed, t, *last.started));
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    static const NamesWith with_others{.has = {"comm_spawn", "comm_accept", "comm_connect", "comm_join"}};
    static const NamesWith creates{.has = {"comm_create", "comm_dup", "comm_idup", "comm_split", "intercomm_",
                                           "cart_create", "cart_sub", "graph_create"},
                                   .has_not = {"comm_create_key", "_errhandler", "comm_dup_fn"}};
    const auto called = [&](const NamesWith& names) {
      return e.called([&](const Region& r) { return r.region_class == RegionClass::mpi_mgmt_comm && names(r); });
    };
    const bool has_records =
        e.events(EventType::collective_end) + e.events(EventType::nonblocking_collective_complete) > 0;
    std::string without = called(with_others);
    const std::string name = called(creates);
    if (without.empty() && !has_records) without = name;
    if (!without.empty()) u.because(first_metric, without + " is called, but the trace has no record of who took part");
    if (!name.empty()) incomplete_collectives(e, u, first_metric);
  }
};

}  // namespace

PatternHandle mpi_comm_wait_at_create() { return make_pattern<CommWaitAtCreatePattern>(); }

}  // namespace waitstate::patterns

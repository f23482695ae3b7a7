#include "collective_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class LateBroadcastPattern : public CollectiveWait {
 public:
  LateBroadcastPattern() : CollectiveWait(CollectiveKind::one_to_all, one_to_all_functions()) {}

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_latebroadcast",
                     .parent = "mpi_collective",
                     .title = "Late Broadcast",
                     .summary = "Time in broadcasts and scatter operations before the root has begun.",
                     .kind = MetricKind::wait}},
        .severity =
            "min(B_root, C_i) - B_i if > 0, for ranks that receive bytes and began before the root (on an "
            "inter-communicator: in the other group). A non-blocking operation waits in the call that completes it: "
            "min(E_root, L) - E, where E_root is the enter of the call in which the root started it",
        .charged_to =
            "Bcast, Scatter(v) (for a non-blocking one, the completing call), rank i; the culprit is the root",
        .state = "the parts of operations that some member has not reached yet",
        .source = "Scalasca 2.6",
        .differs = "from Scalasca: non-blocking operations and inter-communicators are analysed",
        .diagnosis = "the root is late: give it less work before the operation, or choose another root"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (!is_of(c) || c.root == Collective::no_root) return;
    for (std::uint32_t i = 0; i < c.members.size(); ++i)
      if (i != c.root && receives(c.members[i]) && c.reaches(c.root, i)) add_wait_for(c, i, c.root, context);
  }
};

}  // namespace

PatternHandle mpi_latebroadcast() { return make_pattern<LateBroadcastPattern>(); }

}  // namespace waitstate::patterns

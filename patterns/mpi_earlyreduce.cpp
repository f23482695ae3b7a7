#include "collective_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class EarlyReducePattern : public CollectiveWait {
 public:
  EarlyReducePattern() : CollectiveWait(CollectiveKind::all_to_one, all_to_one_functions()) {}

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_earlyreduce",
                     .parent = "mpi_collective",
                     .title = "Early Reduce",
                     .summary = "Time in which the root of reductions and gather operations waits for the others to "
                                "begin.",
                     .kind = MetricKind::wait}},
        .severity =
            "min(S, C_root) - B_root if > 0; S: latest B_j among the ranks that send bytes (on an inter-communicator: "
            "of the other group). A non-blocking operation waits in the call that completes it at the root: min(max_j "
            "E_j, L) - E over the calls in which these ranks started it",
        .charged_to = "Reduce, Gather(v) (for a non-blocking one, the completing call), root; the culprit began last",
        .state = "the parts of operations that some member has not reached yet",
        .source = "Scalasca 2.6",
        .differs =
            "from Scalasca up to 2.5 and EXPERT: these take the earliest sender other than the root, waitstate takes "
            "the latest; non-blocking operations and inter-communicators are analysed",
        .diagnosis = "the root is early: balance the work before the operation, or give the root other work meanwhile"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (!is_of(c) || c.root == Collective::no_root) return;
    if (const std::uint32_t last = Latest(c, sends).seen_by(c.root); last != Latest::nobody)
      add_wait_for(c, c.root, last, context);
  }
};

}  // namespace

PatternHandle mpi_earlyreduce() { return make_pattern<EarlyReducePattern>(); }

}  // namespace waitstate::patterns

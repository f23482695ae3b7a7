#include "collective_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class EarlyScanPattern : public CollectiveWait {
 public:
  EarlyScanPattern() : CollectiveWait(CollectiveKind::scan, {.has = {"scan"}}) {}

  PatternInfo info() const override {
    return {.metrics = {{.id = "mpi_earlyscan",
                         .parent = "mpi_collective",
                         .title = "Early Scan",
                         .summary = "Time in prefix reductions before the processes of lower rank have begun.",
                         .kind = MetricKind::wait}},
            .severity =
                "min(max{B_j : j <= i, j sends bytes}, C_i) - B_i if > 0. A non-blocking operation waits in the call "
                "that completes it: min(max_j E_j, L) - E over the calls in which these ranks started it",
            .charged_to = "Scan, Exscan (for a non-blocking one, the completing call), rank i; the culprit began last",
            .state = "the parts of operations that some member has not reached yet",
            .source = "Scalasca 2.6",
            .differs = "from Scalasca: non-blocking operations are analysed",
            .diagnosis = "processes of lower rank are late: balance the work before the operation"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (!is_of(c)) return;
    std::uint32_t last = Latest::nobody;
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      const CollectiveMember& m = c.members[i];
      if (sends(m) && (last == Latest::nobody || m.begin > c.members[last].begin)) last = i;
      if (last != Latest::nobody) add_wait_for(c, i, last, context);
    }
  }
};

}  // namespace

PatternHandle mpi_earlyscan() { return make_pattern<EarlyScanPattern>(); }

}  // namespace waitstate::patterns

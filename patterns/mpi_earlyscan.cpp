// mpi_earlyscan: a process waits in a prefix reduction for those of lower rank.
//
// severity    min(max{B_j : j <= i, j sends bytes}, C_i) - B_i if > 0. A non-blocking operation waits in the call that
//             completes it: min(max_j E_j, L) - E over the calls in which these ranks started it
// charged to  Scan, Exscan (of a non-blocking one, the completing call), rank i; the culprit began last
// unit        ticks
// state       the parts of operations that some member has not reached yet
// source      Scalasca 2.6
// differs     from Scalasca: non-blocking operations are analysed
// diagnosis   processes of lower rank are late: balance the work before the operation
#include "latest.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class EarlyScanPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"mpi_earlyscan", "mpi_collective", Unit::seconds, true, "Early Scan",
                         "Time in prefix reductions before the processes of lower rank have begun."}},
            .severity = "min(max{B_j : j <= i, j sends bytes}, C_i) - B_i; non-blocking: min(max_j E_j, L) - E",
            .charged_to = "Scan, Exscan (non-blocking: the call that completes it), each process that waits",
            .state = "the parts of operations that some member has not reached yet",
            .source = "Scalasca 2.6",
            .differs = "from Scalasca: non-blocking operations are analysed",
            .diagnosis = "processes of lower rank are late: balance the work before the operation"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::scan) return;
    std::uint32_t last = Latest::nobody;
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      const CollectiveMember& m = c.members[i];
      if (sends(m) && (last == Latest::nobody || m.begin > c.members[last].begin)) last = i;
      if (last == Latest::nobody) continue;
      if (const Ticks t = wait_ticks(c, i, last); t > 0)
        context.add_wait(0, make_wait(*m.call, m.begin, t, *c.members[last].call));
    }
  }

  void completed_collectives_callback(const CompletedCollectives& c, Context& context) override {
    const CollectiveCompletion* const longest = longest_wait(c);
    if (longest != nullptr && longest->kind == CollectiveKind::scan)
      context.add_wait(0, make_wait(c.call, nonblocking_wait_ticks(c.call, *longest), *longest->awaited));
  }
};

}  // namespace

PatternHandle mpi_earlyscan() { return make_pattern<EarlyScanPattern>(); }

}  // namespace waitstate::patterns

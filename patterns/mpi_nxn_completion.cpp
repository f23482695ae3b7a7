#include <algorithm>

#include "completions.hpp"
#include "rules/nxn.hpp"
#include "undetermined.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class NxnCompletionPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_nxn_completion",
                     .parent = "mpi_collective",
                     .title = "N x N completion",
                     .summary = "Time in all-to-all operations after the first process has left them.",
                     .kind = MetricKind::completion}},
        .severity =
            "C_i - max(minC, min(latest, C_i)) if > 0, for the ranks that synchronise: all if all were in the "
            "operation at the same time, else those that wait (mpi_wait_nxn) and the one that they wait for; minC: "
            "the earliest end among them; latest: the begin record that they wait for. Only operations that moved data "
            "count",
        .charged_to = "the all-to-all operation, each process that synchronises",
        .state = "the parts of operations that some member has not reached yet",
        .source = "Scalasca 2.6",
        .differs =
            "from Scalasca: Alltoallv and Alltoallw are analysed; of operations on inter-communicators "
            "and among neighbours only the wait is analysed, not the completion",
        .diagnosis = "the operation itself takes long: check the amount of data, the MPI library, the network"};
  }

  void collective_callback(const Collective& c, Context& context) override {
    if (c.kind != CollectiveKind::all_to_all || c.inter() || c.neighbourhood) return;
    const Nxn nxn(c);
    if (!nxn.payload_moved()) return;
    std::uint32_t last = Latest::nobody;
    for (std::uint32_t i = 0; i < c.members.size() && last == Latest::nobody; ++i) last = nxn.awaited_by(i);
    if (last == Latest::nobody) return;
    const auto synchronises = [&](std::uint32_t i) {
      return nxn.all_overlap() || i == last || (nxn.awaited_by(i) == last && wait_ticks(c, i, last) > 0);
    };
    Time first_end = ~Time{0};
    for (std::uint32_t i = 0; i < c.members.size(); ++i)
      if (synchronises(i)) first_end = std::min(first_end, c.members[i].end);
    for (std::uint32_t i = 0; i < c.members.size(); ++i) {
      const CollectiveMember& m = c.members[i];
      if (!synchronises(i)) continue;
      if (const Ticks t = completion_ticks(m.end, first_end, c.members[last].begin); t > 0)
        context.add_wait(wait_at_end(*m.call, m.end, t));
    }
  }

  void undetermined(const TraceEvidence& e, Undetermined& u) const override {
    collective_reasons(e, u, first_metric, nxn_functions());
  }
};

}  // namespace

PatternHandle mpi_nxn_completion() { return make_pattern<NxnCompletionPattern>(); }

}  // namespace waitstate::patterns

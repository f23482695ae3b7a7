#include <algorithm>
#include <vector>

#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class EarlyFencePattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_rma_early_fence",
                     .parent = "mpi_rma_wait_at_fence",
                     .title = "Early fence",
                     .summary = "Time in fences before the last operation on the process's own memory has ended.",
                     .kind = MetricKind::wait}},
        .severity =
            "min(T, maxB) - B_i if > 0, if all were in the fence at the same time; T: latest exit of another process's "
            "operation on rank i in the epoch that the fence ends; maxB: latest begin record of the fence",
        .charged_to = "the fence, rank i as target; the culprit is the origin of that operation",
        .state =
            "the parts of operations that some member has not reached yet; the accesses of each member since the "
            "previous fence, by target",
        .source = one_sided_source,
        .differs =
            "from the definition T - E_i: uses begin records instead of enters, and ends at maxB, so that it is part "
            "of Wait at fence",
        .diagnosis = "start the operations earlier, or do other work before the fence"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.kind != RmaCollectiveKind::fence || !all_overlap(r.collective)) return;
    const auto& members = r.collective.members;
    Time last_begin = 0;
    for (const CollectiveMember& m : members) last_begin = std::max(last_begin, m.begin);
    std::vector<const Call*> last(members.size());  // the last operation on each member
    for (const RmaAccess& a : r.accesses) {
      const Call*& l = last[a.target_member];
      if (a.origin_member != a.target_member && (l == nullptr || a.last->exit > l->exit)) l = a.last;
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (last[i] == nullptr) continue;
      const Time until = std::min(last[i]->exit, last_begin);
      if (until > members[i].begin)
        context.add_wait(
            make_wait(*members[i].call, members[i].begin, static_cast<Ticks>(until - members[i].begin), *last[i]));
    }
  }
};

}  // namespace

PatternHandle mpi_rma_early_fence() { return make_pattern<EarlyFencePattern>(); }

}  // namespace waitstate::patterns

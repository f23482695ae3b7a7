#include <vector>

#include "rma_wait.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class PairsyncCountPattern : public Pattern {
  static constexpr MetricHandle all{0}, without_need{1};

 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {
        .metrics = {{.id = "mpi_rma_pairsync_count",
                     .unit = Unit::occurrences,
                     .title = "Pair-wise synchronisations",
                     .summary =
                         "Number of processes with which fence, access and exposure epochs synchronise at their ends."},
                    {.id = "mpi_rma_pairsync_unneeded_count",
                     .parent = "mpi_rma_pairsync_count",
                     .unit = Unit::occurrences,
                     .title = "Unneeded pair-wise synchronisations",
                     .summary =
                         "Number of pair-wise synchronisations with processes with which nothing was exchanged in the "
                         "epoch."}},
        .severity =
            "at the end of an epoch, the number of its partners (fence: the size of the window; complete and wait: the "
            "size of the group); unneeded: the partners without an operation in the epoch (fence: in neither "
            "direction)",
        .charged_to = "the fence, MPI_Win_complete or MPI_Win_wait, each process",
        .state = "the parts of operations that some member has not reached yet; epochs that are open",
        .source = one_sided_source,
        .differs = "no",
        .diagnosis =
            "synchronise only with processes with which data is exchanged: use post, start, complete and wait instead "
            "of fence, and smaller groups"};
  }

  void rma_collective_callback(const RmaCollective& r, Context& context) override {
    if (r.kind != RmaCollectiveKind::fence) return;
    const auto& members = r.collective.members;
    const auto& accesses = r.accesses;  // sorted by origin
    // Origins by target: those of member i are origins[begin[i]] … origins[begin[i + 1] - 1].
    std::vector<std::uint32_t> begin(members.size() + 2), origins(accesses.size());
    for (const RmaAccess& a : accesses) ++begin[a.target_member + 2];
    for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const RmaAccess& a : accesses) origins[begin[a.target_member + 1]++] = a.origin_member;
    const auto partners = static_cast<std::int64_t>(members.size());
    std::vector<std::size_t> counted_for(members.size(), members.size());
    auto access = accesses.begin();
    for (std::size_t i = 0; i < members.size(); ++i) {
      std::int64_t needed = 0;
      const auto count = [&](std::uint32_t partner) {
        needed += counted_for[partner] != i;
        counted_for[partner] = i;
      };
      for (; access != accesses.end() && access->origin_member == i; ++access) count(access->target_member);
      for (std::uint32_t o = begin[i]; o < begin[i + 1]; ++o) count(origins[o]);
      charge(*members[i].call, partners, partners - needed, context);
    }
  }

  void rma_access_epoch_callback(const RmaAccessEpoch& e, Context& context) override {
    std::int64_t unneeded = 0;
    for (const RmaAccessTarget& t : e.targets) unneeded += t.access.operations() == 0;
    charge(e.complete, static_cast<std::int64_t>(e.targets.size()), unneeded, context);
  }

  void rma_exposure_epoch_callback(const RmaExposureEpoch& e, Context& context) override {
    std::int64_t unneeded = 0;
    for (const RmaExposureOrigin& o : e.origins) unneeded += o.access.operations() == 0;
    charge(e.wait, static_cast<std::int64_t>(e.origins.size()), unneeded, context);
  }

 private:
  static void charge(const Call& call, std::int64_t partners, std::int64_t unneeded, Context& context) {
    if (partners != 0) context.add(call, partners, all);
    if (unneeded != 0) context.add(call, unneeded, without_need);
  }
};

}  // namespace

PatternHandle mpi_rma_pairsync_count() { return make_pattern<PairsyncCountPattern>(); }

}  // namespace waitstate::patterns

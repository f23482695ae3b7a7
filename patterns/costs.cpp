#include <vector>

#include <array>

#include "charged.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate::patterns {

namespace {

class CostsPattern : public Pattern {
 public:
  static constexpr bool in_parts = true;

  PatternInfo info() const override {
    return {.metrics = {{.id = "costs",
                         .within_parent = false,
                         .title = "Costs",
                         .summary = "Time in communication, synchronisation and I/O."}},
            .severity = "mpi_communication + mpi_synchronization + io_costs",
            .charged_to = "the call paths that have these",
            .state = "none: computed at the end from time, by class of region",
            .source = "Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)",
            .differs = "no",
            .diagnosis = "the share of these costs in the total time shows how much can be gained"};
  }

  void wrapup(Context& c) override {
    constexpr std::array<std::string_view, 7> classes = {
        "mpi_point2point",     "mpi_collective",      "mpi_rma_communication", "mpi_communication",
        "mpi_sync_collective", "mpi_rma_sync_active", "mpi_rma_sync_passive"};
    add_charged(c, classes, [](CallPathId) { return true; });
  }
};

}  // namespace

PatternHandle costs() { return make_pattern<CostsPattern>(); }

}  // namespace waitstate::patterns

// costs: what parallel execution and I/O cost over all: communication, synchronisation and I/O together.
//
// severity    mpi_communication + mpi_synchronization + io_costs
// charged to  the call paths that have these
// unit        ticks
// state       none: computed at the end from time, by class of region
// source      Wolf and Mohr, EuroPar 2001, section 4 (EXPERT)
// differs     no
// diagnosis   the share of this in the total time tells how much there is to be gained
#include <vector>

#include <array>

#include "booked.hpp"
#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class CostsPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {
        .metrics = {{"costs", "", Unit::seconds, false, "Costs", "Time in communication, synchronisation and I/O."}},
        .severity = "mpi_communication + mpi_synchronization + io_costs",
        .charged_to = "the call paths that have these",
        .state = "none",
        .source = "Wolf and Mohr, EuroPar 2001, section 4",
        .differs = "no",
        .diagnosis = "the share of this in the total time tells how much there is to be gained"};
  }

  void wrapup(Context& c) override {
    constexpr std::array<std::string_view, 7> classes = {
        "mpi_point2point",     "mpi_collective",      "mpi_rma_communication", "mpi_communication",
        "mpi_sync_collective", "mpi_rma_sync_active", "mpi_rma_sync_passive"};
    add_booked(c, classes, [](CallPathId) { return true; });
  }
};

}  // namespace

PatternHandle costs() { return make_pattern<CostsPattern>(); }

}  // namespace waitstate::patterns

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

#include "patterns.hpp"

namespace waitstate::patterns {

namespace {

class CostsPattern : public Pattern {
 public:
  PatternInfo info() const override {
    return {.metrics = {{"costs", "", Unit::seconds, false, "Costs", "Time in communication, synchronisation and I/O."}},
        .severity = "mpi_communication + mpi_synchronization + io_costs",
        .charged_to = "the call paths that have these",
        .state = "none",
        .source = "Wolf and Mohr, EuroPar 2001, section 4",
        .differs = "no",
        .diagnosis = "the share of this in the total time tells how much there is to be gained"};
  }

  void wrapup(Context& c) override {
    struct Row {
      CallPathId path;
      LocationId location;
      std::int64_t ticks;
    };
    std::vector<Row> rows;  // severities must not change while they are looked at
    for (const char* id : {"mpi_point2point", "mpi_collective", "mpi_rma_communication", "mpi_communication",
                           "mpi_sync_collective", "mpi_rma_sync_active", "mpi_rma_sync_passive"})
      c.severities().for_each(c.metrics().at(id), [&](CallPathId path, LocationId location, std::int64_t ticks) {
        if (ticks != 0) rows.push_back({path, location, ticks});
      });
    for (const Row& r : rows) c.add(0, r.path, r.location, r.ticks);
  }
};

}  // namespace

PatternHandle costs() { return make_pattern<CostsPattern>(); }

}  // namespace waitstate::patterns

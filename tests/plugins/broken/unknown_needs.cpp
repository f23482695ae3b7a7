#include "single_metric.hpp"

namespace {
struct Needy : waitstate::test::SingleMetric {
  Needy() : SingleMetric("needy", "time", {"mpi_latesendr"}) {}
};
}  // namespace

WAITSTATE_PLUGIN(Needy)

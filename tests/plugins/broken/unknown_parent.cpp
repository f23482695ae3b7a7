#include "single_metric.hpp"

namespace {
struct Orphan : waitstate::test::SingleMetric {
  Orphan() : SingleMetric("orphan", "mpi_latesendr") {}
};
}  // namespace

WAITSTATE_PLUGIN(Orphan)

// The second pattern takes the id of a built-in one.
#include "single_metric.hpp"

namespace {
struct First : waitstate::test::SingleMetric {
  First() : SingleMetric("fine") {}
};
struct Second : waitstate::test::SingleMetric {
  Second() : SingleMetric("mpi_latesender") {}
};
}  // namespace

WAITSTATE_PLUGIN(First, Second)

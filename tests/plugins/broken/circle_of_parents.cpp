// Two metrics that are each below the other.
#include "single_metric.hpp"

namespace {
struct Upper : waitstate::test::SingleMetric {
  Upper() : SingleMetric("upper", "lower") {}
};
struct Lower : waitstate::test::SingleMetric {
  Lower() : SingleMetric("lower", "upper") {}
};
}  // namespace

WAITSTATE_PLUGIN(Upper, Lower)

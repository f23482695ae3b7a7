// Three patterns, none of which can run before the others.
#include "single_metric.hpp"

namespace {
struct First : waitstate::test::SingleMetric {
  First() : SingleMetric("first", "time", {"third"}) {}
};
struct Second : waitstate::test::SingleMetric {
  Second() : SingleMetric("second", "time", {"first"}) {}
};
struct Third : waitstate::test::SingleMetric {
  Third() : SingleMetric("third", "time", {"second"}) {}
};
}  // namespace

WAITSTATE_PLUGIN(First, Second, Third)

// Uses a function that this waitstate does not have.
#include "single_metric.hpp"

namespace waitstate {
int function_of_tomorrow();
}

namespace {
struct Tomorrow : waitstate::test::SingleMetric {
  Tomorrow() : SingleMetric("tomorrow") { waitstate::function_of_tomorrow(); }
};
}  // namespace

WAITSTATE_PLUGIN(Tomorrow)

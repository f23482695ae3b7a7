// A pattern has to stand behind those that it needs.
#include "single_metric.hpp"

namespace {
struct Needy : waitstate::test::SingleMetric {
  Needy() : SingleMetric("needy", "time", {"needed_one"}) {}
};
struct Needed : waitstate::test::SingleMetric {
  Needed() : SingleMetric("needed_one") {}
};
}  // namespace

WAITSTATE_PLUGIN(Needy, Needed)

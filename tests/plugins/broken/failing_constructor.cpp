#include <stdexcept>

#include "single_metric.hpp"

namespace {
struct Fails : waitstate::test::SingleMetric {
  Fails() : SingleMetric("fails") { throw std::runtime_error("the table of costs is missing"); }
};
}  // namespace

WAITSTATE_PLUGIN(Fails)

// A plug-in that ends the process, and says that all is well.
#include <unistd.h>

#include "single_metric.hpp"

namespace {
struct Exits : waitstate::test::SingleMetric {
  Exits() : SingleMetric("exits") { ::_exit(0); }
};
}  // namespace

WAITSTATE_PLUGIN(Exits)

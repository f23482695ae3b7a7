// A plug-in that crashes while it is loaded, as one does whose file was cut off.
#include <csignal>

#include "single_metric.hpp"

namespace {
struct Crashes : waitstate::test::SingleMetric {
  Crashes() : SingleMetric("crashes") {}
};
const int crash = std::raise(SIGSEGV);
}  // namespace

WAITSTATE_PLUGIN(Crashes)

// Needs a pattern of another plug-in.
#include "single_metric.hpp"

namespace {
struct NeedsHugeMessages : waitstate::test::SingleMetric {
  NeedsHugeMessages() : SingleMetric("needs_huge_messages", "huge_messages", {"huge_messages"}) {}
};
}  // namespace

WAITSTATE_PLUGIN(NeedsHugeMessages)

// Queues with damaged time stamps: what lies farther apart than Ticks can tell is the most that they can.
#include "analysis/queues/queue_sweep.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace waitstate::analysis {
namespace {

TEST(QueueSweep, StaysThatAreTooLongAreTheMost) {
  constexpr Ticks most = std::numeric_limits<Ticks>::max();
  constexpr Time late = Time{1} << 63;
  QueueSweep sweep(0, ~Time{0} - 1, nullptr);
  sweep.add({0, late, 0, CommId{0}, 1, {}, {}, 0});
  sweep.add({1, late + 5, 0, CommId{0}, 1, {}, {}, 0});
  const MessageQueues queues = sweep.finish();
  ASSERT_FALSE(queues.rows.empty());
  const QueueProfile& posted = queues.rows.front().posted;
  EXPECT_EQ(posted.greatest, most);
  EXPECT_EQ(posted.least, most);
  EXPECT_EQ(posted.total, most);
  EXPECT_EQ(posted.populated, most);
}

}  // namespace
}  // namespace waitstate::analysis

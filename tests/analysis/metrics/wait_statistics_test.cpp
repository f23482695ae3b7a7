// The books of waits: who made whom wait, and from how many members on that is not kept for each.
#include "analysis/metrics/wait_statistics.hpp"

#include <gtest/gtest.h>

namespace waitstate::analysis {
namespace {

Wait wait_of(std::uint32_t waiter, std::uint32_t culprit, Ticks ticks) {
  Wait w;
  w.location = LocationId{waiter};
  w.callpath = CallPathId{1};
  w.ticks = ticks;
  w.culprit = LocationId{culprit};
  w.culprit_callpath = CallPathId{2};
  return w;
}

TEST(WaitRecorder, waiters_are_told_apart_up_to_so_many_members) {
  WaitRecorder books(1);
  for (const std::size_t members : {WaitSummary::most_told_apart, WaitSummary::most_told_apart + 1}) {
    books.open(members);
    for (const std::uint32_t waiter : {5, 3, 4}) books.add(0, wait_of(waiter, 9, waiter));
    books.close();
  }
  books.add(0, wait_of(3, 9, 100));  // of a message: again each by itself
  const WaitSummary waits = books.summaries().at(0);
  using Pairs = WaitTable<std::pair<LocationId, LocationId>>;
  EXPECT_EQ(waits.pairs, (Pairs{{{LocationId{9}, LocationId{3}}, {2, 103}},
                                {{LocationId{9}, LocationId{4}}, {1, 4}},
                                {{LocationId{9}, LocationId{5}}, {1, 5}},
                                {{LocationId{9}, LocationId::none()}, {3, 12}}}));
  EXPECT_EQ(waits.causes.at({CallPathId{2}, LocationId{9}}), (WaitPair{7, 124}));
  EXPECT_EQ(waits.statistics.count, 7u);
  ASSERT_EQ(waits.severe.at(CallPathId{1}).size(), 3u);
  EXPECT_EQ(waits.severe.at(CallPathId{1})[1].waiters, 3u);
}

}  // namespace
}  // namespace waitstate::analysis

// A tick of waiting owes what all spans ask that are open there: exactly nothing when the last one has been closed.
#include "causes/sweep/open_spans.hpp"

#include <gtest/gtest.h>

namespace waitstate::causes {
namespace {

constexpr auto late_sender = static_cast<std::size_t>(DelayType::late_sender),
               barrier = static_cast<std::size_t>(DelayType::barrier);

TEST(OpenSpans, AddsUpTheRatesOfSpansThatAreOpen) {
  OpenSpans spans;
  Debts debts{};
  debts[barrier] = 0.3;
  spans.open(OpenSpans::after(10), DelayType::late_sender, 0.1, 1u << barrier, debts);
  spans.open(OpenSpans::after(20), DelayType::late_sender, 0.2, 0, {});
  spans.close(25);
  EXPECT_NEAR(spans.rate(late_sender), 0.3, 1e-15);
  EXPECT_NEAR(spans.rate(barrier), 0.3, 1e-15);
  spans.close(20);  // a span that ends behind point 20 does not cover it
  EXPECT_NEAR(spans.rate(late_sender), 0.1, 1e-15);
  spans.close(10);
  EXPECT_EQ(spans.rate(late_sender), 0);
  EXPECT_EQ(spans.rate(barrier), 0);
}

TEST(OpenSpans, ASpanThatEndsWithAPointCoversIt) {
  OpenSpans spans;
  spans.open(OpenSpans::from(10), DelayType::barrier, 1, 0, {});
  spans.close(10);
  EXPECT_EQ(spans.rate(barrier), 1);
  spans.close(9);
  EXPECT_EQ(spans.rate(barrier), 0);
}

TEST(OpenSpans, TheLargestShareOfMessagesCounts) {
  OpenSpans spans;
  EXPECT_EQ(spans.share_of_messages(), 0);
  spans.open_message(OpenSpans::after(10), 0.25);
  spans.open_message(OpenSpans::after(20), 0.5);
  spans.close(21);
  EXPECT_EQ(spans.share_of_messages(), 0.5);
  spans.close(15);
  EXPECT_EQ(spans.share_of_messages(), 0.25);
  spans.close(10);
  EXPECT_EQ(spans.share_of_messages(), 0);
}

}  // namespace
}  // namespace waitstate::causes

// Sends that were cancelled: found in one pass, known in the next.
#include "link/cancelled_sends.hpp"

#include <gtest/gtest.h>

namespace waitstate::link {
namespace {

constexpr LocationId l{3};

TEST(CancelledSends, ATraceWithoutAnyIsReadOnce) {
  CancelledSends sends;
  EXPECT_FALSE(sends.contains(l, 10, 7));
  EXPECT_FALSE(sends.read_again());
}

TEST(CancelledSends, WhatIsFoundIsKnownInTheNextPassOnly) {
  CancelledSends sends;
  sends.found(l, 20, 8);
  sends.found(l, 10, 7);
  EXPECT_FALSE(sends.contains(l, 10, 7));
  EXPECT_TRUE(sends.read_again());
  EXPECT_TRUE(sends.contains(l, 10, 7));
  EXPECT_TRUE(sends.contains(l, 20, 8));
  EXPECT_FALSE(sends.contains(LocationId{2}, 10, 7)) << "another location's";
  EXPECT_FALSE(sends.contains(l, 11, 7)) << "a later one with the request's number";
  EXPECT_FALSE(sends.contains(l, 10, 8));
}

TEST(CancelledSends, WhatIsKnownIsNoReasonToReadAgain) {
  CancelledSends sends;
  sends.found(l, 10, 7);
  EXPECT_TRUE(sends.read_again());
  sends.found(l, 10, 7);
  EXPECT_FALSE(sends.read_again());
  sends.found(l, 5, 7);  // it could not be seen before
  EXPECT_TRUE(sends.read_again());
  EXPECT_TRUE(sends.contains(l, 5, 7));
  EXPECT_TRUE(sends.contains(l, 10, 7));
}

}  // namespace
}  // namespace waitstate::link

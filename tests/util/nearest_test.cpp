// Slips of the keyboard find their word; other words find nothing.
#include "util/nearest.hpp"

#include <gtest/gtest.h>

namespace waitstate::model {
namespace {

constexpr std::string_view known[] = {"send", "isend", "recv", "tag", "dest", "collective_begin", "collective_end"};

TEST(Nearest, FindsSlips) {
  EXPECT_EQ(util::nearest("sned", known), "send");
  EXPECT_EQ(util::nearest("tga", known), "tag");
  EXPECT_EQ(util::nearest("dst", known), "dest");
  EXPECT_EQ(util::nearest("iisend", known), "isend");
  EXPECT_EQ(util::nearest("colective_bgin", known), "collective_begin");
  EXPECT_EQ(util::nearest("send", known), "send");
}

TEST(Nearest, TheFirstOfEquallyNearOnes) {
  constexpr std::string_view both[] = {"cat", "car"};
  EXPECT_EQ(util::nearest("cas", both), "cat");
}

TEST(Nearest, FindsNothingFarAway) {
  EXPECT_EQ(util::nearest("x", known), "");
  EXPECT_EQ(util::nearest("", known), "");
  EXPECT_EQ(util::nearest("enter", known), "");
  EXPECT_EQ(util::nearest(std::string(100000, 's'), known), "");
  EXPECT_EQ(util::nearest("send", {}), "");
}

}  // namespace
}  // namespace waitstate::model

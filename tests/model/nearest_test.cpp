// Slips of the keyboard find their word; other words find nothing.
#include "model/nearest.hpp"

#include <gtest/gtest.h>

namespace waitstate::model {
namespace {

constexpr std::string_view known[] = {"send", "isend", "recv", "tag", "dest", "collective_begin", "collective_end"};

TEST(Nearest, FindsSlips) {
  EXPECT_EQ(nearest("sned", known), "send");
  EXPECT_EQ(nearest("tga", known), "tag");
  EXPECT_EQ(nearest("dst", known), "dest");
  EXPECT_EQ(nearest("iisend", known), "isend");
  EXPECT_EQ(nearest("colective_bgin", known), "collective_begin");
  EXPECT_EQ(nearest("send", known), "send");
}

TEST(Nearest, TheFirstOfEquallyNearOnes) {
  constexpr std::string_view both[] = {"cat", "car"};
  EXPECT_EQ(nearest("cas", both), "cat");
}

TEST(Nearest, FindsNothingFarAway) {
  EXPECT_EQ(nearest("x", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest("enter", known), "");
  EXPECT_EQ(nearest(std::string(100000, 's'), known), "");
  EXPECT_EQ(nearest("send", {}), "");
}

}  // namespace
}  // namespace waitstate::model

// Each wait between parts of a sweep is announced once to the part that has its culprit, and parts begin together.
#include "causes/sweep/announced_waits.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "causes/mail.hpp"
#include "run_parts.hpp"

namespace waitstate::causes {
namespace {

// Part p waits p + 1 times for point n of each other part, for n below a number that takes several pages of 16 KiB.
TEST(AnnouncedWaits, ArriveOnceEach) {
  constexpr std::size_t parts = 3;
  constexpr std::uint32_t points = 5000;
  AnnouncedWaits announced(parts, 1);  // all but a page of each is spilled
  Mail<int> mail(parts);
  std::vector<std::vector<std::uint32_t>> counts(parts, std::vector<std::uint32_t>(points));
  run_parts(parts, [&](std::size_t part) {
    AnnouncedWaits::Sender sender(announced);
    for (std::uint32_t n = 0; n < points; ++n)
      for (std::size_t to = 0; to < parts; ++to)
        for (std::size_t i = 0; to != part && i <= part; ++i) sender.add(to, {LocationId{to}, n});
    sender.flush();
    ASSERT_TRUE(mail.meet());
    announced.take(part, [&](PointId culprit) {
      EXPECT_EQ(culprit.location.index(), part);
      ++counts[part][culprit.number];
    });
  });
  EXPECT_EQ(counts[0], std::vector<std::uint32_t>(points, 2 + 3));
  EXPECT_EQ(counts[1], std::vector<std::uint32_t>(points, 1 + 3));
  EXPECT_EQ(counts[2], std::vector<std::uint32_t>(points, 1 + 2));
}

}  // namespace
}  // namespace waitstate::causes

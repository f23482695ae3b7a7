// Sums of doubles: exact, whatever the order, and rounded once.
#include "util/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

namespace waitstate::util {
namespace {

double sum_of(const std::vector<double>& values) {
  ExactSum sum;
  for (const double v : values) sum.add(v);
  return sum.value();
}

TEST(ExactSum, what_cancels_leaves_the_rest) {
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e100, 1, -1e100}), 1);
  EXPECT_EQ(sum_of({1, 1e100, 1, -1e100}), 2);
  EXPECT_EQ(sum_of({0.1, 0.2, -0.30000000000000004}),
            -2.7755575615628914e-17);  // sum of the doubles, not of the decimals
}

TEST(ExactSum, rounds_once) {
  EXPECT_EQ(sum_of({1, 0x1p-53}), 1);                          // half a unit: to even
  EXPECT_EQ(sum_of({1, 0x1p-53, 0x1p-200}), 1 + 0x1p-52);      // a little more than half
  EXPECT_EQ(sum_of({1, 0x1p-53, -0x1p-200}), 1);               // a little less
  EXPECT_EQ(sum_of({1 + 0x1p-52, 0x1p-53}), 1 + 2 * 0x1p-52);  // half a unit: to even
}

TEST(ExactSum, order_and_grouping_change_nothing) {
  std::mt19937_64 dice(1);
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i)
    values.push_back(std::ldexp(static_cast<double>(dice() >> 11), static_cast<int>(dice() % 200) - 100) *
                     ((dice() & 1) != 0 ? 1 : -1));
  const double expected = sum_of(values);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(values.begin(), values.end(), dice);
    ExactSum parts[3];
    for (const double v : values) parts[dice() % 3].add(v);
    parts[0].add(parts[2]);
    parts[1].add(parts[0]);
    EXPECT_EQ(parts[1].value(), expected);
    EXPECT_EQ(sum_of(values), expected);
  }
}

TEST(ExactSum, products_are_exact) {
  ExactSum sum;
  sum.add_product(0.1, 3);
  sum.add_product(-0.1, 1);
  sum.add_product(-0.1, 1);
  sum.add_product(-0.1, 1);
  EXPECT_EQ(sum.value(), 0);
}

TEST(ExactSum, takes_what_cannot_overflow) {
  EXPECT_TRUE(ExactSum::takes(-1e200));
  EXPECT_FALSE(ExactSum::takes(1e300));
  EXPECT_FALSE(ExactSum::takes(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(ExactSum::takes(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace waitstate::util

// Sorting by digits, against std::stable_sort.
#include "util/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace waitstate::util {
namespace {

using Item = std::pair<std::uint64_t, int>;

template <unsigned digit_bits>
void expect_sorted_like_stable_sort(std::uint64_t mask) {
  std::mt19937_64 random(mask);
  for (const std::size_t n : {0, 1, 2, 1000}) {
    std::vector<Item> items, scratch;
    for (std::size_t i = 0; i < n; ++i) items.emplace_back(random() & mask, static_cast<int>(i));
    std::vector<Item> expected = items;
    std::stable_sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) { return a.first < b.first; });
    radix_sort<digit_bits>(items, scratch, [](const Item& item) { return item.first; });
    EXPECT_EQ(items, expected) << n << " items, keys of the bits " << mask;
  }
}

TEST(RadixSort, SortsLikeAStableSort) {
  // The last byte, the first one, some in the middle, all bits, none.
  for (const std::uint64_t mask : {0xffull, 0xffull << 56, 0xfull << 30, ~0ull, 0ull}) {
    expect_sorted_like_stable_sort<8>(mask);
    expect_sorted_like_stable_sort<11>(mask);
  }
}

}  // namespace
}  // namespace waitstate::util

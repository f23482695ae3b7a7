#include "util/flat_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace waitstate::util {
namespace {

// Few distinct hashes, so that entries collide and erasing has to move others.
struct Key {
  std::uint32_t n = 0;
  bool operator==(const Key&) const = default;
  std::uint64_t hash() const { return std::uint64_t{n % 7} << 61; }
};

// Keys that lie side by side if they are in a row.
struct KeyInARow {
  std::uint32_t n = 0;
  bool operator==(const KeyInARow&) const = default;
  std::uint64_t hash() const { return std::uint64_t{n / 10 % 3} << 61; }
  std::size_t beside() const { return n; }
};

template <class K>
struct FlatMaps : testing::Test {};
using Keys = testing::Types<Key, KeyInARow>;
TYPED_TEST_SUITE(FlatMaps, Keys, );

TYPED_TEST(FlatMaps, BehaveLikeMapsUnderInsertionAndErasure) {
  std::mt19937 random(1);
  FlatMap<TypeParam, int> map;
  std::map<std::uint32_t, int> expected;
  for (int step = 0; step < 20000; ++step) {
    const TypeParam key{static_cast<std::uint32_t>(random() % 40)};
    switch (random() % 3) {
      case 0:
        map.erase(key);
        expected.erase(key.n);
        break;
      case 1:
        map.find_or_insert(key) = step;
        expected[key.n] = step;
        break;
      default: {
        const int* v = map.find(key);
        const auto e = expected.find(key.n);
        ASSERT_EQ(v != nullptr, e != expected.end());
        if (v != nullptr) {
          ASSERT_EQ(*v, e->second);
        }
      }
    }
    ASSERT_EQ(map.size(), expected.size());
  }
  std::map<std::uint32_t, int> all;
  map.for_each([&](const TypeParam& k, int v) { all[k.n] = v; });
  EXPECT_EQ(all, expected);
}

TEST(FlatMap, ThrowsOutWhatNeedNotStayBeforeItGrows) {
  FlatMap<Key, int> map;
  for (std::uint32_t i = 0; i < 100000; ++i) {
    map.find_or_insert({i}, [](int v) { return v != 0; }) = i < 3 ? 1 : 0;
    ASSERT_LE(map.size(), 64u);
  }
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_NE(map.find({i}), nullptr);
}

}  // namespace
}  // namespace waitstate::util

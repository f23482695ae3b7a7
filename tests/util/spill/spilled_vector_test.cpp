// The contents of a vector do not depend on how much of it is in memory.
#include "util/spill/spilled_vector.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace waitstate::util {
namespace {

struct Element {
  std::uint64_t value = 0;
  std::uint32_t other = 0;  // makes padding necessary: pages do not end with an element
};

constexpr std::size_t page = SpilledPages::page_bytes, many = 20 * page / sizeof(Element);

TEST(SpilledVector, KeepsWhatIsInTheFileAsWhatIsInMemory) {
  for (const std::size_t in_memory : {std::size_t{0}, 3 * page, 100 * page}) {
    SpilledVector<Element> spilled(in_memory);
    std::vector<Element> expected;
    std::mt19937_64 random(7);
    for (std::size_t i = 0; i < many; ++i) {
      expected.push_back({random(), static_cast<std::uint32_t>(i)});
      spilled.push_back(expected.back());
    }
    EXPECT_EQ(spilled.spilled() > 0, in_memory < 100 * page);
    for (int i = 0; i < 200; ++i) {
      const std::size_t at = random() % many;
      const std::uint64_t value = random();
      expected[at].value = value;
      spilled.change(at, [&](Element& e) { e.value = value; });
    }
    std::size_t differ = 0, next = 10;
    spilled.each(10, many,
                 [&](const Element& e) { differ += e.value != expected[next].value || e.other != next, ++next; });
    EXPECT_EQ(next, many);
    for (std::size_t i = many; i-- > 0;) differ += spilled[i].value != expected[i].value;
    EXPECT_EQ(differ, 0u) << in_memory;
  }
}

TEST(SpilledVector, IsZeroWhereNothingWasWritten) {
  SpilledVector<Element> spilled(0);
  spilled.grow(many);
  ASSERT_EQ(spilled.size(), many);
  spilled.set(many - 1, {5, 6});
  spilled.set(0, {7, 8});
  EXPECT_EQ(spilled[many / 2].value, 0u);
  EXPECT_EQ(spilled[many - 1].value, 5u);
  EXPECT_EQ(spilled[0].other, 8u);
}

TEST(SpilledVector, IsReadByManyWhileItIsShared) {
  for (const std::size_t in_memory : {std::size_t{0}, 3 * page, 12 * page, 100 * page}) {
    SpilledVector<Element> vector(in_memory);
    for (std::size_t i = 0; i < many; ++i) vector.push_back({i * i, static_cast<std::uint32_t>(i)});
    for (int round = 0; round < 2; ++round) {
      constexpr unsigned readers = 4;
      std::size_t differ[readers] = {};
      vector.share(readers);
      std::vector<std::thread> threads;
      for (unsigned number = 0; number < readers; ++number)
        threads.emplace_back([&, number] {
          const SharedReader reader(number);
          std::mt19937_64 random(number);
          for (int i = 0; i < 2000; ++i) {
            const std::size_t at = random() % many;
            differ[number] += vector[at].value != at * at;
          }
          std::size_t next = number;
          vector.each(next, many, [&](const Element& e) { differ[number] += e.other != next++; });
        });
      for (std::thread& t : threads) t.join();
      vector.end_sharing();
      for (const std::size_t n : differ) EXPECT_EQ(n, 0u) << in_memory;
      vector.set(7, {1, 2});  // after that, the value is as before
      EXPECT_EQ(vector[7].other, 2u);
      vector.set(7, {49, 7});
    }
  }
}

TEST(SpilledVector, StaysInMemoryWithoutAFolderForTheFile) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/no/such/folder", 1);
  SpilledVector<Element> vector(0);
  for (std::size_t i = 0; i < many; ++i) vector.push_back({i, 0});
  if (before == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(vector.spilled(), 0u);
  std::size_t differ = 0;
  for (std::size_t i = 0; i < many; ++i) differ += vector[i].value != i;
  EXPECT_EQ(differ, 0u);
}

}  // namespace
}  // namespace waitstate::util

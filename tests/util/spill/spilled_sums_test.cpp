// Sums by key are the same whether they are added up in memory or in the file, and come in the order of keys.
#include "util/spill/spilled_sums.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "support/temporary_folder.hpp"

namespace waitstate::util {
namespace {

using Sums = std::map<std::uint64_t, std::uint64_t>;

Sums all(SpilledSums& sums) {
  Sums found;
  std::uint64_t last = 0;
  sums.each([&](std::uint64_t key, std::uint64_t sum) {
    EXPECT_TRUE(found.empty() || key > last);
    found[last = key] = sum;
  });
  return found;
}

TEST(SpilledSums, NothingGivesNothing) {
  SpilledSums sums;
  EXPECT_EQ(all(sums), Sums{});
}

TEST(SpilledSums, AreExactHoweverManyKeysThereAre) {
  for (const std::uint64_t keys : {3u, 60u, 5000u}) {
    std::mt19937_64 random(keys);
    SpilledSums sums(100), in_memory;
    Sums expected;
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t key = random() % keys << 40, value = random() % 1000;
      for (SpilledSums* const s : {&sums, &in_memory}) s->add(key, value);
      expected[key] += value;
    }
    EXPECT_EQ(sums.spilled() > 0, keys > 50) << keys;
    EXPECT_EQ(in_memory.spilled(), 0u);
    EXPECT_EQ(all(sums), expected);
    EXPECT_EQ(all(in_memory), expected);
  }
}

TEST(SpilledSums, RowsOfSeveralBlocks) {
  SpilledSums sums(5000);
  for (std::uint64_t i = 0; i < 12000; ++i) sums.add(i * 7 % 12000, i);
  EXPECT_EQ(sums.spilled(), 2u);
  const Sums found = all(sums);
  EXPECT_EQ(found.size(), 12000u);
  EXPECT_EQ(found.at(7), 1u);
}

TEST(SpilledSums, WithoutRoomForTemporaryFilesAllStaysInMemory) {
  const support::TemporaryFolder folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", (folder / "none").c_str(), 1);
  SpilledSums sums(10);
  for (std::uint64_t i = 0; i < 100; ++i) sums.add(i, 2);
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(sums.spilled(), 0u);
  EXPECT_EQ(all(sums).size(), 100u);
}

}  // namespace
}  // namespace waitstate::util

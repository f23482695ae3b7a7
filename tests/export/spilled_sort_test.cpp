// Rows are sorted in the same way whether they stay in memory or go into the file, and can be read again and again.
#include "export/spilled_sort.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace waitstate::exports {
namespace {

struct Row {
  std::uint64_t key = 0, value = 0;
  friend auto operator<=>(const Row&, const Row&) = default;
};
struct RowOrder {
  bool operator()(const Row& a, const Row& b) const { return a < b; }
};
using Rows = SpilledSort<Row, RowOrder>;

std::vector<Row> all(Rows& rows) {
  std::vector<Row> found;
  Rows::Reader reader(rows);
  while (const Row* const r = reader.next()) found.push_back(*r);
  return found;
}

std::vector<Row> random_rows(std::size_t count) {
  std::mt19937_64 random(count);
  std::vector<Row> rows(count);
  for (Row& r : rows) r = {random() % 1000, random()};
  return rows;
}

TEST(SpilledSort, sorts_whatever_is_in_the_file) {
  // Rows of the file have several blocks, the last of them of any size.
  for (const std::size_t in_memory :
       {std::size_t{1}, std::size_t{7}, std::size_t{4096}, std::size_t{10'000}, std::size_t{1} << 20}) {
    const std::size_t count = in_memory < 100 ? 300 : 50'000;
    Rows rows(in_memory);
    std::vector<Row> expected = random_rows(count);
    for (const Row& r : expected) rows.add(r);
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(rows.size(), count);
    EXPECT_EQ(rows.spilled() != 0, in_memory < count);
    EXPECT_EQ(all(rows), expected) << in_memory;
    EXPECT_EQ(all(rows), expected) << in_memory;
  }
}

TEST(SpilledSort, begins_anew) {
  Rows rows(100);
  for (const Row& r : random_rows(5000)) rows.add(r);
  rows.clear();
  EXPECT_EQ(rows.size(), 0u);
  EXPECT_TRUE(all(rows).empty());
  std::vector<Row> expected = random_rows(777);
  for (const Row& r : expected) rows.add(r);
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(all(rows), expected);
}

TEST(SpilledSort, needs_no_file) {
  ::setenv("TMPDIR", "/nonexistent", 1);
  Rows rows(100);
  std::vector<Row> expected = random_rows(5000);
  for (const Row& r : expected) rows.add(r);
  ::unsetenv("TMPDIR");
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(rows.spilled(), 0u);
  EXPECT_EQ(all(rows), expected);
}

}  // namespace
}  // namespace waitstate::exports

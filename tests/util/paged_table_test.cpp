#include "util/paged_table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "peers/archive.hpp"

namespace waitstate::util {
namespace {

TEST(PagedTable, WhatNobodyHasWrittenToIsNew) {
  const PagedTable<std::string> table(1000);
  EXPECT_EQ(table.size(), 1000u);
  EXPECT_EQ(table[0], "");
  EXPECT_EQ(table[999], "");
}

TEST(PagedTable, ReadingMakesNoEntries) {
  PagedTable<int> table(1000);
  EXPECT_EQ(std::as_const(table)[500], 0);
  std::size_t made = 0;
  table.for_each([&](std::size_t, int) { ++made; });
  EXPECT_EQ(made, 0u);
}

TEST(PagedTable, EntriesDoNotMove) {
  PagedTable<int> table(1000);
  int& first = table[0];
  first = 7;
  for (std::size_t i = 1; i < table.size(); ++i) table[i] = static_cast<int>(i);
  EXPECT_EQ(&first, &table[0]);
  EXPECT_EQ(table[0], 7);
  EXPECT_EQ(table[999], 999);
}

TEST(PagedTable, VisitsWhatHasBeenWrittenToInOrderAndNothingBehindTheEnd) {
  PagedTable<int> table(70);
  table[69] = 2, table[3] = 1;
  std::vector<std::pair<std::size_t, int>> there;
  table.for_each([&](std::size_t i, int& entry) {
    if (entry != 0) there.emplace_back(i, entry);
  });
  EXPECT_EQ(there, (std::vector<std::pair<std::size_t, int>>{{3, 1}, {69, 2}}));
  std::size_t last = 0;
  std::as_const(table).for_each([&](std::size_t i, const int&) { last = i; });
  EXPECT_EQ(last, 69u);
}

TEST(PagedTable, TravelsToAnotherProcess) {
  PagedTable<int> sent(300), received(300);
  sent[290] = 5;
  std::vector<std::byte> bytes;
  peers::ArchiveWriter writer(
      [&](std::vector<std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  writer(sent);
  writer.flush();
  peers::ArchiveReader reader([&] { return bytes; });
  reader(received);
  EXPECT_EQ(received[290], 5);
  EXPECT_EQ(std::as_const(received)[0], 0);
}

}  // namespace
}  // namespace waitstate::util

#include "util/spill/scratch_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "waitstate/error.hpp"

namespace waitstate::util {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes(std::size_t n, int value) { return Bytes(n, static_cast<std::byte>(value)); }

TEST(ScratchFile, GivesBackWhatWasPutIntoItInAnyOrder) {
  ScratchFile file;
  std::vector<std::uint64_t> places;
  for (int i = 0; i < 10; ++i) {
    const auto place = file.put(bytes(1000 + static_cast<std::size_t>(i), i));
    ASSERT_TRUE(place.has_value());
    places.push_back(*place);
  }
  EXPECT_EQ(file.size(), 10045u);
  file.drop(places[3], 1003);
  for (const int i : {9, 0, 5, 4, 1, 2, 8, 7, 6}) {
    Bytes b(1000 + static_cast<std::size_t>(i));
    file.take(places[static_cast<std::size_t>(i)], b);
    EXPECT_EQ(b, bytes(b.size(), i));
  }
  EXPECT_EQ(file.size(), 0u);
  EXPECT_EQ(file.put(bytes(10, 1)), 0u);  // an empty file begins anew
}

TEST(ScratchFile, ReadsBackAnyNumberOfTimes) {
  ScratchFile file;
  const auto first = file.put(bytes(100, 1)), second = file.put(bytes(100, 2));
  for (int i = 0; i < 2; ++i) {
    Bytes b(100);
    file.read(*second, b);
    EXPECT_EQ(b, bytes(100, 2));
    file.read(*first, b);
    EXPECT_EQ(b, bytes(100, 1));
  }
  EXPECT_EQ(file.size(), 200u);
}

TEST(ScratchFile, WithoutAFolderNothingIsTaken) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/proc", 1);
  ScratchFile file;
  EXPECT_EQ(file.put(bytes(10, 1)), std::nullopt);
  ::setenv("TMPDIR", "/no/such/folder", 1);
  EXPECT_EQ(ScratchFile().put(bytes(10, 1)), std::nullopt);
  if (before == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(file.put(bytes(10, 1)), std::nullopt);  // it is not tried again
  EXPECT_EQ(file.size(), 0u);
}

// Data that was put into it before the file system was full is still there.
TEST(ScratchFile, WhatDoesNotFitIsNotTaken) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  ScratchFile file;
  const auto first = file.put(bytes(1000, 7));
  ASSERT_TRUE(first.has_value());
  rlimit low = before;
  low.rlim_cur = 1500;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  const auto second = file.put(bytes(1000, 8));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(second, std::nullopt);
  EXPECT_EQ(file.size(), 1000u);
  Bytes b(1000);
  file.take(*first, b);
  EXPECT_EQ(b, bytes(1000, 7));
}

TEST(ScratchFile, WhatCannotBeReadBackIsAnError) {
  ScratchFile file;
  const auto place = file.put(bytes(100, 1));
  ASSERT_TRUE(place.has_value());
  Bytes more(101);
  EXPECT_THROW(file.take(*place, more), OutputError);
}

}  // namespace
}  // namespace waitstate::util

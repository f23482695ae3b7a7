// The time that a location waited in a given window: exact whatever the order of the waits; overlapping times count
// once; in memory or in the scratch file; and unknown if there is no answer.
#include "analysis/metrics/wait_log.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "support/temporary_folder.hpp"

namespace waitstate::analysis {
namespace {

Wait wait(std::uint32_t location, Time begin, Time end, std::uint32_t culprit, std::uint32_t callpath = 1) {
  Wait w;
  w.location = LocationId{location};
  w.callpath = CallPathId{callpath};
  w.begin = begin;
  w.ticks = static_cast<Ticks>(end - begin);
  w.culprit = culprit == 0 ? LocationId::none() : LocationId{culprit};
  return w;
}

WaitLog::Window window(std::uint32_t location, Time begin, Time end) { return {LocationId{location}, begin, end}; }

/// "ticks most culprit callpath", "-" if it is not known.
std::string text(const CulpritWait& w) {
  if (!w.known) return "-";
  return fmt::format("{} {} {} {}", w.ticks, w.most, w.culprit.valid() ? static_cast<int>(w.culprit.value) : -1,
                     w.callpath.valid() ? static_cast<int>(w.callpath.value) : -1);
}
/// Call paths in the order of their numbers, but for 8, which comes first.
const CallPathOrder& order() {
  static const CallPathOrder made = [] {
    CallTree tree;
    for (std::size_t i = 0; i < 9; ++i) {
      const CallPathId id = tree.find_or_add({.parent = {}, .region = RegionId{i}, .program = {}});
      tree.seen(id, LocationId{0}, static_cast<std::uint32_t>((i + 1) % 9));
    }
    return CallPathOrder(tree);
  }();
  return made;
}
std::string in(const WaitLog& log, const WaitLog::Window& w) { return text(log.waited_in({w}, order()).at(0)); }

TEST(WaitLog, is_cut_to_what_is_asked_for) {
  WaitLog log;
  log.add(wait(1, 10, 20, 2));
  log.add(wait(1, 40, 60, 3));
  log.add(wait(2, 0, 100, 3));
  EXPECT_EQ(in(log, window(1, 0, 100)), "30 20 3 1");
  EXPECT_EQ(in(log, window(1, 15, 45)), "10 5 2 1");  // the earlier one of two equal ones
  EXPECT_EQ(in(log, window(1, 20, 40)), "0 0 -1 -1");
  EXPECT_EQ(in(log, window(1, 19, 41)), "2 1 2 1");
  EXPECT_EQ(in(log, window(7, 0, 100)), "0 0 -1 -1");
}

TEST(WaitLog, time_that_several_waits_have_counts_once) {
  WaitLog log;
  log.add(wait(1, 10, 50, 2, 4));
  log.add(wait(1, 10, 50, 2, 4));  // the same time in two wait states
  log.add(wait(1, 30, 70, 3, 4));
  log.add(wait(1, 35, 40, 0, 4));
  EXPECT_EQ(in(log, window(1, 0, 100)), "60 40 2 4");
  log.add(wait(1, 80, 81, 3, 4));
  EXPECT_EQ(in(log, window(1, 0, 100)), "61 41 3 4");  // together more than its wait for 2
  log.add(wait(1, 81, 90, 3, 5));                      // elsewhere
  EXPECT_EQ(in(log, window(1, 0, 100)), "70 41 3 4");
}

TEST(WaitLog, of_equal_waits_for_one_location_the_order_of_call_paths_decides) {
  WaitLog log;
  log.add(wait(1, 10, 50, 2, 4));
  log.add(wait(1, 10, 50, 2, 8));
  log.add(wait(1, 10, 50, 2, 5));
  EXPECT_EQ(in(log, window(1, 0, 100)), "40 40 2 8");
}

TEST(WaitLog, nobody_in_particular_may_have_most_of_it) {
  WaitLog log;
  log.add(wait(1, 10, 50, 0, 4));
  log.add(wait(1, 60, 61, 2, 4));
  EXPECT_EQ(in(log, window(1, 0, 100)), "41 40 -1 4");
}

TEST(WaitLog, a_wait_that_lasts_no_time_or_ends_before_it_begins_is_none) {
  WaitLog log;
  log.add(wait(1, 10, 10, 2));
  Wait backwards = wait(1, 10, 20, 2);
  backwards.begin = ~Time{0} - 3;
  log.add(backwards);
  EXPECT_EQ(in(log, window(1, 0, ~Time{0})), "0 0 -1 -1");
}

// Against a slow count by ticks; the order of the waits, where they lie and how many are looked at at once change
// nothing.
TEST(WaitLog, random_waits_in_any_order_and_place) {
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  for (int round = 0; round < 30; ++round) {
    std::vector<Wait> waits;
    for (std::uint32_t i = 0, n = below(60); i < n; ++i) {
      const Time begin = below(200);
      waits.push_back(wait(below(4), begin, begin + 1 + below(below(8) == 0 ? 150 : 10), below(3), below(2)));
    }
    std::vector<WaitLog::Window> windows;
    for (std::uint32_t i = 0, n = 1 + below(20); i < n; ++i) {
      const Time begin = below(200);
      windows.push_back(window(below(5), begin, begin + 1 + below(120)));
    }
    std::vector<std::string> expected;
    for (int way = 0; way < 4; ++way) {
      std::shuffle(waits.begin(), waits.end(), random);
      WaitLog log(way == 1 ? 0 : 2, way < 2 ? 4 : 1000, way == 3 ? 60 : WaitLog::most_at_once);
      for (const Wait& w : waits) log.add(w);
      const std::vector<CulpritWait> found = log.waited_in(windows, order());
      ASSERT_EQ(found.size(), windows.size());
      const std::vector<CulpritWait> by_threads = log.waited_in(windows, order(), 3);
      ASSERT_EQ(by_threads.size(), windows.size());
      for (std::size_t i = 0; i < windows.size(); ++i) EXPECT_EQ(text(by_threads[i]), text(found[i])) << "way " << way;
      for (std::size_t i = 0; i < windows.size(); ++i) {
        const WaitLog::Window& w = windows[i];
        Ticks all = 0, most = 0;
        std::vector<Ticks> by(3 * 2);
        for (Time t = w.begin; t < w.end; ++t) {
          std::vector<bool> met(by.size());
          for (const Wait& one : waits)
            if (one.location == w.location && t >= one.begin && t < one.begin + static_cast<Time>(one.ticks))
              met[(one.culprit.valid() ? one.culprit.value : 0) * 2 + one.callpath.value] = true;
          all += std::count(met.begin(), met.end(), true) != 0;
          for (std::size_t k = 0; k < by.size(); ++k) most = std::max(most, by[k] += met[k]);
        }
        ASSERT_TRUE(found[i].known);
        EXPECT_EQ(found[i].ticks, all);
        EXPECT_EQ(found[i].most, most);
        if (way == 0)
          expected.push_back(text(found[i]));
        else
          EXPECT_EQ(text(found[i]), expected[i]) << "way " << way;
      }
    }
  }
}

TEST(WaitLog, more_than_can_be_looked_at_at_once_is_not_known) {
  WaitLog log(1, 4, 3);
  for (Time t = 0; t < 10; ++t) log.add(wait(1, 10 * t, 10 * t + 1, 2));
  EXPECT_EQ(in(log, window(1, 0, 21)), "3 3 2 1");
  EXPECT_EQ(in(log, window(1, 0, 31)), "-");
  std::vector<std::string> all;  // the others are known all the same
  for (const CulpritWait& w :
       log.waited_in({window(1, 0, 5), window(1, 0, 31), window(1, 30, 55), window(1, 0, 5)}, order()))
    all.push_back(text(w));
  EXPECT_EQ(all, (std::vector<std::string>{"1 1 2 1", "-", "3 3 2 1", "1 1 2 1"}));
}

TEST(WaitLog, without_room_for_temporary_files_nothing_is_known) {
  const support::TemporaryFolder folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("TMPDIR", (folder / "none").c_str(), 1);
  WaitLog log(1, 4);
  for (Time t = 0; t < 8; ++t) log.add(wait(1, 10 * t, 10 * t + 1, 2));
  EXPECT_EQ(in(log, window(1, 0, 100)), "8 8 2 1");  // as many as fit into memory
  for (Time t = 8; t < 20; ++t) log.add(wait(1, 10 * t, 10 * t + 1, 2));
  EXPECT_EQ(in(log, window(1, 0, 100)), "-");
  if (before == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace waitstate::analysis

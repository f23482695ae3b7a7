// Operations that wait for their completion, against a simple list of them.
#include "link/rma/pending_operations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace waitstate::link {
namespace {

using Values = std::vector<int>;
using Pending = PendingOperations<int>;
constexpr auto all = [](int) { return true; };

struct PendingOnAWindow {
  Values matching(std::uint64_t match, bool (*which)(int) = all) {
    Values taken;
    pending.take_matching(window, match, which, [&](int v, bool) { taken.push_back(v); });
    return taken;
  }
  Values rest(bool locked, bool (*which)(int) = all) {
    Values taken;
    pending.take_all(window, locked, which, [&](int v, bool under_lock) {
      EXPECT_EQ(under_lock, locked);
      taken.push_back(v);
    });
    return taken;
  }
  Pending pending;
  Pending::Window window;
};

TEST(PendingOperations, AllOfAnIdAreTakenInTheOrderOfTheirStarts) {
  PendingOnAWindow w;
  w.pending.add(w.window, 7, false, 1);
  w.pending.add(w.window, 8, false, 2);
  w.pending.add(w.window, 7, true, 3);
  EXPECT_EQ(w.matching(7), (Values{1, 3}));
  EXPECT_EQ(w.matching(7), Values{});
  EXPECT_EQ(w.window.size(), 1u);
  EXPECT_EQ(w.rest(false), Values{2});
  EXPECT_EQ(w.rest(true), Values{});
  EXPECT_EQ(w.window.size(), 0u);
}

TEST(PendingOperations, WhetherAnIdWaitsIsTold) {
  PendingOnAWindow w;
  w.pending.add(w.window, 7, false, 1);
  EXPECT_FALSE(w.pending.take_matching(w.window, 8, all, [](int, bool) {}));
  EXPECT_TRUE(w.pending.take_matching(
      w.window, 7, [](int) { return false; }, [](int, bool) { FAIL(); }));
  EXPECT_EQ(w.window.size(), 1u) << "it has been looked at only";
}

TEST(PendingOperations, ThoseUnderALockAreTakenApart) {
  PendingOnAWindow w;
  for (int i = 0; i < 6; ++i) w.pending.add(w.window, 100, i % 2 == 0, i);
  EXPECT_EQ(w.rest(true, [](int v) { return v != 2; }), (Values{0, 4}));
  EXPECT_EQ(w.rest(true), Values{2});
  EXPECT_EQ(w.rest(false), (Values{1, 3, 5}));
}

TEST(PendingOperations, WindowsAreApart) {
  Pending pending;
  Pending::Window a, b;
  pending.add(a, 7, false, 1);
  pending.add(b, 7, false, 2);
  Values taken;
  pending.take_matching(b, 7, all, [&](int v, bool) { taken.push_back(v); });
  EXPECT_EQ(taken, Values{2});
  EXPECT_EQ(a.size(), 1u);
}

TEST(PendingOperations, TheMemoryForIdsFollowsWhatWaits) {
  PendingOnAWindow w;
  for (int i = 0; i < 10000; ++i) {
    w.pending.add(w.window, static_cast<std::uint64_t>(i), false, i);
    EXPECT_EQ(w.matching(static_cast<std::uint64_t>(i)).size(), 1u);
  }
  EXPECT_LT(w.window.capacity(), 100u);
}

TEST(PendingOperations, AreThoseOfAList) {
  struct Listed {
    std::uint64_t match;
    bool locked;
    int value;
  };
  std::mt19937 random(3);
  PendingOnAWindow w;
  std::vector<Listed> listed;
  const auto take = [&](auto which) {
    Values taken;
    std::erase_if(listed, [&](const Listed& l) {
      if (!which(l)) return false;
      taken.push_back(l.value);
      return true;
    });
    return taken;
  };
  const auto odd = [](int v) { return v % 2 != 0; };
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t match = random() % 20;
    const bool locked = random() % 2 == 0;
    switch (random() % 8) {
      case 0:
        ASSERT_EQ(w.matching(match), take([&](const Listed& l) { return l.match == match; }));
        break;
      case 1:
        ASSERT_EQ(w.matching(match, odd), take([&](const Listed& l) { return l.match == match && odd(l.value); }));
        break;
      case 2:
        if (random() % 20 == 0) {
          ASSERT_EQ(w.rest(locked, odd), take([&](const Listed& l) { return l.locked == locked && odd(l.value); }));
        }
        break;
      default:
        w.pending.add(w.window, match, locked, i);
        listed.push_back({match, locked, i});
    }
    ASSERT_EQ(w.window.size(), listed.size());
  }
}

}  // namespace
}  // namespace waitstate::link

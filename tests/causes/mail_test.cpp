// Mail between the parts of a computation arrives, once; they stop when none has anything to do, or when one fails.
#include "causes/mail.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "run_parts.hpp"

namespace waitstate::causes {
namespace {

TEST(Mail, EndsWhenNobodyHasAnythingToTell) {
  Mail<int> mail(3);
  run_parts(3, [&](std::size_t part) { EXPECT_FALSE(mail.wait(part)); });
  EXPECT_NO_THROW(mail.rethrow_failure());
}

// Each letter goes around, one part lower each time, until it is 0.
TEST(Mail, BringsEveryLetterOnce) {
  constexpr std::size_t parts = 4;
  constexpr int letters = 200, rounds = 25;
  Mail<int> mail(parts);
  std::vector<int> taken(parts);
  run_parts(parts, [&](std::size_t part) {
    const std::size_t next = (part + 1) % parts;
    for (int i = 0; i < letters; ++i) mail.send(next, int{rounds});
    std::vector<int> mine;
    do {
      mail.take(part, mine);
      taken[part] += static_cast<int>(mine.size());
      mail.judged(static_cast<std::int64_t>(mine.size()));
      for (const int letter : mine)
        if (letter > 1) mail.send(next, letter - 1);
      mine.clear();
    } while (mail.wait(part));
  });
  for (std::size_t part = 0; part < parts; ++part) EXPECT_EQ(taken[part], letters * rounds) << part;
}

TEST(Mail, WhoIsBehindInTimeLetsOthersComeNear) {
  constexpr int letters = 2000, most = 10;
  Mail<int> mail(2, most);
  std::atomic<int> sent = 0, judged = 0, most_seen = 0;
  run_parts(2, [&](std::size_t part) {
    if (part == 0) {
      EXPECT_TRUE(mail.go_on(0, 1000));  // it is there before the other one begins
      while (sent == 0) std::this_thread::yield();
      std::vector<int> mine;
      while (judged < letters) {
        most_seen = std::max<int>(most_seen, sent - judged);
        mail.take(0, mine);
        judged += static_cast<int>(mine.size());
        mail.judged(static_cast<std::int64_t>(mine.size()));
        mine.clear();
      }
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      for (int i = 0; i < letters && mail.go_on(1, 500); ++i) {
        mail.send(0, int{i});
        ++sent;
      }
    }
    EXPECT_FALSE(mail.wait(part));
  });
  EXPECT_EQ(judged, letters);
  EXPECT_LE(most_seen, most + 2);
}

TEST(Mail, KeepsTogetherWhatIsSentAtOnce) {
  constexpr int batches = 300, size = 7;
  Mail<int> mail(3);
  std::vector<int> mine;
  run_parts(3, [&](std::size_t part) {
    std::vector<int> letters;
    for (int batch = 0; part > 0 && batch < batches; ++batch) {
      for (int i = 0; i < size; ++i) letters.push_back(static_cast<int>(part) * 1000 + batch);
      mail.send(0, letters);
      EXPECT_TRUE(letters.empty());
    }
    for (std::vector<int> some; mail.wait(part); some.clear()) {
      mail.take(part, some);
      mine.insert(mine.end(), some.begin(), some.end());
    }
  });
  ASSERT_EQ(mine.size(), std::size_t{2 * batches * size});
  std::vector<int> last(3, -1);
  for (std::size_t i = 0; i < mine.size(); i += size) {
    EXPECT_EQ(std::count(mine.begin() + i, mine.begin() + i + size, mine[i]), size);
    EXPECT_GT(mine[i] % 1000, std::exchange(last[static_cast<std::size_t>(mine[i] / 1000)], mine[i] % 1000));
  }
}

// Whoever finds that all are done may give them something to do, as long as there is something.
TEST(Mail, AllGoOnWhenThereIsMoreToDo) {
  constexpr std::size_t parts = 3;
  constexpr int rounds = 200;
  Mail<int> mail(parts);
  int quiet = 0;
  std::vector<int> begun(parts), taken(parts);
  run_parts(parts, [&](std::size_t part) {
    std::vector<int> mine;
    do {
      if (begun[part] == quiet) {
        ++begun[part];
        mail.send((part + 1) % parts, int{1});
      }
      mail.take(part, mine);
      taken[part] += static_cast<int>(mine.size());
      mine.clear();
    } while (mail.wait(part, [&] {
      for (std::size_t p = 0; p < parts; ++p) EXPECT_EQ(taken[p], quiet + 1);
      return ++quiet < rounds;
    }));
  });
  EXPECT_EQ(quiet, rounds);
  EXPECT_EQ(begun, std::vector<int>(parts, rounds));
}

TEST(Mail, LetsOnePartLeadALittle) {
  Mail<int> mail(2, 1);
  for (int i = 0; i < 10; ++i) mail.send(1, int{i});
  EXPECT_TRUE(mail.go_on(1, 500));  // nobody else is on the way
  EXPECT_TRUE(mail.go_on(0, 490, 10));
}

// Nobody is held back for one that waits itself.
TEST(Mail, WhoIsAloneGoesOn) {
  Mail<int> mail(2, 1);
  for (int i = 0; i < 10; ++i) mail.send(1, int{i});
  EXPECT_TRUE(mail.go_on(0, 500));
}

TEST(Mail, AFailureStopsAllAndIsTold) {
  Mail<int> mail(3);
  run_parts(3, [&](std::size_t part) {
    if (part == 1)
      mail.fail(std::make_exception_ptr(std::runtime_error("no more")));
    else
      EXPECT_FALSE(mail.wait(part));
    EXPECT_FALSE(mail.go_on(part, 5));
  });
  EXPECT_THROW(mail.rethrow_failure(), std::runtime_error);
}

TEST(Mail, PartsMeetOnceAllHaveCome) {
  constexpr int parts = 4;
  Mail<int> mail(parts);
  std::atomic<int> there = 0;
  run_parts(parts, [&](std::size_t part) {
    std::this_thread::sleep_for(std::chrono::milliseconds(part));
    ++there;
    EXPECT_TRUE(mail.meet());
    EXPECT_EQ(there, parts);
  });
}

TEST(Mail, NobodyWaitsForAPartThatFailed) {
  Mail<int> mail(3);
  run_parts(3, [&](std::size_t part) {
    if (part == 1)
      mail.fail(std::make_exception_ptr(std::runtime_error("no more")));
    else
      EXPECT_FALSE(mail.meet());
  });
  EXPECT_THROW(mail.rethrow_failure(), std::runtime_error);
}

}  // namespace
}  // namespace waitstate::causes

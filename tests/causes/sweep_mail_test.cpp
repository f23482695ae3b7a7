// Mail between the parts of a sweep arrives, once; the parts stop when none has anything to send, or when one fails.
#include "causes/sweep/mail.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "run_parts.hpp"

namespace waitstate::causes {
namespace {

TEST(SweepMail, EndsWhenNobodyHasAnythingToTell) {
  SweepMail<int> mail(3);
  run_parts(3, [&](std::size_t part) { EXPECT_FALSE(mail.wait(part)); });
  EXPECT_NO_THROW(mail.rethrow_failure());
}

// Each letter goes around, one part lower each time, until it is 0.
TEST(SweepMail, BringsEveryLetterOnce) {
  constexpr std::size_t parts = 4;
  constexpr int letters = 200, rounds = 25;
  SweepMail<int> mail(parts);
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

TEST(SweepMail, WhoIsBehindInTimeLetsOthersComeNear) {
  constexpr int letters = 2000, most = 10;
  SweepMail<int> mail(2, most);
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

// Nobody is held back for one that waits itself.
TEST(SweepMail, WhoIsAloneGoesOn) {
  SweepMail<int> mail(2, 1);
  for (int i = 0; i < 10; ++i) mail.send(1, int{i});
  EXPECT_TRUE(mail.go_on(0, 500));
}

TEST(SweepMail, AFailureStopsAllAndIsTold) {
  SweepMail<int> mail(3);
  run_parts(3, [&](std::size_t part) {
    if (part == 1)
      mail.fail(std::make_exception_ptr(std::runtime_error("no more")));
    else
      EXPECT_FALSE(mail.wait(part));
    EXPECT_FALSE(mail.go_on(part, 5));
  });
  EXPECT_THROW(mail.rethrow_failure(), std::runtime_error);
}

}  // namespace
}  // namespace waitstate::causes

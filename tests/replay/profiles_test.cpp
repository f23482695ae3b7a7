#include "replay/profiles.hpp"

#include <gtest/gtest.h>

namespace waitstate::replay {
namespace {

/// Charges time to the call path until that.
struct Charged {
  explicit Charged(Time from = 0, Time to = ~Time{0}) : profiles(from, to) {
    profiles.add();
    profiles.add();
  }
  Ticks to(Time t, std::uint32_t callpath) {
    a.account = callpath;
    return profiles.advance(t, a);
  }
  Profiles profiles;
  Activity a;
};

TEST(Profiles, TimeIsChargedToTheCallPathThatItWasSpentIn) {
  Charged c;
  EXPECT_FALSE(c.profiles.started());
  c.to(100, 0);
  c.to(110, 1);
  c.to(140, 2);
  c.to(145, 1);
  EXPECT_EQ(c.profiles.first_time(), 100u);
  EXPECT_EQ(c.profiles.now(), 145u);
  EXPECT_EQ(c.profiles[0].time, 0);
  EXPECT_EQ(c.profiles[1].time, 15);
  EXPECT_EQ(c.profiles[2].time, 30);
  EXPECT_EQ(c.a.longest.callpath, 2u);
  EXPECT_EQ(c.a.longest.interval().begin, 110u);
  EXPECT_EQ(c.a.longest.interval().end, 140u);
}

TEST(Profiles, ATimeThatRunsBackwardsChangesNothingAndIsTold) {
  Charged c;
  c.to(100, 0);
  c.to(110, 1);
  EXPECT_EQ(c.to(103, 1), 7);
  EXPECT_EQ(c.profiles.now(), 110u);
  EXPECT_EQ(c.to(112, 1), 0);
  EXPECT_EQ(c.profiles[1].time, 12);
}

TEST(Profiles, AnIntervalLongerThanAllBeforeItIsKept) {
  Charged c;
  Time t = 1000;
  c.to(t, 0);
  for (int i = 0; i < 1000; ++i) c.to(t += 10, 1);
  EXPECT_EQ(c.profiles.longest_jump().length(), 10u) << "the first one";
  c.to(t += 10'001, 2);
  EXPECT_EQ(c.profiles.longest_jump().length(), 10'001u);
  EXPECT_EQ(c.profiles.longest_jump().end, t);
  for (int i = 0; i < 1000; ++i) c.to(t += 15'000, 1);
  EXPECT_EQ(c.profiles.longest_jump().length(), 10'001u) << "others are longer, but not than all before them";
  c.to(Time{1} << 63, 1);
  EXPECT_EQ(c.profiles.longest_jump().end, Time{1} << 63);
  c.to(~Time{0}, 1);
  EXPECT_EQ(c.profiles.now(), ~Time{0});
  EXPECT_EQ(c.profiles[0].time + c.profiles[1].time + c.profiles[2].time, static_cast<Ticks>(~Time{0} - 1000));
}

TEST(Profiles, JumpsChangeNothingOfTheChosenTime) {
  Charged c(1'000'100, 1'000'300);
  c.to(0, 0);
  c.to(10, 1);
  c.to(1'000'200, 2);
  c.to(1'000'250, 1);
  c.to(9'000'000, 2);
  EXPECT_EQ(c.profiles.longest_jump().length(), 7'999'750u);
  EXPECT_EQ(c.profiles.all()[1].time, 50);
  EXPECT_EQ(c.profiles.all()[2].time, 150);
}

TEST(Profiles, OnlyTheChosenTimeCounts) {
  Charged c(100, 200);
  c.to(50, 0);
  c.to(120, 1);  // 20 of it
  c.to(190, 2);
  c.to(260, 1);  // 10 of it
  EXPECT_EQ(c.profiles.all()[1].time, 30);
  EXPECT_EQ(c.profiles.all()[2].time, 70);
  EXPECT_EQ(c.profiles.in_window(90, 130), 30);
  EXPECT_EQ(c.profiles.in_window(200, 300), 0);
  EXPECT_NE(c.profiles.counted(1, 199), nullptr);
  EXPECT_EQ(c.profiles.counted(1, 200), nullptr) << "entered when the chosen time had ended";
  c.profiles.counted(2).time += 5;  // a late addition
  EXPECT_EQ(c.profiles.all()[2].time, 75);
}

TEST(Profiles, ALocationThatEndsBeforeTheChosenTimeCountsNothing) {
  Charged c(100, 200);
  c.to(10, 0);
  c.to(60, 1);
  c.profiles.finish();
  EXPECT_EQ(c.profiles.all()[1].time, 0);
}

TEST(Profiles, TouchedOnesAreMovedOutAndBeginAnew) {
  Charged c;
  c.profiles[1].kind = Profile::Kind::mpi;
  c.a.segment.number = 7;
  c.to(0, 0);
  c.profiles.touch(c.a, 1);
  c.profiles.touch(c.a, 1);
  c.to(10, 1);
  c.to(15, 2);  // not touched
  std::vector<PathProfile> taken;
  ASSERT_EQ(c.profiles.take_touched(c.a, taken), 1u);
  EXPECT_EQ(taken[0].callpath, 1u);
  EXPECT_EQ(taken[0].profile.time, 10);
  EXPECT_EQ(c.profiles[1].time, 0);
  EXPECT_EQ(c.profiles[1].kind, Profile::Kind::mpi);
  EXPECT_EQ(c.profiles[2].time, 5);
  c.profiles.touch(c.a, 1);
  EXPECT_EQ(c.profiles.take_touched(c.a, taken), 1u) << "it may be touched again";
}

TEST(Profiles, NothingIsChargedWhileTheMeasurementIsOff) {
  Charged c;
  c.to(100, 0);
  c.to(110, 1);
  c.profiles.switch_off();
  c.to(130, 1);
  EXPECT_EQ(c.to(120, 2), 10) << "runs backwards";
  c.to(160, 2);
  EXPECT_EQ(c.profiles.switch_on(), 50);
  c.to(165, 2);
  EXPECT_EQ(c.profiles[1].time, 10);
  EXPECT_EQ(c.profiles[2].time, 5);
  EXPECT_EQ(c.a.longest.interval().begin, 130u) << "where the location was, it was all the same";
  EXPECT_EQ(c.a.longest.callpath, 2u);
}

TEST(Profiles, TimeWithTheMeasurementOffIsCutAtTheChosenTime) {
  Charged c(100, 200);
  c.to(50, 0);
  c.profiles.switch_off();
  c.to(130, 1);
  c.to(190, 1);
  EXPECT_EQ(c.profiles.switch_on(), 90);
  c.profiles.switch_off();
  c.to(300, 1);
  EXPECT_EQ(c.profiles.switch_on(), 10);
  c.to(310, 1);
  EXPECT_EQ(c.profiles.all()[1].time, 0);
}

TEST(Profiles, TimeIsMovedAsFarAsItCounts) {
  Charged c(100, 200);
  c.to(90, 0);
  c.to(150, 1);
  c.profiles.move_time(1, 2, 95);
  EXPECT_EQ(c.profiles.all()[1].time, 0);
  EXPECT_EQ(c.profiles.all()[2].time, 50);
  c.to(260, 1);
  c.profiles.move_time(1, 2, 170);
  EXPECT_EQ(c.profiles.all()[1].time, 20);
  EXPECT_EQ(c.profiles.all()[2].time, 80);
}

}  // namespace
}  // namespace waitstate::replay

// Which time stamps are taken for damaged: by what the recorder says of the run, else by everything else.
#include "pass/time_damage.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace waitstate::pass {
namespace {

constexpr Time largest = std::numeric_limits<Ticks>::max();

/// A run of 100 s that begins at 5000 s.
Clock clock_of_run() {
  Clock clock;
  clock.resolution = 1000;
  clock.offset = 5'000'000;
  clock.length = 100'000;
  return clock;
}

Diagnostics found(const Clock& clock, const std::vector<TimeSpan>& spans) {
  Diagnostics diagnostics;
  find_time_damage(clock, spans, diagnostics);
  return diagnostics;
}

TEST(TimeDamage, FarOutsideOfTheRunIsDamage) {
  const Diagnostics d = found(clock_of_run(), {{LocationId{0}, 5'000'000, 5'100'000, 0, 0},
                                               {LocationId{1}, 5'000'000, 5'200'001, 0, 0},
                                               {LocationId{2}, 4'899'999, 5'100'000, 0, 0}});
  const DiagnosticEntry& e = d[DiagnosticId::time_outside];
  EXPECT_EQ(e.count, 2u);
  EXPECT_EQ(e.largest, 100'001);
  ASSERT_EQ(e.places.size(), 2u);
  EXPECT_EQ(e.places[0], (DiagnosticPlace{LocationId{1}, 5'200'001, "last event, 100001 ticks after the end"}));
  EXPECT_EQ(e.places[1], (DiagnosticPlace{LocationId{2}, 4'899'999, "first event, 100001 ticks before the begin"}));
  EXPECT_EQ(severity(DiagnosticId::time_outside), DiagnosticSeverity::loss);
}

TEST(TimeDamage, ClocksOfOtherProcessesMayDiffer) {
  EXPECT_EQ(found(clock_of_run(), {{LocationId{0}, 4'900'000, 5'200'000, 0, 0}})[DiagnosticId::time_outside].count, 0u);
  Clock brief = clock_of_run();
  brief.length = 10;
  EXPECT_EQ(found(brief, {{LocationId{0}, 5'000'000, 5'010'010, 0, 0}})[DiagnosticId::time_outside].count, 0u);
  EXPECT_EQ(found(brief, {{LocationId{0}, 5'000'000, 5'010'011, 0, 0}})[DiagnosticId::time_outside].count, 1u);
}

TEST(TimeDamage, SizesBeyondADurationAreTheLargest) {
  const Diagnostics d = found(clock_of_run(), {{LocationId{0}, 5'000'000, ~Time{0}, 0, 0}});
  EXPECT_EQ(d[DiagnosticId::time_outside].largest, static_cast<Ticks>(largest));
  Clock odd = clock_of_run();
  odd.offset = ~Time{0} - 5;  // the run would end behind the last time stamp
  odd.resolution = ~std::uint64_t{0};
  EXPECT_EQ(found(odd, {{LocationId{0}, 0, ~Time{0}, 0, 0}})[DiagnosticId::time_outside].count, 0u);
}

TEST(TimeDamage, WithoutARecordersWordOneGapBeyondAllElseIsOdd) {
  const Clock unknown;
  const std::vector<TimeSpan> spans{{LocationId{0}, 0, 1000, 400, 1000},
                                    {LocationId{1}, 0, 900 + 10'000'001, 10'000'001, 900 + 10'000'001}};
  const Diagnostics d = found(unknown, spans);
  const DiagnosticEntry& e = d[DiagnosticId::time_jump];
  EXPECT_EQ(e.count, 1u);
  EXPECT_EQ(e.largest, 10'000'001);
  ASSERT_EQ(e.places.size(), 1u);
  EXPECT_EQ(e.places[0], (DiagnosticPlace{LocationId{1}, 10'000'901, "10000001 ticks without an event"}));
  EXPECT_EQ(severity(DiagnosticId::time_jump), DiagnosticSeverity::odd);
}

TEST(TimeDamage, AGapThatOthersHaveTooIsNotOdd) {
  const Clock unknown;
  EXPECT_EQ(found(unknown, {{LocationId{0}, 0, 9'000'000, 8'999'900, 9'000'000},
                            {LocationId{1}, 0, 9'000'000, 8'999'950, 9'000'000}})[DiagnosticId::time_jump]
                .count,
            0u);
  EXPECT_EQ(found(unknown, {{LocationId{0}, 7, 9'000'000, 8'999'993, 9'000'000}})[DiagnosticId::time_jump].count, 0u)
      << "two events, and nothing to compare their interval with";
}

}  // namespace
}  // namespace waitstate::pass

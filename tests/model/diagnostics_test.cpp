// Counting of damage: merging in any order gives the same, and only the first places are kept.
#include "waitstate/trace/diagnostics.hpp"

#include <gtest/gtest.h>

namespace waitstate {
namespace {

constexpr auto kind = DiagnosticId::location_truncated;

TEST(diagnostics, names) {
  EXPECT_EQ(name(kind), "location_truncated");
  EXPECT_EQ(sentence(kind, 2), "locations whose events end early: the rest of the file cannot be read");
  EXPECT_EQ(sentence(kind, 1), "location whose events end early: the rest of the file cannot be read");
  EXPECT_EQ(sentence(DiagnosticId::definitions_damaged, 1), "definition file that ends early or is inconsistent");
  EXPECT_EQ(sentence(DiagnosticId::definitions_damaged, 0), "definition files that end early or are inconsistent");
  for (int i = 0; i < diagnostic_count; ++i)
    for (const std::uint64_t count : {1, 2}) {
      const std::string text = sentence(static_cast<DiagnosticId>(i), count);
      EXPECT_EQ(text.find_first_of("{|}"), std::string::npos) << text;
    }
  EXPECT_EQ(severity(kind), DiagnosticSeverity::loss);
  EXPECT_EQ(severity(DiagnosticId::order_forced), DiagnosticSeverity::odd);
  EXPECT_EQ(severity(DiagnosticId::device_location), DiagnosticSeverity::note);
}

TEST(diagnostics, counts_and_first_places) {
  Diagnostics d;
  EXPECT_FALSE(d.any(DiagnosticSeverity::loss));
  d.add(kind, {}, 0, 0);
  EXPECT_FALSE(d.any(DiagnosticSeverity::loss)) << "a count of zero is nothing";
  for (unsigned i = 10; i > 0; --i) d.add(kind, {LocationId{i}, i, "x"}, static_cast<Ticks>(i), 2);
  EXPECT_EQ(d[kind].count, 20u);
  EXPECT_EQ(d[kind].largest, 10);
  ASSERT_EQ(d[kind].places.size(), Diagnostics::max_places);
  for (unsigned i = 0; i < Diagnostics::max_places; ++i) EXPECT_EQ(d[kind].places[i].location, LocationId{i + 1});
  EXPECT_FALSE(d.wants_place(kind));
  EXPECT_TRUE(d.any(DiagnosticSeverity::loss));
  EXPECT_FALSE(d.any(DiagnosticSeverity::odd));
}

TEST(diagnostics, merging_is_commutative) {
  Diagnostics a, b;
  for (unsigned i = 0; i < 8; ++i) (i % 3 ? a : b).add(kind, {LocationId{7 - i}, i, ""}, static_cast<Ticks>(i));
  a.add_between(DiagnosticId::clock_violation, ProcessId{1u}, ProcessId{2u}, {}, 5);
  b.add_between(DiagnosticId::clock_violation, ProcessId{1u}, ProcessId{2u}, {}, 9);
  Diagnostics ab = a, ba = b;
  ab.merge(b);
  ba.merge(a);
  EXPECT_EQ(ab[kind].count, 8u);
  EXPECT_EQ(ab[kind].places, ba[kind].places);
  EXPECT_EQ(ab[kind].largest, ba[kind].largest);
  const auto pair = std::pair(ProcessId{1u}, ProcessId{2u});
  EXPECT_EQ(ab.between(DiagnosticId::clock_violation).at(pair).count, 2u);
  EXPECT_EQ(ab.between(DiagnosticId::clock_violation).at(pair).largest, 9);
  EXPECT_EQ(ba.between(DiagnosticId::clock_violation).at(pair).largest, 9);
  EXPECT_EQ(ab[DiagnosticId::clock_violation].count, 2u);
}

}  // namespace
}  // namespace waitstate

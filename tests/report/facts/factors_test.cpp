// The explanations of the factors of efficiency and of the ideal machine.
#include "report/text/explain.hpp"

#include <gtest/gtest.h>

#include "report/facts/ideal_machine.hpp"
#include "report/words/factors.hpp"

namespace waitstate::test {
namespace {

TEST(Factors, each_that_reports_have_is_explained) {
  std::size_t n = 0;
  const auto expect_explained = [&](std::string_view id, const char* needs) {
    ASSERT_LT(n, report::factors().size());
    const report::Factor& factor = report::factors()[n++];
    EXPECT_EQ(factor.id, id);
    const std::string text = report::explain_factor(factor.id, report::Style{});
    EXPECT_TRUE(text.starts_with(std::string(factor.id) + "\n\n")) << text;
    for (const std::string_view part : {factor.summary, factor.formula, std::string_view("POP project"),
                                        std::string_view("  unit        a share, 0 to 1"), std::string_view(needs)})
      EXPECT_NE(text.find(part.substr(0, 60)), std::string::npos) << factor.id << ": " << part << '\n' << text;
  };
  for (const report::EfficiencyFactor& f : report::efficiency_factors) expect_explained(f.id, "\n  source ");
  for (const report::IdealFactor& f : report::ideal_factors)
    expect_explained(f.id, "\n  needs       --pattern mpi_ideal_wait\n");
  EXPECT_EQ(report::factors().size(), n);
  EXPECT_EQ(report::explain_factor("mpi_latesender", report::Style{}), "");
}

}  // namespace
}  // namespace waitstate::test

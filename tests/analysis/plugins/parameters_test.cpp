#include "waitstate/pattern/parameters.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "waitstate/error.hpp"

namespace waitstate {
namespace {

Parameters three() {
  return Parameters({{"threshold", std::int64_t{65536}, "bytes", "Size."},
                     {"share", 0.25, "", "Share."},
                     {"region", std::string("main"), "", "Region."}});
}

std::string error_of_setting(std::string_view name, std::string_view text, Parameters p = three()) {
  try {
    p.set(name, text);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Parameters, StartAtTheirFallbacks) {
  const Parameters p = three();
  EXPECT_EQ(p.integer("threshold"), 65536);
  EXPECT_EQ(p.number("share"), 0.25);
  EXPECT_EQ(p.text("region"), "main");
}

TEST(Parameters, KeepTheTypeOfTheirFallback) {
  Parameters p = three();
  p.set("threshold", "-1");
  p.set("share", "2");
  p.set("region", "12");
  EXPECT_EQ(p.integer("threshold"), -1);
  EXPECT_EQ(p.number("share"), 2.0);
  EXPECT_EQ(p.text("region"), "12");
  p.set("region", "");
  EXPECT_EQ(p.text("region"), "");
}

TEST(Parameters, AValueAsTextReadsBackAsTheSame) {
  Parameters p = three();
  p.set("threshold", "9223372036854775807");
  p.set("share", "0.1");
  EXPECT_EQ(p.value_text(0), "9223372036854775807");
  EXPECT_EQ(p.value_text(1), "0.1");
  EXPECT_EQ(p.value_text(2), "main");
  for (const double value : {1.0 / 3, 1e-300, -1.7976931348623157e308, 5e-324, 1e22}) {
    Parameters one({{"x", value, "", ""}});
    one.set("x", one.value_text(0));
    EXPECT_EQ(one.number("x"), value);
  }
}

TEST(Parameters, AWrongNameOrValueIsExplained) {
  EXPECT_EQ(error_of_setting("thresold", "1"), "no parameter has the name 'thresold': did you mean 'threshold'?");
  EXPECT_EQ(error_of_setting("limit", "1"), "no parameter has the name 'limit'; known: threshold, share, region");
  EXPECT_EQ(error_of_setting("limit", "1", Parameters()), "no parameter has the name 'limit': there are none");
  EXPECT_EQ(error_of_setting("threshold", "64k"), "parameter 'threshold' takes a whole number in bytes, not '64k'");
  EXPECT_EQ(error_of_setting("threshold", ""), "parameter 'threshold' takes a whole number in bytes, not ''");
  EXPECT_EQ(error_of_setting("threshold", "1.5"), "parameter 'threshold' takes a whole number in bytes, not '1.5'");
  EXPECT_EQ(error_of_setting("threshold", "9223372036854775808"),
            "parameter 'threshold' takes a whole number in bytes, not '9223372036854775808'");
  EXPECT_EQ(error_of_setting("share", "much"), "parameter 'share' takes a number, not 'much'");
  EXPECT_EQ(error_of_setting("share", "nan"), "parameter 'share' takes a number, not 'nan'");
  EXPECT_EQ(error_of_setting("share", "1e999"), "parameter 'share' takes a number, not '1e999'");
}

TEST(Parameters, AValueOutsideOfItsRangeIsRefused) {
  const Parameters p({{"parts", std::int64_t{4}, "", "Parts.", 0, 1024},
                      {"limit", 0.5, "s", "Limit.", 0},
                      {"slack", -1.0, "", "Slack.", {}, 0.25}});
  EXPECT_EQ(error_of_setting("parts", "-1", p), "parameter 'parts' takes a whole number (0 to 1024), not '-1'");
  EXPECT_EQ(error_of_setting("parts", "1025", p), "parameter 'parts' takes a whole number (0 to 1024), not '1025'");
  EXPECT_EQ(error_of_setting("parts", "x", p), "parameter 'parts' takes a whole number (0 to 1024), not 'x'");
  EXPECT_EQ(error_of_setting("limit", "-1e-9", p), "parameter 'limit' takes a number in s (at least 0), not '-1e-9'");
  EXPECT_EQ(error_of_setting("slack", "0.26", p), "parameter 'slack' takes a number (at most 0.25), not '0.26'");
  for (const char* const inside : {"0", "1024"}) EXPECT_EQ(error_of_setting("parts", inside, p), "no error");
  EXPECT_EQ(error_of_setting("limit", "0", p), "no error");
  EXPECT_EQ(error_of_setting("slack", "0.25", p), "no error");
}

TEST(Parameters, AWrongValueChangesNothing) {
  Parameters p = three();
  EXPECT_THROW(p.set("threshold", "12x"), UsageError);
  EXPECT_EQ(p.integer("threshold"), 65536);
}

TEST(Parameters, ReadingOneOfAnotherTypeOrNameIsTheProgrammersError) {
  const Parameters p = three();
  EXPECT_THROW(p.integer("share"), std::out_of_range);
  EXPECT_THROW(p.number("threshold"), std::out_of_range);
  EXPECT_THROW(p.text("threshold"), std::out_of_range);
  EXPECT_THROW(p.integer("limit"), std::out_of_range);
}

}  // namespace
}  // namespace waitstate

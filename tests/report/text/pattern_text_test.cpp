// The texts about patterns, whole: with patterns made here, so that they hold whatever is built in.
#include "report/text/pattern_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "waitstate/error.hpp"

namespace waitstate::report {
namespace {

struct Made : Pattern {
  explicit Made(PatternInfo i, double c = 1) : described(std::move(i)), sure(c) {}
  PatternInfo info() const override { return described; }
  void wrapup(Context&) override {}
  double confidence() const override { return sure; }
  PatternInfo described;
  double sure;
};

PatternRegistry with_two() {
  PatternRegistry r;
  r.add(make_pattern<Made>(PatternInfo{
            .metrics = {{"test_slow", "overhead", Unit::seconds, true, "Slow", "Time that is lost."},
                        {"test_slow_count", "visits", Unit::occurrences, true, "Slow ones", "Number of slow ones."}},
            .severity = "L(c) - E(c)",
            .charged_to = "call path of c",
            .state = "none",
            .source = "a test",
            .differs = "no",
            .diagnosis = "be quicker",
            .parameters = {{"limit", std::int64_t{5}, "bytes", "Size that is slow."},
                           {"region", std::string(), "", "Where."}}}),
        "built-in");
  r.add(make_pattern<Made>(PatternInfo{.metrics = {{"test_slower", "test_slow", Unit::seconds, true, "Slower",
                                                    "Time that is lost, told in a sentence that is longer."}},
                                       .severity = "twice that",
                                       .needs = {"test_slow"}},
                           0.5),
        "./libtest.so");
  return r;
}

/// The lines of a text that contain one of the words.
std::string lines_with(const std::string& text, const std::vector<std::string>& words) {
  std::istringstream in(text);
  std::string found;
  for (std::string line; std::getline(in, line);)
    for (const std::string& word : words)
      if (line.find(word) != std::string::npos) {
        found += line + '\n';
        break;
      }
  return found;
}

TEST(PatternText, TheListShowsWhatPatternsComputeBelowWhatIsAlwaysThere) {
  const std::string text = patterns_text(with_two(), Style{60, false});
  EXPECT_EQ(text.compare(0, 7, "(time)\n"), 0) << text;
  EXPECT_EQ(text.find("(comp)"), std::string::npos) << "has no pattern below it";
  EXPECT_NE(text.find("  (overhead)\n    test_slow "), std::string::npos) << text;
  EXPECT_NE(text.find("\n      test_slower "), std::string::npos) << text;
  EXPECT_NE(text.find("(visits)\n  test_slow_count "), std::string::npos) << text;
}

TEST(PatternText, AListedMetricSaysWithWhichPatternAndPlugInItComes) {
  const std::string text = patterns_text(with_two(), Style{400, false});
  const auto squeezed = [&](const std::string& id) {
    std::string line = lines_with(text, {id + " "}), result;
    for (const char c : line)
      if (c != ' ' || (!result.empty() && result.back() != ' ')) result += c;
    return result;
  };
  EXPECT_EQ(squeezed("test_slow"), "test_slow s Time that is lost.\n");
  EXPECT_EQ(squeezed("test_slow_count"), "test_slow_count count Number of slow ones. [with test_slow]\n");
  EXPECT_EQ(squeezed("test_slower"),
            "test_slower s Time that is lost, told in a sentence that is longer. [./libtest.so]\n");
}

TEST(PatternText, APatternIsExplainedUnderTheKeysOfItsFile) {
  EXPECT_EQ(explain_text(with_two(), "test_slow", Style{}),
            "test_slow: Slow\n"
            "\n"
            "Time that is lost.\n"
            "\n"
            "severity    L(c) - E(c)\n"
            "charged to  call path of c\n"
            "unit        s (test_slow); count (test_slow_count)\n"
            "state       none\n"
            "source      a test\n"
            "differs     no\n"
            "diagnosis   be quicker\n"
            "parameters  limit = 5 bytes: Size that is slow.\n"
            "            region = \"\": Where.\n"
            "metrics     test_slow (s, a share of overhead): Time that is lost.\n"
            "            test_slow_count (count, a share of visits): Number of slow ones.\n"
            "origin      built-in\n");
}

TEST(PatternText, WhatAPatternNeedsAndHowSureItIs) {
  EXPECT_EQ(explain_text(with_two(), "test_slower", Style{40, false}),
            "test_slower: Slower\n"
            "\n"
            "Time that is lost, told in a sentence\n"
            "that is longer.\n"
            "\n"
            "severity    twice that\n"
            "unit        s\n"
            "confidence  0.5\n"
            "needs       test_slow\n"
            "metrics     test_slower (s, a share of\n"
            "            test_slow): Time that is\n"
            "            lost, told in a sentence\n"
            "            that is longer.\n"
            "origin      ./libtest.so\n");
}

TEST(PatternText, AParameterThatWasSetShowsItsDefault) {
  PatternRegistry r = with_two();
  r.set("test_slow.limit", "7");
  EXPECT_NE(explain_text(r, "test_slow", Style{}).find("limit = 7 bytes (default 5 bytes): Size that is slow.\n"),
            std::string::npos);
}

TEST(PatternText, AParameterShowsItsRange) {
  const PatternRegistry r;
  EXPECT_NE(explain_text(r, "delay", Style{}).find("parts = 0 (0 to 1024): Number of parts"), std::string::npos);
  PatternRegistry other;
  other.set("frequent_communication.threshold", "0.5");
  EXPECT_NE(
      explain_text(other, "frequent_communication", Style{}).find("threshold = 0.5 s (default 1e-05 s, at least 0)"),
      std::string::npos);
}

TEST(PatternText, ASecondMetricIsExplainedByItsPattern) {
  const std::string text = explain_text(with_two(), "test_slow_count", Style{});
  EXPECT_EQ(text.substr(0, text.find("severity")),
            "test_slow_count: Slow ones\n"
            "\n"
            "Number of slow ones.\n"
            "Computed by the pattern test_slow:\n"
            "\n");
}

TEST(PatternText, AMetricThatNeedsNoPatternSaysWhereItComesFrom) {
  EXPECT_EQ(explain_text(with_two(), "overhead", Style{120, false}),
            "overhead: Overhead\n"
            "\n"
            "Time of the measurement system itself.\n"
            "\n"
            "unit        s\n"
            "place       a part of time\n"
            "source      time in regions of this class, without the regions that they call: no pattern is needed\n"
            "patterns    test_slow, test_slower\n");
  EXPECT_EQ(explain_text(with_two(), "bytes_sent", Style{120, false}),
            "bytes_sent: Bytes sent\n"
            "\n"
            "Bytes of all messages sent.\n"
            "\n"
            "unit        bytes\n"
            "place       a part of bytes_p2p\n"
            "source      counted where it is recorded: no pattern is needed\n");
}

TEST(PatternText, KeysAreBoldOnATerminal) {
  EXPECT_NE(explain_text(with_two(), "test_slow", Style{100, true}).find("\x1b[1mstate\x1b[0m       none\n"),
            std::string::npos);
}

TEST(PatternText, AMisspeltIdGetsTheNearest) {
  try {
    explain_text(with_two(), "test_slwo", Style{});
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "no metric has the id 'test_slwo': did you mean 'test_slow'?");
  }
}

// STYLE.md: a test fails where a key is missing.
TEST(PatternText, EveryBuiltInPatternIsDefinedCompletely) {
  for (const PatternHandle& h : built_in_patterns()) {
    const PatternInfo info = h.pattern->info();
    for (const std::string* key :
         {&info.severity, &info.charged_to, &info.state, &info.source, &info.differs, &info.diagnosis})
      EXPECT_FALSE(key->empty()) << h.id();
    for (const MetricSpec& m : info.metrics) {
      EXPECT_FALSE(m.title.empty()) << m.id;
      EXPECT_FALSE(m.summary.empty()) << m.id;
    }
    for (const ParameterSpec& p : info.parameters) EXPECT_FALSE(p.summary.empty()) << h.id() << '.' << p.name;
  }
}

TEST(PatternText, APatternThatFailsInConfidenceIsNamed) {
  struct Failing : Made {
    Failing(PatternInfo i, double says) : Made(std::move(i)), said(says) {}
    double confidence() const override {
      if (said == -1) throw std::runtime_error("no idea");
      if (said == -2) throw 1;
      return said;
    }
    double said;
  };
  const auto complaint = [](double said) -> std::string {
    PatternRegistry r;
    const PatternInfo info{.metrics = {{"test_failing", "visits", Unit::occurrences, true, "Failing", "Fails."}}};
    r.add(make_pattern<Failing>(info, said), "./libtest.so");
    try {
      explain_text(r, "test_failing", Style{});
    } catch (const PatternError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(complaint(-1), "pattern 'test_failing' (class Failing, ./libtest.so) failed in confidence: no idea");
  EXPECT_EQ(
      complaint(-2),
      "pattern 'test_failing' (class Failing, ./libtest.so) failed in confidence: an exception of an unknown type");
  EXPECT_EQ(complaint(7),
            "pattern 'test_failing' (class Failing, ./libtest.so) failed in confidence: it is 7, expected 0 to 1");
  EXPECT_NE(complaint(std::nan("")), "");
}

}  // namespace
}  // namespace waitstate::report

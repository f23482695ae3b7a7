// The registry with patterns of its own making, so that nothing here depends on which patterns are built in; plug-ins
// have a test of their own.
#include "waitstate/pattern/registry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "waitstate/error.hpp"

namespace waitstate {
namespace {

using Ids = std::vector<std::string>;

struct Made : Pattern {
  explicit Made(PatternInfo i) : described(std::move(i)) {}
  PatternInfo info() const override { return described; }
  void wrapup(Context&) override {}
  PatternInfo described;
};

/// A pattern with metrics "id" or "id<parent", and the patterns that it needs.
PatternHandle made(const Ids& metrics, Ids needs = {}, std::vector<ParameterSpec> parameters = {}) {
  PatternInfo info;
  for (const std::string& m : metrics) {
    const auto less = m.find('<');
    info.metrics.push_back({m.substr(0, less), less == std::string::npos ? "overhead" : m.substr(less + 1)});
  }
  info.needs = std::move(needs);
  info.parameters = std::move(parameters);
  return make_pattern<Made>(std::move(info));
}

/// The built-in patterns, and below `overhead`, which has none of them: a, b (needs a), c (below b's second metric), d.
PatternRegistry with_four() {
  PatternRegistry r;
  r.add(made({"test_a"}, {}, {{"limit", std::int64_t{5}, "", ""}}), "here");
  r.add(made({"test_b", "test_b2"}, {"test_a"}), "here");
  r.add(made({"test_c<test_b2"}), "here");
  r.add(made({"test_d"}), "here");
  return r;
}

Ids chosen(const PatternRegistry& r, const Ids& only, const Ids& without = {}) {
  Ids ids;
  for (const PatternHandle& h : r.chosen(only, without)) ids.push_back(h.id());
  return ids;
}

template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const UsageError& e) {
    return e.what();
  }
  return "no error";
}

std::string error_of_adding(PatternHandle pattern) {
  PatternRegistry r = with_four();
  const std::size_t entries = r.entries().size(), metrics = r.metrics().size();
  const std::string error = error_of([&] { r.add(std::move(pattern), "./libnew.so"); });
  EXPECT_EQ(r.entries().size(), entries);
  EXPECT_EQ(r.metrics().size(), metrics);
  return error;
}

TEST(Registry, RefusesRangesThatMakeNoSense) {
  const auto error_of_parameter = [](ParameterSpec parameter) {
    return error_of_adding(made({"test_new"}, {}, {std::move(parameter)}));
  };
  const auto ends_with = [](const std::string& text, std::string_view end) { return text.ends_with(end); };
  EXPECT_PRED2(ends_with, error_of_parameter({"p", std::int64_t{5}, "", "", 6, 9}),
               "has a parameter 'p' whose default is outside of its range, 6 to 9");
  EXPECT_PRED2(ends_with, error_of_parameter({"p", 5.0, "", "", 2, 1}),
               "has a parameter 'p' whose minimum is above its maximum");
  EXPECT_PRED2(ends_with, error_of_parameter({"p", std::string("a"), "", "", 2}),
               "has a parameter 'p' with a range: a text has none");
  PatternRegistry r;
  r.add(made({"test_new"}, {}, {{"p", 5.0, "", "", 5, 5}}), "here");
  EXPECT_EQ(r.at("test_new").handle.parameters.number("p"), 5);
}

TEST(Registry, HoldsTheBuiltInPatternsInTheirOrder) {
  const PatternRegistry r;
  Ids expected, found;
  std::size_t metrics_on_request = 0;
  for (const PatternHandle& h : built_in_patterns()) expected.push_back(h.id());
  for (const PatternRegistry::Entry& e : r.entries()) {
    EXPECT_EQ(e.origin, "built-in");
    if (e.on_request)
      metrics_on_request += e.handle.pattern->info().metrics.size();
    else
      found.push_back(e.handle.id());
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(r.metrics().size(), MetricTree::built_in().size() + metrics_on_request);
  EXPECT_EQ(chosen(r, {}), expected);
}

TEST(Registry, WhatRunsOnRequestIsChosenByNameAlone) {
  const PatternRegistry r;
  const Ids all = chosen(r, {});
  for (const PatternHandle& h : patterns_on_request()) {
    EXPECT_EQ(std::find(all.begin(), all.end(), h.id()), all.end()) << h.id();
    EXPECT_TRUE(r.at(h.id()).on_request);
  }
  EXPECT_EQ(chosen(r, {"mpi_wait_indirect_latesender"}),
            (Ids{"comms_recv", "mpi_latesender", "mpi_latereceiver", "critical_path", "delay"}));
  EXPECT_EQ(chosen(r, {"delay"}, {"critical_path"}), Ids{});
}

TEST(Registry, FindsAPatternByAnyOfItsMetrics) {
  const PatternRegistry r = with_four();
  EXPECT_EQ(r.at("test_b2").handle.id(), "test_b");
  EXPECT_EQ(r.at("test_b").origin, "here");
  EXPECT_EQ(r.owner(r.metrics().at("test_c"))->handle.id(), "test_c");
  EXPECT_EQ(r.owner(r.metrics().at("time")), nullptr);
  EXPECT_EQ(error_of([&] { r.at("test_bb"); }), "no metric has the id 'test_bb': did you mean 'test_b'?");
  EXPECT_EQ(error_of([&] { r.at("comp"); }), "'comp' needs no pattern: it is always computed");
}

TEST(Registry, WhatIsChosenComesWithWhatItNeedsInTheOrderOfTheEntries) {
  const PatternRegistry r = with_four();
  EXPECT_EQ(chosen(r, {"test_d", "test_a"}), (Ids{"test_a", "test_d"}));
  EXPECT_EQ(chosen(r, {"test_b"}), (Ids{"test_a", "test_b"}));
  EXPECT_EQ(chosen(r, {"test_c"}), (Ids{"test_a", "test_b", "test_c"}));  // its metric hangs below one of test_b's
  EXPECT_EQ(chosen(r, {"test_b2", "test_b"}), (Ids{"test_a", "test_b"}));
}

TEST(Registry, AMetricThatNeedsNoPatternStandsForAllBelowIt) {
  const PatternRegistry r = with_four();
  EXPECT_EQ(chosen(r, {"overhead"}), (Ids{"test_a", "test_b", "test_c", "test_d"}));
  EXPECT_EQ(chosen(r, {"overhead"}, {"test_b"}), (Ids{"test_a", "test_d"}));
  EXPECT_EQ(error_of([&] { chosen(r, {"comp"}); }), "'comp' needs no pattern: it is always computed");
  EXPECT_EQ(error_of([&] { chosen(r, {}, {"comp"}); }), "'comp' needs no pattern: it is always computed");
}

TEST(Registry, WhatIsLeftOutTakesAlongWhatNeedsIt) {
  const PatternRegistry r = with_four();
  EXPECT_EQ(chosen(r, {"overhead"}, {"test_a"}), (Ids{"test_d"}));
  EXPECT_EQ(chosen(r, {"overhead"}, {"test_c"}), (Ids{"test_a", "test_b", "test_d"}));
  EXPECT_EQ(chosen(r, {"test_c"}, {"test_b"}), Ids{});  // an excluded pattern does not pull test_a in either
  Ids all = chosen(r, {});
  all.pop_back();
  EXPECT_EQ(chosen(r, {}, {"test_d"}), all);
  EXPECT_EQ(chosen(r, {"overhead"}, {"overhead"}), Ids{});
}

TEST(Registry, AMisspeltChoiceGetsTheNearestId) {
  const PatternRegistry r = with_four();
  EXPECT_EQ(error_of([&] { chosen(r, {"tset_a"}); }), "no metric has the id 'tset_a': did you mean 'test_a'?");
  EXPECT_EQ(error_of([&] { chosen(r, {}, {"tset_a"}); }), "no metric has the id 'tset_a': did you mean 'test_a'?");
}

TEST(Registry, SetsParametersOfPatterns) {
  PatternRegistry r = with_four();
  r.set("test_a.limit", "7");
  EXPECT_EQ(r.at("test_a").handle.parameters.integer("limit"), 7);
  EXPECT_EQ(r.chosen({"test_a"}, {}).front().parameters.integer("limit"), 7);
  EXPECT_EQ(error_of([&] { r.set("test_a", "7"); }), "'test_a' names no parameter: expected ID.PARAMETER");
  EXPECT_EQ(error_of([&] { r.set("tset_a.limit", "7"); }), "no metric has the id 'tset_a': did you mean 'test_a'?");
  EXPECT_EQ(error_of([&] { r.set("comp.limit", "7"); }), "'comp' needs no pattern: it is always computed");
  EXPECT_EQ(error_of([&] { r.set("test_a.limits", "7"); }),
            "pattern 'test_a': no parameter has the name 'limits': did you mean 'limit'?");
  EXPECT_EQ(error_of([&] { r.set("test_a.limit", "x"); }),
            "pattern 'test_a': parameter 'limit' takes a whole number, not 'x'");
}

TEST(Registry, RefusesWhatDoesNotFit) {
  EXPECT_EQ(error_of_adding(made({})),
            "a pattern (class Made, ./libnew.so) has no metrics: it needs at least one, whose id is the pattern's");
  EXPECT_EQ(
      error_of_adding(made({"a.b"})),
      "pattern 'a.b' (class Made, ./libnew.so) has a metric 'a.b': an id consists of letters, digits, '_' and '-'");
  EXPECT_EQ(error_of_adding(made({"new", "test_b2"})),
            "pattern 'new' (class Made, ./libnew.so) has a metric 'test_b2', which belongs to pattern 'test_b' (here): "
            "every metric "
            "needs an id of its own");
  EXPECT_EQ(error_of_adding(made({"comp"})),
            "pattern 'comp' (class Made, ./libnew.so) has a metric 'comp', which needs no pattern and is always there: "
            "every metric "
            "needs an id of its own");
  EXPECT_EQ(error_of_adding(made({"new", "new"})),
            "pattern 'new' (class Made, ./libnew.so) has two metrics 'new': every metric needs an id of its own");
  EXPECT_EQ(error_of_adding(made({"new", "newer<nwe"})),
            "pattern 'new' (class Made, ./libnew.so) has a metric 'newer' below 'nwe', which is not a metric: did you "
            "mean 'new'?");
  EXPECT_EQ(error_of_adding(made({"new<somewhere_else"})),
            "pattern 'new' (class Made, ./libnew.so) has a metric 'new' below 'somewhere_else', which is not a metric");
  EXPECT_EQ(error_of_adding(made({"new"}, {"tset_a"})),
            "pattern 'new' (class Made, ./libnew.so) needs 'tset_a', which is not a pattern: did you mean 'test_a'?");
  EXPECT_EQ(error_of_adding(made({"new"}, {"new"})), "pattern 'new' (class Made, ./libnew.so) needs itself");
  EXPECT_EQ(error_of_adding(made({"new"}, {"comp"})),
            "pattern 'new' (class Made, ./libnew.so) needs 'comp', which is not a pattern: it is always computed");
  EXPECT_EQ(error_of_adding(made({"new"}, {"test_b2"})),
            "pattern 'new' (class Made, ./libnew.so) needs 'test_b2', which is a metric of pattern 'test_b': name the "
            "pattern");
  EXPECT_EQ(
      error_of_adding(made({"new"}, {}, {{"x y", 1.0, "", ""}})),
      "pattern 'new' (class Made, ./libnew.so) has a parameter 'x y': a name consists of letters, digits, '_' and '-'");
  EXPECT_EQ(error_of_adding(made({"new"}, {}, {{"x", 1.0, "", ""}, {"x", 2.0, "", ""}})),
            "pattern 'new' (class Made, ./libnew.so) has two parameters 'x': every parameter needs a name of its own");
}

/// The entries of one plug-in, in the given order.
std::vector<PatternRegistry::Entry> entries(std::vector<PatternHandle> patterns) {
  std::vector<PatternRegistry::Entry> all;
  for (PatternHandle& p : patterns) all.push_back({std::move(p), "./libnew.so"});
  return all;
}

std::string error_of_adding_all(std::vector<PatternHandle> patterns) {
  PatternRegistry r = with_four();
  const std::size_t before = r.entries().size(), metrics = r.metrics().size();
  const std::string error = error_of([&] { r.add(entries(std::move(patterns))); });
  EXPECT_EQ(r.entries().size(), before);
  EXPECT_EQ(r.metrics().size(), metrics);
  return error;
}

TEST(Registry, PatternsOfOnePluginMayBuildOnEachOtherInAnyOrder) {
  PatternRegistry r = with_four();
  const std::size_t before = r.entries().size();
  r.add(entries({made({"new_d<new_c"}, {"new_b"}), made({"new_b"}, {"new_a", "test_a"}),
                 made({"new_c2<new_c", "new_c"}), made({"new_a<new_d"})}));
  Ids ids;
  for (std::size_t i = before; i < r.entries().size(); ++i) ids.push_back(r.entries()[i].handle.id());
  EXPECT_EQ(ids, (Ids{"new_a", "new_b", "new_d", "new_c2"}));  // each behind those that it needs, else as given
  const MetricTree& metrics = r.metrics();
  EXPECT_EQ(metrics[metrics[metrics.at("new_a")].parent].id, "new_d");
  EXPECT_EQ(metrics[metrics[metrics.at("new_d")].parent].id, "new_c");
  EXPECT_EQ(metrics[metrics[metrics.at("new_c2")].parent].id, "new_c");
  for (MetricIndex m = 0; m < metrics.size(); ++m) {
    EXPECT_TRUE(metrics[m].parent == no_metric || metrics[m].parent < m);
    EXPECT_EQ(metrics[m].from_plugin, metrics[m].id.starts_with("new_") || metrics[m].id.starts_with("test_"));
  }
  EXPECT_EQ(r.at("new_c").handle.id(), "new_c2");
  EXPECT_EQ(chosen(r, {"new_a"}),
            (Ids{"test_a", "new_a", "new_b", "new_d", "new_c2"}));  // its parent's pattern stands behind
  EXPECT_EQ(chosen(r, {"overhead"}, {"new_c"}), (Ids{"test_a", "test_b", "test_c", "test_d"}));
}

TEST(Registry, PatternsThatNeedEachOtherAreRefused) {
  EXPECT_EQ(
      error_of_adding_all({made({"new_a"}, {"new_c"}), made({"new_b"}, {"new_a"}), made({"new_c"}, {"new_b"})}),
      "pattern 'new_a' (class Made, ./libnew.so) needs pattern 'new_c' (class Made, ./libnew.so) needs pattern "
      "'new_b' (class Made, ./libnew.so) needs 'new_a', which cannot run both before and after them: break the circle");
  EXPECT_EQ(error_of_adding_all({made({"new_a<new_b"}), made({"new_b<new_a"})}),
            "pattern 'new_a' (class Made, ./libnew.so) has a metric 'new_a' below 'new_b', which is below 'new_a': one "
            "of them needs another parent, or none");
  EXPECT_EQ(error_of_adding_all({made({"new_a<new_a"})}),
            "pattern 'new_a' (class Made, ./libnew.so) has a metric 'new_a' below itself");
  EXPECT_EQ(error_of_adding_all({made({"new_a"}), made({"new_a"})}),
            "pattern 'new_a' (class Made, ./libnew.so) has a metric 'new_a', which belongs to pattern 'new_a' (class "
            "Made, ./libnew.so) too: every metric needs an id of its own");
  EXPECT_EQ(error_of_adding_all({made({"new_a"}, {"new_b2"}), made({"new_b", "new_b2"})}),
            "pattern 'new_a' (class Made, ./libnew.so) needs 'new_b2', which is a metric of pattern 'new_b': name the "
            "pattern");
  EXPECT_EQ(error_of_adding_all({made({"new_a"}, {"new_bb"}), made({"new_b"})}),
            "pattern 'new_a' (class Made, ./libnew.so) needs 'new_bb', which is not a pattern: did you mean 'new_b'?");
}

struct Listens : Pattern {
  PatternInfo info() const override { return {.metrics = {{.id = "listens"}}}; }
  void published_callback(const Published&, Context&) override {}
};
struct Idle : Pattern {
  PatternInfo info() const override { return {.metrics = {{.id = "idle"}}}; }
  void init(Context&) override {}
};
struct Speaks : Pattern {
  PatternInfo info() const override { return {.metrics = {{.id = "speaks"}}}; }
  std::string headline(const ReportFacts&) const override { return "label: text"; }
};

TEST(Registry, PatternsThatCouldNotDoAnythingAreRefused) {
  EXPECT_EQ(error_of_adding_all({make_pattern<Listens>()}),
            "pattern 'listens' (class Listens, ./libnew.so) has a published_callback, but names no patterns in `needs` "
            "whose compound events it could receive");
  EXPECT_EQ(error_of_adding_all({make_pattern<Idle>()}),
            "pattern 'idle' (class Idle, ./libnew.so) has no callback and so does nothing: expected one such as "
            "completed_receives_callback");
  PatternRegistry r;
  EXPECT_EQ(error_of([&] { r.add(make_pattern<Speaks>(), "here"); }), "no error");
}

}  // namespace
}  // namespace waitstate

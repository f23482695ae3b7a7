// Patterns that take part in one analysis after another tell of each trace what new ones do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/pattern/registry.hpp"

namespace waitstate {
namespace {

AnalysisOptions with_all_patterns() {
  AnalysisOptions options;
  options.threads = 1;
  options.patterns = patterns_on_request();
  return options;
}

std::vector<std::string> reasons(const AnalysisResult& r) {
  std::vector<std::string> all;
  for (const UndeterminedMetric& m : r.undetermined)
    all.push_back(fmt::format("{}: {}", r.metrics[m.metric].id, m.sentence));
  return all;
}

TEST(PatternsAgain, WhatOneTraceHadIsForgotten) {
  const AnalysisOptions again = with_all_patterns();
  for (const char* name : {"rma_waits", "hybrid_tasks", "p2p", "shmem_waits", "coll", "cuda_waits", "p2p"}) {
    const std::string path = std::string(WAITSTATE_TRACES) + "/" + name;
    const AnalysisResult expected = analyze(path, with_all_patterns()), found = analyze(path, again);
    EXPECT_EQ(support::differences(support::severity_rows(expected), support::severity_rows(found)), "") << name;
    EXPECT_EQ(reasons(found), reasons(expected)) << name;
  }
}

}  // namespace
}  // namespace waitstate

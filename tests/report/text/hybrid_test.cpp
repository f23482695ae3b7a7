// MPI waits of masters, whose workers are idle meanwhile, and of workers themselves: the summary has both sums.
#include <gtest/gtest.h>

#include <string>

#include "report/text/analysis_text.hpp"
#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate {
namespace {

std::string line_of(const AnalysisResult& result) {
  report::TextOptions options;
  options.headlines = report::headlines(result, built_in_patterns());
  const std::string text = report::analysis_text(result, {}, options);
  const std::size_t at = text.find("\nhybrid ");
  if (at == std::string::npos) return "";
  std::string line = text.substr(at + 1, text.find("\n\n", at) - at - 1);
  for (std::size_t i; (i = line.find("\n")) != std::string::npos;) line.replace(i, 1, " ");
  for (std::size_t i; (i = line.find("  ")) != std::string::npos;) line.erase(i, 1);
  return line;
}

// 4 microseconds less than in all: worker threads that are idle while their master waits in MPI_Finalize.
TEST(HybridWaits, both_sums_are_in_the_summary) {
  EXPECT_EQ(
      line_of(analyze(WAITSTATE_SOURCE_DIR "/traces/hybrid_waits")),
      "hybrid worker threads are idle for 410.4 ms while their masters wait in MPI, and wait in MPI themselves for "
      "279.3 ms");
}

TEST(HybridWaits, are_no_news_without_threads) { EXPECT_EQ(line_of(analyze(WAITSTATE_SOURCE_DIR "/traces/p2p")), ""); }

}  // namespace
}  // namespace waitstate

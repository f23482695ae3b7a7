// Archives that were written with OTF2 3.2: records of what probes have found, ranks that are processes, roles. They
// are read alike with any version of the library.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include "waitstate/analysis.hpp"

namespace waitstate {
namespace {

using Row = std::tuple<std::string, std::string, std::uint32_t, std::int64_t>;

std::vector<Row> rows(const AnalysisResult& r, const std::string& metric) {
  std::vector<Row> found;
  for (const SeverityRow& row : r.table())
    if (row.metric == r.metrics.at(metric))
      found.emplace_back(metric, r.call_tree.path(row.callpath, r.definitions), row.location.value, row.value);
  return found;
}

class ArchivesOfOtf2_3_2 : public testing::TestWithParam<std::string> {};

// Rank 0 sends at 100,000, 200,000 and 300,000. Rank 1 receives since 10,000, probes since 110,000 and, in its second
// thread, since 250,000.
TEST_P(ArchivesOfOtf2_3_2, SayWhatProbesFound) {
  const AnalysisResult r = analyze(std::filesystem::path(WAITSTATE_SOURCE_DIR) / "tests/archives" / GetParam());
  EXPECT_EQ(r.messages, 3u);
  for (int d = 0; d < diagnostic_count; ++d)
    EXPECT_EQ(r.diagnostics[static_cast<DiagnosticId>(d)].count, 0u) << name(static_cast<DiagnosticId>(d));
  EXPECT_EQ(rows(r, "mpi_latesender"), (std::vector<Row>{{"mpi_latesender", "main/MPI_Recv", 1, 90000}}));
  EXPECT_EQ(rows(r, "mpi_probe_wait"), (std::vector<Row>{{"mpi_probe_wait", "main/MPI_Mprobe", 1, 90000},
                                                         {"mpi_probe_wait", "main/MPI_Mprobe", 2, 50000}}));
  EXPECT_EQ(r.events_by_type[static_cast<std::size_t>(EventType::probe)], 2u);
  EXPECT_EQ(r.events_by_type[static_cast<std::size_t>(EventType::recv)], 2u) << "one of them by MPI_Mrecv";
  ASSERT_EQ(r.definitions.processes.size(), 2u);
  EXPECT_EQ(r.definitions.processes[0].rank, 0);
  EXPECT_EQ(r.definitions.processes[1].rank, 1);
  EXPECT_TRUE(r.undetermined.empty()) << r.undetermined.front().sentence;
}

INSTANTIATE_TEST_SUITE_P(Ranks, ArchivesOfOtf2_3_2, testing::Values("ranks_are_locations", "ranks_are_processes"),
                         [](const auto& test) { return test.param; });

TEST(ArchivesOfOtf2_3_2, HaveKernelsOfOpenMpTargets) {
  const AnalysisResult r = analyze(std::filesystem::path(WAITSTATE_SOURCE_DIR) / "tests/archives" / "kernels");
  std::vector<std::string> kernels;
  for (const Region& region : r.definitions.regions)
    if (region.role == RegionRole::kernel) kernels.emplace_back(enum_name(region.paradigm));
  EXPECT_EQ(kernels, (std::vector<std::string>{"openmp_target", "hip"}));
}

}  // namespace
}  // namespace waitstate

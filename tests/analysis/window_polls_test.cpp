// Long loops of reads of a window: neighbouring calls are joined, and no tick of waiting is lost by that.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate {
namespace {

// Rank 0 reads its own memory every 30 ticks: 10 in MPI_Fetch_and_op, 18 in MPI_Win_flush_local. Rank 1 accumulates
// into it when the last flush begins.
std::string polls(int reads) {
  std::string text = "comm 0 name=MPI_COMM_WORLD members=all\nrma_win 0 name=win comm=0\n";
  for (const int rank : {0, 1})
    text += fmt::format(
        "{0} 0 enter main\n{0} 50 enter MPI_Win_lock_all\n{0} 50 rma_request_lock win=0 remote=none lock=0 "
        "type=shared\n"
        "{0} 55 exit\n",
        rank);
  int t = 100;
  for (int i = 0; i < reads; ++i, t += 30)
    text += fmt::format(
        "0 {0} enter MPI_Fetch_and_op\n0 {0} rma_atomic win=0 remote=0 type=fetch_and_accumulate sent=4 received=4 "
        "match={4}\n0 {1} exit\n0 {2} enter MPI_Win_flush_local\n0 {3} rma_op_complete_nonblocking win=0 match={4}\n"
        "0 {3} exit\n",
        t, t + 10, t + 11, t + 29, i);
  text += fmt::format(
      "1 {0} enter MPI_Accumulate\n1 {0} rma_atomic win=0 remote=0 type=accumulate sent=4 received=0 match=1\n"
      "1 {1} exit\n1 {1} enter MPI_Win_flush\n1 {2} rma_op_complete_nonblocking win=0 match=1\n1 {2} exit\n",
      t - 19, t - 18, t - 10);
  for (const int rank : {0, 1})
    text += fmt::format(
        "{0} {1} enter MPI_Win_unlock_all\n{0} {1} rma_release_lock win=0 remote=none lock=0\n"
        "{0} {2} exit\n{0} {2} exit\n",
        rank, t + 5, t + 10);
  return text;
}

std::int64_t total(const AnalysisResult& r, const char* metric) {
  std::int64_t sum = 0;
  r.severities.for_each(r.metrics.at(metric), [&](CallPathId, LocationId, std::int64_t value) { sum += value; });
  return sum;
}

TEST(WindowPolls, of_many_calls_each_tick_counts) {
  for (const int reads : {255, 256, 257, 300, 1000}) {
    const AnalysisResult r = analyze(support::TraceFile(polls(reads)).path());
    EXPECT_EQ(total(r, "mpi_rma_poll_wait"), reads * 10 + (reads - 1) * 18) << reads;
    EXPECT_LE(r.waits.at(r.metrics.at("mpi_rma_poll_wait")).statistics.count, 513u);
  }
}

}  // namespace
}  // namespace waitstate

// The factors of the ideal machine, derived by hand: of a chain of messages, with and without MPI_Init and
// MPI_Finalize, and of a program with threads; and when they are not known.
#include "report/ideal_machine.hpp"

#include <gtest/gtest.h>

#include "support/case_file.hpp"
#include "waitstate/registry.hpp"

namespace waitstate::test {
namespace {

AnalysisResult with_ideal_waits(const std::string& text,
                                const std::vector<std::string>& patterns = {"mpi_ideal_wait"}) {
  AnalysisOptions options;
  options.threads = 1;
  options.built_in = false;
  options.patterns = PatternRegistry().chosen(patterns, {});
  return analyze(support::TraceFile(text).path(), options);
}

report::IdealMachine whole(const AnalysisResult& r) { return report::ideal_machine(r, report::Totals(r)); }

// Times outside of MPI are 110, 30 and 30, ideal waits 10, 90 and 90: an ideal run of 120. The run takes 150; without
// MPI_Init and MPI_Finalize 112, 127 and 130, and of the waits the 10 in MPI_Finalize go with them. With 46.67 of work
// on each, the largest time outside of MPI is 56.67: 150 * 56.67 / 110 = 77.3.
TEST(IdealMachine, of_a_chain) {
  const AnalysisResult r =
      with_ideal_waits(support::read_case(std::filesystem::path(WAITSTATE_CASES) / "mpi_ideal_wait/chain.case").trace);
  const report::IdealMachine m = whole(r);
  ASSERT_TRUE(m.known()) << m.unknown;
  EXPECT_EQ(m.bound, "");
  EXPECT_EQ(m.ideal_run_time, 120);
  EXPECT_EQ(m.run_time, 150);
  EXPECT_DOUBLE_EQ(m.serialisation, 110.0 / 120);
  EXPECT_DOUBLE_EQ(m.transfer, 120.0 / 150);
  EXPECT_DOUBLE_EQ(m.mpi_communication, 110.0 / 150);
  EXPECT_DOUBLE_EQ(m.mpi_load_balance, 170.0 / 3 / 110);
  EXPECT_DOUBLE_EQ(m.mpi_parallel, 170.0 / 3 / 150);
  EXPECT_EQ(m.openmp, 1);
  EXPECT_EQ(r.call_tree.path(m.unbalanced, r.definitions), "main/work");
  EXPECT_EQ(m.balanced_run_time, 77);
  EXPECT_EQ(
      report::ideal_machine_text(m),
      "serialisation 91.7 % (largest time outside of MPI / ideal run time) x transfer 80.0 % (ideal run time / run "
      "time) = communication of MPI 73.3 %");

  const report::IdealMachine counted = report::ideal_machine(r, report::RunTotals(r).counted());
  EXPECT_EQ(counted.ideal_run_time, 120);
  EXPECT_EQ(counted.run_time, 130);
  EXPECT_DOUBLE_EQ(counted.transfer, 120.0 / 130);
  EXPECT_DOUBLE_EQ(counted.serialisation * counted.transfer, 110.0 / 130);
}

// Computation: 80 and 40, 60 and 60, mean 60 of 100. Outside of MPI: 80 and 60, mean 70. Ideally both come to the
// barrier at 80: nothing is lost by waiting but the imbalance.
TEST(IdealMachine, of_threads) {
  const AnalysisResult r = with_ideal_waits(
      "process 0 type=process\nprocess 1 type=process\n"
      "location 0 process=0\nlocation 1 process=0\nlocation 2 process=1\nlocation 3 process=1\n"
      "group 0 type=comm_locations paradigm=mpi members=(0,2)\ncomm 0 members=(0,2)\n"
      "0 0 enter main\n1 0 enter worker\n2 0 enter main\n3 0 enter worker\n1 40 exit\n"
      "2 60 enter MPI_Barrier\n2 60 collective_begin\n3 60 exit\n"
      "0 80 enter MPI_Barrier\n0 80 collective_begin\n0 100 collective_end op=barrier com=0\n0 100 exit\n0 100 exit\n"
      "2 100 collective_end op=barrier com=0\n2 100 exit\n2 100 exit\n");
  const report::IdealMachine m = whole(r);
  ASSERT_TRUE(m.known()) << m.unknown;
  EXPECT_TRUE(m.threads);
  EXPECT_EQ(
      report::ideal_machine_text(m),
      "serialisation 100.0 % (largest time outside of MPI / ideal run time) x transfer 80.0 % (ideal run time / run "
      "time) = communication of MPI 80.0 %; parallel = MPI 70.0 % (load balance 87.5 % x communication) x OpenMP "
      "85.7 %");
  EXPECT_NEAR(m.mpi_parallel * m.openmp, report::efficiency(r, report::Totals(r)).parallel, 1e-12);
  EXPECT_EQ(m.balanced_run_time, 88);  // 100 * 70 / 80 = 87.5
}

TEST(IdealMachine, is_not_known_without_its_waits_or_of_one_process) {
  const std::string one = "0 0 enter main\n0 5 enter MPI_Barrier\n0 7 exit\n0 9 exit\n";
  EXPECT_FALSE(whole(with_ideal_waits(one, {"mpi_barrier_wait"})).was_asked);
  EXPECT_EQ(report::ideal_machine_text(whole(with_ideal_waits(one))), "unknown: there is only one process");
}

}  // namespace
}  // namespace waitstate::test

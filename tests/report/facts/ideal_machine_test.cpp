// The factors of the ideal machine, derived by hand for a chain of messages, with and without MPI_Init and
// MPI_Finalize, and for a program with threads; and the cases in which they are not known.
#include "report/facts/ideal_machine.hpp"

#include <gtest/gtest.h>

#include "report/words/efficiency.hpp"
#include "support/case_file.hpp"
#include "waitstate/pattern/registry.hpp"

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
  ASSERT_TRUE(m.known());
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
      report::ideal_machine_text(r, m),
      "serialisation 91.7 % (largest time outside of MPI / ideal run time) x transfer 80.0 % (ideal run time / run "
      "time) = MPI communication 73.3 %");

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
  ASSERT_TRUE(m.known());
  EXPECT_TRUE(m.threads);
  EXPECT_EQ(
      report::ideal_machine_text(r, m),
      "serialisation 100.0 % (largest time outside of MPI / ideal run time) x transfer 80.0 % (ideal run time / run "
      "time) = MPI communication 80.0 %; parallel = MPI 70.0 % (load balance 87.5 % x communication) x OpenMP "
      "85.7 %");
  EXPECT_NEAR(m.mpi_parallel * m.openmp, report::efficiency(r, report::Totals(r)).parallel, 1e-12);
  EXPECT_EQ(m.balanced_run_time, 88);  // 100 * 70 / 80 = 87.5
}

std::string bound_of(const std::string& trace) { return whole(with_ideal_waits(trace)).bound; }
std::string case_trace(const char* name) {
  return support::read_case(std::filesystem::path(WAITSTATE_CASES) / name).trace;
}

TEST(IdealMachine, says_exactly_what_is_not_replayed) {
  EXPECT_EQ(bound_of(case_trace("mpi_ideal_wait/nonblocking_kinds.case")), "");
  EXPECT_EQ(bound_of(case_trace("mpi_ideal_wait/communicator.case")), "");
  EXPECT_EQ(bound_of(case_trace("mpi_ideal_wait/fence.case")), "");
  EXPECT_EQ(bound_of(case_trace("mpi_ideal_wait/early_wait.case")), "");
  EXPECT_EQ(bound_of(case_trace("mpi_ideal_wait/lock_in_unlock.case")), "");
  // All have entered MPI_Finalize; that two do not leave it is nothing that the third one lacks.
  EXPECT_EQ(bound_of(case_trace("region_never_left/regular_end.case")), "");
  EXPECT_EQ(bound_of(case_trace("mpi_ideal_wait/neighbours_unknown.case")),
            "the trace lacks the neighbours of 2 parts in operations among neighbours: nobody waits there");
  // Each receives before the other one can have sent: the clocks of the two cannot both be right.
  const std::string circle =
      "0 0 enter main\n0 10 enter MPI_Recv\n0 20 recv src=1 tag=1 com=0 len=8\n0 20 exit\n0 30 enter MPI_Send\n"
      "0 30 send dest=1 tag=2 com=0 len=8\n0 40 exit\n0 50 exit\n1 0 enter main\n1 10 enter MPI_Recv\n"
      "1 20 recv src=0 tag=2 com=0 len=8\n1 20 exit\n1 30 enter MPI_Send\n1 30 send dest=0 tag=1 com=0 len=8\n"
      "1 40 exit\n1 50 exit\n";
  EXPECT_EQ(
      bound_of(circle),
      "2 steps of the run stand in a circle of steps that need each other, or behind one: the replay went on without "
      "what is needed there");
  const std::string started_before =
      "0 0 enter main\n0 10 enter MPI_Wait\n0 20 nonblocking_collective_complete op=barrier request=1\n0 20 exit\n"
      "0 50 exit\n1 0 enter main\n1 10 enter MPI_Wait\n1 20 nonblocking_collective_complete op=barrier request=1\n"
      "1 20 exit\n1 50 exit\n";
  EXPECT_EQ(bound_of(started_before),
            "2 non-blocking collective operations without a start in the trace are not replayed");
  const std::string start_of_nobody =
      "comm 0 members=all\nrma_win 0 comm=0\ngroup 0 type=locations members=(1)\n0 0 enter main\n0 10 enter MPI_Put\n"
      "0 10 rma_group_sync level=0x1 win=0 group=0\n0 20 exit\n0 50 exit\n1 0 enter main\n1 10 enter MPI_Put\n"
      "1 20 exit\n1 50 exit\n";
  EXPECT_EQ(
      with_ideal_waits(start_of_nobody).undetermined.back().sentence,
      "1 record of an epoch of one-sided communication does not say what opens or ends there: nobody waits there");
}

// Location 1 never posts: it is unknown when location 0 completes, so it continues at the end.
TEST(IdealMachine, goes_on_where_a_partner_never_comes) {
  const std::string trace =
      "comm 0 members=all\nrma_win 0 comm=0\ngroup 0 type=locations members=(1)\n0 0 enter main\n"
      "0 10 enter MPI_Win_start\n0 10 rma_group_sync level=0x1 win=0 group=0\n0 12 exit\n0 20 enter MPI_Win_complete\n"
      "0 20 rma_group_sync level=0x1 win=0 group=0\n0 30 exit\n0 50 exit\n1 0 enter main\n1 10 enter MPI_Put\n"
      "1 20 exit\n1 40 exit\n";
  const AnalysisResult r = with_ideal_waits(trace);
  EXPECT_EQ(whole(r).ideal_run_time, 38);  // location 0: 50 without the 2 and 10 in MPI
  EXPECT_EQ(whole(r).bound,
            "1 one-sided epoch, lock or collective lacks a part: it is not known how long the others waited");
  EXPECT_EQ(r.undetermined.back().sentence,
            "the trace lacks the other side of 1 one-sided epoch or lock: the replay went on without it");
}

TEST(IdealMachine, says_that_a_wait_outside_of_every_call_is_charged_to_none) {
  const AnalysisResult r = with_ideal_waits(case_trace("mpi_ideal_wait/outside_of_calls.case"));
  EXPECT_EQ(r.undetermined.back().sentence,
            "1 wait of a record outside of every call has no call path to be charged to");
}

// The clock of rank 1 is behind by 300, so that its receive ends before the send begins: without messages the run would
// take 494 of 200.
TEST(IdealMachine, is_not_known_if_its_run_is_longer_than_the_real_one) {
  const AnalysisResult r = with_ideal_waits(
      "0 300 enter main\n0 400 enter MPI_Send\n0 401 send dest=1 tag=0 com=0 len=8\n0 402 exit\n0 500 exit\n"
      "1 0 enter main\n1 90 enter MPI_Recv\n1 105 recv src=0 tag=0 com=0 len=8\n1 106 exit\n1 200 exit\n");
  EXPECT_FALSE(whole(r).known());
  EXPECT_EQ(report::why_unknown(r, whole(r)),
            "it would take longer than the run itself, which cannot be: the clocks of this trace disagree");
}

TEST(IdealMachine, is_not_known_without_its_waits_or_of_one_process) {
  const std::string one = "0 0 enter main\n0 5 enter MPI_Barrier\n0 7 exit\n0 9 exit\n";
  EXPECT_FALSE(whole(with_ideal_waits(one, {"mpi_barrier_wait"})).was_asked);
  EXPECT_EQ(why_unknown(with_ideal_waits(one), whole(with_ideal_waits(one))), "there is only one process");
}

}  // namespace
}  // namespace waitstate::test

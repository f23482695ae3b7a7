// What happens to the streams and the exit code when the reader goes away or a process dies in the middle.
//
// `print` of a large trace is stopped where a test can reach it: it blocks on a pipe that nobody reads, in a child of
// the process that was started.
#include <gtest/gtest.h>

#include <csignal>

#include "cli/run_program.hpp"

namespace waitstate::test {
namespace {

const std::string halo = std::string(WAITSTATE_TRACES) + "/halo";

/// The process that does the work: waits until it has begun to write.
pid_t worker_of(const Started& started) {
  std::array<pollfd, 1> out{pollfd{started.out, POLLIN, 0}};
  ::poll(out.data(), 1, 60'000);
  const std::string pid = std::to_string(started.pid);
  std::ifstream children("/proc/" + pid + "/task/" + pid + "/children");
  pid_t child = -1;
  return children >> child ? child : -1;
}

TEST(Guard, a_closed_pipe_is_the_end_and_no_error) {
  Started started = start({"print", halo});
  char piece[16];
  ASSERT_EQ(::read(started.out, piece, sizeof piece), 16);
  ::close(started.out);
  started.out = -1;
  const Outcome o = finish(started);
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
}

TEST(Guard, a_crash_becomes_a_sentence) {
  const Started started = start({"print", halo});
  ASSERT_GT(worker_of(started), 0);
  ::kill(worker_of(started), SIGABRT);
  const Outcome o = finish(started);
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(
      o.err,
      "waitstate: error: " + halo +
          ": reading it failed (signal 6, aborted): a file is damaged beyond what can be checked, or a plug-in "
          "crashed; try without plug-ins, copy the archive again from where it was recorded, or see which file is "
          "broken with otf2-print\n");
}

TEST(Guard, a_plug_in_that_crashes_while_it_is_loaded_becomes_a_sentence) {
  const std::string plugin = WAITSTATE_TEST_PLUGINS "/libcrashing.so";
  const std::string crashed = ": reading it failed (signal 11, segmentation fault): a file is damaged ";
  Outcome o = run({"analyze", halo, "--plugin", plugin});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(o.err.find("waitstate: error: " + halo + crashed), 0u) << o.err;
  for (const Outcome& of : {run({"patterns", "--plugin", plugin}), run({"explain", "time", "--plugin", plugin})}) {
    EXPECT_EQ(of.exit_code, 3);
    EXPECT_EQ(of.err.find("waitstate: error: " + plugin + crashed), 0u) << of.err;
  }
}

TEST(Guard, a_plug_in_that_ends_the_process_is_no_success) {
  const TemporaryFolder folder;
  const Outcome o =
      run({"analyze", halo, "--plugin", WAITSTATE_TEST_PLUGINS "/libexiting.so", "-o", folder / "report.json"});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.err, "waitstate: error: " + halo +
                       ": the analysis ended with exit code 0 before it was done: a plug-in must have ended the "
                       "process; try without plug-ins\n");
  EXPECT_TRUE(folder.names().empty());
}

TEST(Guard, a_killed_worker_is_no_damaged_archive) {
  const Started started = start({"print", halo});
  ASSERT_GT(worker_of(started), 0);
  ::kill(worker_of(started), SIGKILL);
  const Outcome o = finish(started);
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(o.err, "waitstate: error: " + halo +
                       ": the analysis was killed (signal 9): most likely the machine ran out of memory; close other "
                       "programs, or use a machine with more\n");
}

TEST(Guard, termination_is_passed_on_and_shown_to_the_caller) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Started started = start({"print", halo});
    const pid_t worker = worker_of(started);
    ASSERT_GT(worker, 0);
    ::kill(started.pid, signal);
    const Outcome o = finish(started);
    EXPECT_EQ(o.signal, signal);
    EXPECT_EQ(o.err, "");
    EXPECT_NE(::kill(worker, 0), 0) << "the worker is still there";
  }
}

TEST(Guard, without_it_there_is_one_process) {
  const Started started = start({"print", halo, "--no-guard"});
  EXPECT_EQ(worker_of(started), -1);
  ::kill(started.pid, SIGTERM);
  EXPECT_EQ(finish(started).signal, SIGTERM);
}

}  // namespace
}  // namespace waitstate::test

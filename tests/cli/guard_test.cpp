// What happens to the streams and the exit code when the reader goes away or a process dies in the middle?
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
          ": the trace could not be read (signal 6, aborted): either a file is damaged in a way that waitstate cannot "
          "detect, or a plug-in crashed; try without plug-ins, copy the archive again from where it was recorded, or "
          "find the damaged file with otf2-print\n");
}

TEST(Guard, a_plug_in_that_crashes_while_it_is_loaded_is_named) {
  const std::string plugin = WAITSTATE_TEST_PLUGINS "/libcrashing.so";
  for (const Outcome& of : {run({"analyze", halo, "--plugin", plugin}), run({"patterns", "--plugin", plugin}),
                            run({"explain", "time", "--plugin", plugin})}) {
    EXPECT_EQ(of.exit_code, 1);
    EXPECT_EQ(of.err, "waitstate: error: plug-in '" + plugin +
                          "' crashed (signal 11, segmentation fault) while it was being loaded: fix it, or leave it "
                          "out\n");
  }
}

TEST(Guard, a_plug_in_that_ends_the_process_is_no_success) {
  const TemporaryFolder folder;
  const std::string plugin = WAITSTATE_TEST_PLUGINS "/libexiting.so";
  const Outcome o = run({"analyze", halo, "--plugin", plugin, "-o", folder / "report.json"});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.err, "waitstate: error: plug-in '" + plugin +
                       "' ended the program with exit code 0 while it was being loaded: fix it, or leave it out\n");
  EXPECT_TRUE(folder.names().empty());
}

const std::string misbehaving = WAITSTATE_TEST_PLUGINS "/libmisbehaving.so";
const std::string its_pattern = "of pattern 'misbehaves' (class Misbehaves, " + misbehaving + ")";

/// Runs an analysis beside a sound plug-in, which is not to be blamed.
Outcome misbehave(const std::string& how, const std::string& where, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"analyze",  WAITSTATE_TRACES "/p2p",
                                     "--plugin", WAITSTATE_TEST_PLUGINS "/libhuge_messages.so",
                                     "--plugin", misbehaving,
                                     "--set",    "misbehaves.how=" + how,
                                     "--set",    "misbehaves.where=" + where};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run(arguments);
}

TEST(Guard, a_plug_in_that_crashes_is_named_with_its_pattern_and_the_callback) {
  const TemporaryFolder folder;
  const std::pair<const char*, const char*> signals[] = {{"segfault", "signal 11, segmentation fault"},
                                                         {"abort", "signal 6, aborted"},
                                                         {"terminate", "signal 6, aborted"}};
  for (const auto& [how, signal] : signals)
    for (const std::string where : {"configure", "init", "receives", "wrapup", "undetermined", "headline"}) {
      if (how != signals[0].first && where != "receives") continue;
      const Outcome o = misbehave(how, where, {"-o", folder / "report.txt"});
      EXPECT_EQ(o.exit_code, 1);
      const std::string callback = where == "receives" ? "completed_receives_callback" : where;
      const std::string sentence = "waitstate: error: plug-in '" + misbehaving + "' crashed (" + signal + ") in " +
                                   callback + ' ' + its_pattern + ": fix it, or leave it out\n";
      EXPECT_TRUE(o.err.ends_with(sentence)) << o.err << "expected\n" << sentence;
      EXPECT_TRUE(folder.names().empty());
    }
}

TEST(Guard, a_plug_in_that_ends_the_process_in_a_callback_is_named) {
  const TemporaryFolder folder;
  for (const auto& [how, code] : {std::pair("exit", "0"), std::pair("_exit", "7")}) {
    const Outcome o = misbehave(how, "receives", {"-o", folder / "report.json"});
    EXPECT_EQ(o.exit_code, 1);
    EXPECT_EQ(o.err, "waitstate: error: plug-in '" + misbehaving + "' ended the program with exit code " + code +
                         " in completed_receives_callback " + its_pattern + ": fix it, or leave it out\n");
    EXPECT_TRUE(folder.names().empty());
  }
}

TEST(Guard, a_plug_in_that_crashes_at_the_end_leaves_a_complete_report) {
  const TemporaryFolder folder;
  const Outcome o = misbehave("segfault", "destructor", {"-o", folder / "report.json"});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.err, "waitstate: error: plug-in '" + misbehaving +
                       "' crashed (signal 11, segmentation fault) in the destructor " + its_pattern +
                       ": fix it, or leave it out; all results have been written\n");
  EXPECT_EQ(run({"show", folder / "report.json"}).exit_code, 0);
  const Outcome ended = misbehave("exit", "destructor", {"-o", folder / "other.json"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(run({"show", folder / "other.json"}).exit_code, 0);
}

TEST(Guard, a_plug_in_that_throws_bad_alloc_is_named) {
  for (const std::string where : {"configure", "init", "receives", "wrapup", "undetermined", "headline"}) {
    const Outcome o = misbehave("memory", where);
    EXPECT_EQ(o.exit_code, 1);
    EXPECT_TRUE(o.err.starts_with("waitstate: error: pattern 'misbehaves' (class Misbehaves, " + misbehaving +
                                  ") failed in " + (where == "receives" ? "completed_receives_callback" : where)))
        << o.err;
    EXPECT_TRUE(o.err.ends_with(": it asked for more memory than is available\n")) << o.err;
  }
}

TEST(Guard, a_plug_in_that_changes_the_current_folder_moves_neither_outputs_nor_inputs) {
  const TemporaryFolder folder;
  std::filesystem::create_directory_symlink(WAITSTATE_TRACES "/p2p", folder / "trace");
  std::filesystem::create_symlink(WAITSTATE_TEST_PLUGINS "/libhuge_messages.so", folder / "libother.so");
  std::filesystem::create_symlink(misbehaving, folder / "libmisbehaving.so");
  const std::string begin = "cd '" + folder.path().string() +
                            "' && \"$0\" analyze trace --plugin ./libmisbehaving.so --plugin ./libother.so --set "
                            "misbehaves.how=folder --set misbehaves.where=";
  for (const std::string where : {"configure", "init", "receives", "wrapup", "undetermined", "headline"})
    for (const std::string name : {"report.json", "report.txt", "report.cubex"}) {
      const Outcome o = run_shell(begin + where + " -o " + where + "_" + name);
      EXPECT_EQ(o.exit_code, 0) << o.err;
      EXPECT_TRUE(std::filesystem::exists(folder / (where + "_" + name)));
      if (name == "report.json") {  // complete, with the trace's name as it was given
        EXPECT_NE(content_of(folder / (where + "_" + name)).find("\"path\":\"trace/traces.otf2\""), std::string::npos);
      }
    }
  for (const char* const name : {"/init_report.json", "/init_report.txt", "/init_report.cubex", "/trace.stat"})
    EXPECT_FALSE(std::filesystem::exists(name));
}

TEST(Guard, a_killed_worker_is_no_damaged_archive) {
  const Started started = start({"print", halo});
  ASSERT_GT(worker_of(started), 0);
  ::kill(worker_of(started), SIGKILL);
  const Outcome o = finish(started);
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(o.err, "waitstate: error: " + halo +
                       ": the analysis was killed (signal 9), most likely because the machine ran out of memory: close "
                       "other programs, or use a machine with more memory\n");
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

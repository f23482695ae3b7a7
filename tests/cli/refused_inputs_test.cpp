// Inputs that are too large for the memory or the machine, or no files at all: a sentence instead of a crash, a wrong
// diagnosis, or a program that waits for ever.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/run_program.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/report.hpp"

namespace waitstate::test {
namespace {

namespace fs = std::filesystem;

const fs::path trace_p2p = fs::path(WAITSTATE_TRACES) / "p2p";
constexpr std::size_t large = 31'000'000;

std::string repeated(const std::string& piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

/// Runs commands with 200 MB of memory, less than a report of 31 MB takes.
void expect_out_of_memory(const std::string& report) {
  for (const char* command : {"show", "graph", "diff other"}) {
    std::string words = command;
    if (const auto other = words.find("other"); other != std::string::npos) words.replace(other, 5, "'" + report + "'");
    const Outcome o = run_shell("ulimit -v 200000; exec \"$0\" " + words + " '" + report + "'");
    EXPECT_EQ(o.exit_code, 3) << command;
    EXPECT_EQ(o.err,
              "waitstate: error: out of memory: use a machine with more memory, or analyse only a part of the trace\n")
        << command;
    EXPECT_EQ(o.out, "") << command;
  }
}

TEST(RefusedInputs, a_json_report_that_memory_does_not_hold) {
  const TemporaryFolder folder;
  for (const char* piece : {"[1,2],", "{\"a\":\"a text that is not short\"},", "1,"})
    expect_out_of_memory(
        folder.file("run.json", "{\"format\": \"waitstate\", \"severities\": [" + repeated(piece, large) + "1]}"));
}

TEST(RefusedInputs, a_cube_report_that_memory_does_not_hold) {
  const TemporaryFolder folder;
  folder.file("anchor.xml", "<?xml version=\"1.0\"?><cube version=\"4.4\">" + repeated("<a/>", large) + "</cube>");
  const std::string go = "cd '" + folder.path().string() + "' && ";
  ASSERT_EQ(run_shell(go + "tar --format=ustar -cf run.cubex anchor.xml").exit_code, 0);
  expect_out_of_memory(folder / "run.cubex");
}

TEST(RefusedInputs, an_anchor_of_two_gibibytes_is_not_read) {
  const TemporaryFolder folder;
  fs::copy(trace_p2p, folder / "p2p", fs::copy_options::recursive);
  const fs::path anchor = folder / "p2p" / "traces.otf2";
  fs::permissions(anchor, fs::perms::owner_write, fs::perm_options::add);
  fs::resize_file(anchor, std::uintmax_t{2} << 30);
  for (const char* command : {"info", "analyze", "print"}) {
    const Outcome o = run_shell(std::string("ulimit -v 300000; exec \"$0\" ") + command + " '" + anchor.string() + "'");
    EXPECT_EQ(o.exit_code, 3) << command;
    EXPECT_EQ(o.err, "waitstate: error: " + anchor.string() +
                         ": the anchor file is damaged: it has 2147483648 bytes; expected a few hundred\n");
  }
  const std::string zeros = folder.file("zeros", "");
  fs::resize_file(zeros, std::uintmax_t{2} << 30);
  const Outcome o = run({"info", zeros});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(o.err.find("waitstate: error: " + zeros + ": not the anchor file of an OTF2 trace"), 0u) << o.err;
}

/// Ends, with a sentence, in time.
Outcome expect_refused(const std::string& words) {
  const Outcome o = run_shell("exec timeout 30 \"$0\" " + words);
  EXPECT_NE(o.exit_code, 124) << words << ": waits";
  EXPECT_GE(o.exit_code, 2) << words;
  EXPECT_EQ(o.err.find("waitstate: error: "), 0u) << words << '\n' << o.err;
  return o;
}

TEST(RefusedInputs, a_pipe_or_a_device_is_not_waited_for) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& file : {pipe, std::string("/dev/zero"), std::string("/dev/null")}) {
    for (const char* command : {"info", "print", "analyze", "show", "graph", "check --fail-on 'time>1s'"})
      EXPECT_NE(expect_refused(std::string(command) + " '" + file + "'").err.find("regular file"), std::string::npos);
    expect_refused("diff '" + trace_p2p.string() + "' '" + file + "'");
    expect_refused("analyze '" + trace_p2p.string() + "' --plugin '" + file + "'");
    EXPECT_THROW(read_report(file), TraceError) << file;
  }
}

TEST(RefusedInputs, a_pipe_in_the_place_of_a_file_of_an_archive_is_not_waited_for) {
  for (const char* name : {"traces.otf2", "traces.def", "traces/0.def", "traces/0.evt", "traces.marker"}) {
    const TemporaryFolder folder;
    fs::copy(trace_p2p, folder / "p2p", fs::copy_options::recursive);
    const fs::path file = folder / "p2p" / name;
    fs::permissions(file.parent_path(), fs::perms::owner_all, fs::perm_options::add);
    fs::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0) << name;
    for (const char* command : {"info", "analyze", "print"}) {
      const Outcome o =
          run_shell(std::string("exec timeout 30 \"$0\" ") + command + " '" + (folder / "p2p").string() + "'");
      EXPECT_NE(o.exit_code, 124) << command << ' ' << name << ": waits";
    }
  }
}

}  // namespace
}  // namespace waitstate::test

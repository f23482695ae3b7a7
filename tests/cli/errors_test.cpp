// Every way in which the program can be called wrongly or find nothing to read: the whole sentence and the exit code.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "cli/run_program.hpp"

namespace waitstate::test {
namespace {

struct Wrong {
  std::vector<std::string> arguments;
  std::string message;
};

void expect_error(const std::vector<std::string>& arguments, int exit_code, const std::string& message) {
  const Outcome o = run(arguments);
  EXPECT_EQ(o.exit_code, exit_code) << ::testing::PrintToString(arguments);
  EXPECT_EQ(o.out, "") << ::testing::PrintToString(arguments);
  EXPECT_EQ(o.err, "waitstate: error: " + message + '\n') << ::testing::PrintToString(arguments);
}

const std::string p2p = std::string(WAITSTATE_TRACES) + "/p2p";

TEST(Errors, usage) {
  const std::string analyze_help = "; see 'waitstate analyze --help'", print_help = "; see 'waitstate print --help'";
  const Wrong all[] = {
      {{}, "no command given; see 'waitstate --help'"},
      {{"anlyze", "x"}, "there is no command 'anlyze': did you mean 'analyze'?"},
      {{"dance"}, "there is no command 'dance'; known: info, print, analyze"},
      {{"--vrsion"}, "'waitstate' has no option '--vrsion': did you mean '--version'?"},
      {{"analyze"}, "no trace given" + analyze_help},
      {{"analyze", p2p, "--formt=csv"}, "'waitstate analyze' has no option '--formt': did you mean '--format'?"},
      {{"analyze", "--formt", "csv"}, "'waitstate analyze' has no option '--formt': did you mean '--format'?"},
      {{"analyze", p2p, "--zzz"}, "'waitstate analyze' has no option '--zzz'" + analyze_help},
      {{"analyze", p2p, "more"}, "one argument too many for 'waitstate analyze': 'more'" + analyze_help},
      {{"analyze", p2p, "--format", "jsn"}, "unknown format 'jsn': did you mean 'json'?"},
      {{"analyze", p2p, "--format", "spreadsheet"}, "unknown format 'spreadsheet'; known: text, csv, json"},
      {{"analyze", p2p, "--threads"}, "--threads needs N" + analyze_help},
      {{"analyze", p2p, "--threads", "-1"}, "--threads: cannot read '-1' as N" + analyze_help},
      {{"print", p2p, "--type", "snd"}, "unknown event type 'snd': did you mean 'send'?"},
      {{"print", p2p, "--type", "foo"}, "unknown event type 'foo'; see 'waitstate print --help' for all of them"},
      {{"print", p2p, "--location", "first"},
       "'first' is no location: expected a number as in the first column of the output"},
      {{"print", p2p, "--location", "9"}, "there is no location 9: this trace has locations 0 to 3"},
      {{"print", p2p, "--time", "1"}, "--time needs FROM TO" + print_help},
      {{"print", p2p, "--time", "3", "2"}, "--time 3 2: expected two numbers, the second not smaller than the first"},
      {{"print", p2p, "--time", "1", "nan"},
       "--time 1 nan: expected two numbers, the second not smaller than the first"},
  };
  for (const Wrong& wrong : all) expect_error(wrong.arguments, 2, wrong.message);
}

TEST(Errors, input) {
  const TemporaryFolder folder;
  const std::string empty = folder.file("empty", ""), prose = folder.file("prose", "It was a dark and stormy night.\n");
  ::mkdir((folder / "none").c_str(), 0755);
  ::mkdir((folder / "two").c_str(), 0755);
  folder.file("two/a.otf2", "x");
  folder.file("two/b.otf2", "x");
  const Wrong all[] = {
      {{folder / "missing"},
       folder /
           "missing: no such file or folder; expected the anchor file of an OTF2 trace (traces.otf2) or its folder"},
      {{folder / "none"}, folder / "none: the folder holds no anchor file; expected one file *.otf2 in it"},
      {{folder / "two"}, folder / "two: the folder holds several traces, a.otf2, b.otf2; name one of them"},
      {{empty}, empty + ": not the anchor file of an OTF2 trace: it is empty"},
      {{prose}, prose + ": not the anchor file of an OTF2 trace: it looks like text"},
  };
  for (const char* command : {"info", "print", "analyze"})
    for (const Wrong& wrong : all) expect_error({command, wrong.arguments[0]}, 3, wrong.message);
}

TEST(Errors, no_permission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TemporaryFolder folder;
  const std::string secret = folder.file("secret.otf2", "x");
  ::chmod(secret.c_str(), 0);
  const Outcome o = run({"info", secret});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(o.err.find("waitstate: error: " + secret + ": "), 0u) << o.err;
}

TEST(Errors, output) {
  const TemporaryFolder folder;
  expect_error({"analyze", p2p, "-o", folder / "no/x"}, 2,
               "cannot write " + (folder / "no/x") + ": No such file or directory; make its folder first");
  expect_error({"analyze", p2p, "-o", folder.path()}, 2,
               "cannot write " + folder.path() + ": Is a directory; give the name of a file");
  expect_error({"analyze", p2p, "-o", "/dev/full"}, 2, "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace waitstate::test

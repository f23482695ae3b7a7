// The commands from outside: what they print for small traces in the notation, and for the recorded ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run_program.hpp"

namespace waitstate::test {
namespace {

// E(MPI_Recv) = 1000100, E(MPI_Send) = 3000100: the receiver waits 2 ms.
constexpr const char* late_sender = R"(0 100 enter main
0 3000100 enter MPI_Send
0 3000200 send dest=1 tag=7 com=0 len=8
0 3000300 exit
0 4000100 exit
1 100 enter main
1 1000100 enter MPI_Recv
1 3000400 recv src=0 tag=7 com=0 len=8
1 3000500 exit
1 4000100 exit
)";

class Commands : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  const std::string trace = folder.file("late.txt", late_sender);
  const std::string recorded = std::string(WAITSTATE_TRACES) + "/p2p";
};

TEST_F(Commands, analyze_as_csv) {
  const Outcome o = run({"analyze", trace, "--format", "csv"});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out.substr(0, o.out.find('\n') + 1), "metric,callpath,location,value\n");
  EXPECT_NE(o.out.find("\ntime,main/MPI_Send,0,2e-07\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("\nmpi_latesender,main/MPI_Recv,1,0.002\n"), std::string::npos) << o.out;
}

TEST_F(Commands, analyze_as_text_names_who_waited_for_whom) {
  const Outcome o = run({"analyze", trace});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_NE(o.out.find("\nmpi_latesender  "), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("    rank 1 waited 0.002000000 s for rank 0 (1 time)\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("Nothing is missing from this trace, and nothing about it is odd.\n"), std::string::npos)
      << o.out;
  EXPECT_EQ(o.out.find('\x1b'), std::string::npos) << "colour on a pipe";
}

TEST_F(Commands, analyze_as_json_is_the_same_on_every_run_and_with_any_number_of_threads) {
  const Outcome o = run({"analyze", recorded, "--format", "json", "--threads", "1"});
  EXPECT_EQ(o.exit_code, 0);
  const auto json = nlohmann::json::parse(o.out);
  EXPECT_EQ(json["format"], "waitstate");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["trace"]["messages"], 148);
  EXPECT_EQ(run({"analyze", recorded, "--format", "json", "--threads", "3", "--chunk-events", "5"}).out, o.out);
}

TEST_F(Commands, output_file_appears_complete_and_alone) {
  const std::string file = folder / "result.csv";
  const Outcome o = run({"analyze", trace, "--format", "csv", "-o", file});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.out + o.err, "");
  EXPECT_EQ(content_of(file), run({"analyze", trace, "--format", "csv"}).out);
  EXPECT_EQ(folder.names().size(), 2u) << "a temporary file is left";
}

TEST_F(Commands, output_file_that_exists_is_kept_where_the_trace_cannot_be_read) {
  const std::string file = folder.file("result.csv", "old");
  EXPECT_EQ(run({"analyze", folder / "missing", "-o", file}).exit_code, 3);
  EXPECT_EQ(content_of(file), "old");
}

TEST_F(Commands, print_gives_a_trace_that_reads_the_same) {
  const Outcome printed = run({"print", recorded});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.err, "");
  const std::string copy = folder.file("copy.txt", printed.out);
  EXPECT_EQ(run({"analyze", copy, "--format", "csv"}).out, run({"analyze", recorded, "--format", "csv"}).out);
  EXPECT_EQ(run({"print", copy}).out, printed.out);
}

TEST_F(Commands, print_filters) {
  EXPECT_EQ(run({"print", trace, "--no-definitions", "--type", "recv,send"}).out,
            "0 3000200 send dest=1 tag=7 com=0 len=8\n1 3000400 recv src=0 tag=7 com=0 len=8\n");
  EXPECT_EQ(run({"print", trace, "--no-definitions", "--type", "recv", "--type", "send", "--location", "0"}).out,
            "0 3000200 send dest=1 tag=7 com=0 len=8\n");
  // The first event is at tick 100 and ticks are nanoseconds: 3000200 lies 0.0030001 s after it; both ends are
  // included.
  EXPECT_EQ(
      run({"print", trace, "--no-definitions", "--time", "0.0030001", "0.0030003"}).out,
      "0 3000200 send dest=1 tag=7 com=0 len=8\n0 3000300 exit MPI_Send\n1 3000400 recv src=0 tag=7 com=0 len=8\n");
}

TEST_F(Commands, print_with_links) {
  EXPECT_EQ(run({"print", trace, "--links", "--type", "recv"}).out,
            "pos=6 1 3000400 recv src=0 tag=7 com=0 len=8 enterptr=2 sendptr=4\n");
}

TEST_F(Commands, info) {
  const Outcome o = run({"info", recorded});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_NE(o.out.find("recorder       Score-P 8.4 (OTF2 3.0.3)\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("processes      4, ranks 0 to 3\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("   90    4.7 %  send\n"), std::string::npos) << o.out;
}

TEST_F(Commands, a_zero_that_is_no_answer_is_not_shown_as_one) {
  const Outcome o = run({"analyze", std::string(WAITSTATE_TRACES) + "/eztrace_lammps"});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_NE(o.out.find("\nCannot be told from this trace\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("6,520 of 6,520 non-blocking receives never complete in the trace"), std::string::npos) << o.out;
}

TEST_F(Commands, width_is_respected) {
  ::setenv("COLUMNS", "60", 1);
  const Outcome o = run({"analyze", recorded});
  ::unsetenv("COLUMNS");
  std::istringstream lines(o.out.substr(o.out.find("worst call paths")));
  for (std::string line; std::getline(lines, line);) {
    if (line.find('/') == std::string::npos) continue;  // a call path, perhaps with "…", which takes three bytes
    EXPECT_LE(line.size(), 62u) << line;
  }
}

TEST_F(Commands, help_and_version) {
  EXPECT_EQ(run({"--version"}).out, "waitstate " WAITSTATE_VERSION "\n");
  for (const char* command : {"info", "print", "analyze"}) {
    const Outcome o = run({command, "--help"});
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_NE(o.out.find(std::string("Examples:\n  waitstate ") + command), std::string::npos) << o.out;
  }
}

}  // namespace
}  // namespace waitstate::test

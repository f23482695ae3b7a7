// The commands from outside: their output for small traces in the notation, and for the recorded ones. The file is long
// because each command has outputs of its own, which stand here in full.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
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

TEST_F(Commands, the_current_folder_is_not_searched_for_libraries) {
  for (const char* library : {"libz.so.1", "libfmt.so.9", "libarchive.so.13", "libstdc++.so.6", "libc.so.6"})
    folder.file(library, "whoever runs the program where a stranger's files are would run this");
  const Outcome o = run_shell("cd '" + folder.path().string() + "' && \"$0\" info late.txt");
  EXPECT_EQ(o.exit_code, 0) << o.err;
}

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
  EXPECT_LE(std::count(o.out.begin(), o.out.end(), '\n'), 40) << "more than a screen";
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_NE(
      o.out.find("\n1. Late Sender (mpi_latesender): 2.000 ms, 25.0 % of the total time. All in main/MPI_Recv, where\n"
                 "   rank 1 waited up to 2.000 ms in one call for rank 0, which was in main. "),
      std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find("Nothing is missing from this trace, and it has no anomalies.\n"), std::string::npos) << o.out;
  EXPECT_EQ(o.out.find('\x1b'), std::string::npos) << "colour on a pipe";
}

TEST_F(Commands, analyze_as_json_is_the_same_on_every_run_and_with_any_number_of_threads) {
  const Outcome o = run({"analyze", recorded, "--format", "json", "--threads", "1"});
  EXPECT_EQ(o.exit_code, 0);
  const auto json = nlohmann::json::parse(o.out);
  EXPECT_EQ(json["format"], "waitstate");
  EXPECT_EQ(json["totals"]["messages"], 148);
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

TEST_F(Commands, the_ending_of_the_output_file_chooses_the_format) {
  for (const char* format : {"csv", "json"}) {
    const std::string file = folder / (std::string("r.") + format);
    EXPECT_EQ(run({"analyze", recorded, "-o", file}).exit_code, 0);
    EXPECT_EQ(content_of(file), run({"analyze", recorded, "--format", format}).out);
  }
  for (const auto& [ending, format] :
       {std::pair("dot", "dot"), std::pair("gv", "dot"), std::pair("graphml", "graphml")}) {
    const std::string file = folder / (std::string("g.") + ending);
    EXPECT_EQ(run({"graph", recorded, "-o", file}).exit_code, 0);
    EXPECT_EQ(content_of(file), run({"graph", recorded, "--format", format}).out);
  }
  EXPECT_EQ(run({"show", recorded, "-o", folder / "s.CSV"}).exit_code, 0);
  EXPECT_EQ(content_of(folder / "s.CSV"), content_of(folder / "r.csv"));
  EXPECT_EQ(run({"diff", recorded, recorded, "-o", folder / "d.json"}).exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(content_of(folder / "d.json"))["format"], "waitstate diff");
  EXPECT_EQ(run({"analyze", recorded, "-o", folder / "r.xml", "--format", "text"}).exit_code, 0) << "as asked for";
  EXPECT_EQ(run({"analyze", recorded, "-o", folder / "r.txt"}).exit_code, 0);
  EXPECT_EQ(content_of(folder / "r.txt").find("trace          "), 0u);
  EXPECT_EQ(run({"analyze", recorded, "-o", folder / "run.cubex"}).exit_code, 0);
  EXPECT_GT(content_of(folder / "run.cubex").size(), 10'000u);
  EXPECT_EQ(content_of(folder / "trace.stat").find("PatternName"), 0u);
}

TEST_F(Commands, a_report_shows_what_its_trace_shows) {
  const std::string json = folder / "r.json";
  ASSERT_EQ(run({"analyze", recorded, "-o", json}).exit_code, 0);
  for (const std::vector<std::string>& view : {std::vector<std::string>{},
                                               {"--full"},
                                               {"--format", "csv"},
                                               {"--metric", "time", "--by", "location"},
                                               {"--metric", "mpi_latesender"},
                                               {"--metric", "visits", "--by", "region", "--format", "csv"}}) {
    std::vector<std::string> of_report{"show", json}, of_trace{"show", recorded};
    of_report.insert(of_report.end(), view.begin(), view.end());
    of_trace.insert(of_trace.end(), view.begin(), view.end());
    const Outcome a = run(of_report), b = run(of_trace);
    EXPECT_EQ(a.exit_code, 0) << a.err;
    EXPECT_EQ(a.out, b.out);
    EXPECT_FALSE(a.out.empty());
  }
  EXPECT_EQ(run({"show", json}).out, run({"analyze", recorded}).out);
}

TEST_F(Commands, show_of_a_cube_report_has_the_same_numbers) {
  const std::string cube = folder / "r.cubex";
  ASSERT_EQ(run({"analyze", recorded, "-o", cube}).exit_code, 0);
  const std::vector<std::string> view{"--metric", "mpi_latesender", "--by", "location"};
  EXPECT_EQ(run({"show", cube, view[0], view[1], view[2], view[3]}).out,
            run({"show", recorded, view[0], view[1], view[2], view[3]}).out);
  // The long table of the summary leaves out no wait state, although the report does not contain who waited.
  const std::string of_trace = run({"show", recorded}).out, of_cube = run({"show", cube}).out;
  for (const char* wait : {"\n      mpi_barrier_wait", "\n      mpi_latesender ", "\n        mpi_latesender_wo",
                           "\n      mpi_latereceiver"}) {
    EXPECT_NE(of_trace.find(wait), std::string::npos) << of_trace;
    EXPECT_NE(of_cube.find(wait), std::string::npos) << of_cube;
  }
  EXPECT_NE(run({"diff", cube, recorded, "--metric", "time,mpi_latesender"}).out.find("The two are the same"),
            std::string::npos);
}

/// Name and amount of each problem, a line each.
std::string problems_in(const std::string& report) {
  std::istringstream lines(report);
  std::string found;
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 2 && line[0] >= '1' && line[0] <= '9' && line.substr(1, 2) == ". ")
      found += line.substr(0, line.find(" of the ")) + '\n';
  return found;
}

TEST_F(Commands, show_of_a_cube_report_finds_the_problems_of_its_trace) {
  for (const char* name : {"p2p", "coll", "omp_waits", "hybrid", "pthread_waits", "shmem_waits", "rma_waits",
                           "cuda_waits", "hybrid_waits"}) {
    const std::string of = std::string(WAITSTATE_TRACES) + "/" + name, cube = folder / (std::string(name) + ".cubex");
    ASSERT_EQ(run({"analyze", of, "-o", cube}).exit_code, 0);
    const std::string of_trace = problems_in(run({"analyze", of, "--top", "20"}).out);
    EXPECT_NE(of_trace, "") << name;
    EXPECT_EQ(problems_in(run({"show", cube, "--top", "20"}).out), of_trace) << name;
  }
}

// Numbers from traces/chain_…/MANIFEST.md.
TEST_F(Commands, the_summary_names_the_root_of_chains_that_are_known) {
  const auto summary = [&](const std::string& name) {
    std::string text =
        run({"analyze", std::string(WAITSTATE_TRACES) + "/chain_" + name, "--pattern", "all,critical_path,delay"}).out;
    for (std::size_t at = 0; (at = text.find("\n   ", at)) != std::string::npos;)
      text.replace(at, 4, " ");  // unwrapped
    return text.substr(0, text.find("\n2. "));
  };
  const auto says = [](const std::string& text, const std::string& what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  says(summary("three_hops"),
       "where rank 3 waited up to 24.02 ms in one call for rank 2, itself waiting for rank 1, itself waiting for rank "
       "0, "
       "which was in main/slow (83.3 % of the delay). So rank 2 is not the cause");
  says(summary("two_sources"),
       "where rank 2 waited up to 17.01 ms in one call for rank 1, itself waiting for rank 0, which was in main/slow "
       "(70.5 % of the delay); rank 1 was in main/extra (29.4 %). So rank 1 is not the only cause: look first at what "
       "rank 0 does in main/slow, then at what rank 1 does in main/extra.");
  says(summary("slack"),
       "where rank 2 waited up to 20.01 ms in one call for rank 1, which was in main/work (100 % of the delay).");
  const std::string costs = run({"analyze", std::string(WAITSTATE_TRACES) + "/chain_slack", "--pattern",
                                 "all,critical_path,delay", "--format", "csv"})
                                .out;
  EXPECT_NE(costs.find("delay_latesender,main/work,"), std::string::npos) << costs;
  for (std::size_t at = 0; (at = costs.find("delay", at)) != std::string::npos; ++at)
    EXPECT_EQ(costs.substr(at, costs.find('\n', at) - at).find("slow"), std::string::npos) << costs;
}

// The run is 20.13 ms long; its path has everything except the time before MPI_Init and after MPI_Finalize.
TEST_F(Commands, the_summary_has_the_length_of_the_critical_path) {
  const std::string of = std::string(WAITSTATE_TRACES) + "/chain_slack",
                    text = run({"analyze", of, "--pattern", "all,critical_path"}).out,
                    path = run({"print", of, "--critical-path"}).out;
  const auto number_behind = [](const std::string& in, const std::string& what) {
    const std::size_t at = in.find(what);
    EXPECT_NE(at, std::string::npos) << what << ": " << in;
    return at == std::string::npos ? 0. : std::stod(in.substr(at + what.size()));
  };
  const double length = number_behind(text, "\ncritical path  "), run_time = number_behind(text, "in a run of ");
  EXPECT_NEAR(length, number_behind(path, "# critical path: "), 1e-6);
  EXPECT_NEAR(run_time, 20.13, 1e-9);
  EXPECT_GT(length, 0.99 * run_time);
  EXPECT_LE(length, run_time);
  const std::string line = text.substr(text.find("\ncritical path "));
  EXPECT_NEAR(number_behind(line, " ms, "), 100 * length / run_time, 0.1);
  EXPECT_NEAR(number_behind(line, " % of the run of "), run_time, 1e-9);
  EXPECT_EQ(run({"analyze", of}).out.find("\ncritical path "), std::string::npos) << "was not asked for";
}

// trace.command: the arguments that begin a program, as a shell takes them.
TEST_F(Commands, the_command_of_the_run) {
  const std::string program = folder.file("command.txt",
                                          "0 0 program_begin \"/a b/prog\" args=(\"2\",\"it's\",\"\")\n"
                                          "0 1 enter main\n0 5 exit\n0 5 program_end status=0\n");
  const std::string command = "'/a b/prog' 2 'it'\\''s' ''";
  EXPECT_NE(run({"info", program}).out.find("\ncommand        " + command + "\n"), std::string::npos)
      << run({"info", program}).out;
  EXPECT_NE(run({"analyze", program, "--full"}).out.find("\ncommand        " + command + "\n"), std::string::npos);
  const std::string json = folder / "command.json";
  ASSERT_EQ(run({"analyze", program, "-o", json}).exit_code, 0);
  EXPECT_NE(run({"show", json, "--full"}).out.find("\ncommand        " + command + "\n"), std::string::npos);
  EXPECT_NE(run({"show", json, "--format", "json"}).out.find("\"command\":\"'/a b/prog' 2 'it'\\\\''s' ''\""),
            std::string::npos)
      << run({"show", json, "--format", "json"}).out.substr(0, 500);
}

TEST_F(Commands, explain_tells_a_factor_of_efficiency) {
  for (const char* id : {"parallel_efficiency", "load_balance", "communication_efficiency", "serialisation_efficiency",
                         "transfer_efficiency", "mpi_communication_efficiency", "mpi_load_balance",
                         "mpi_parallel_efficiency", "openmp_efficiency"}) {
    const Outcome o = run({"explain", id});
    EXPECT_EQ(o.exit_code, 0) << o.err;
    for (const char* part : {"\n  formula     ", "\n  unit        a share, 0 to 1", "\n  source      POP project"})
      EXPECT_NE(o.out.find(part), std::string::npos) << o.out;
  }
}

TEST_F(Commands, who_still_waits_when_the_trace_ends) {
  const std::string hung = folder.file("hung.txt",
                                       "0 0 enter main\n0 10 enter MPI_Recv\n"
                                       "1 0 enter main\n1 12 enter MPI_Recv\n");
  const std::string expected =
      "\nNever ended: 2 processes still wait in calls when the trace ends: rank 0 and rank 1 in\n"
      "main/MPI_Recv, the first since 0.000000010 s. No wait state includes that wait, since nothing in the\n"
      "trace ended it.\n";
  std::vector<std::string> reports{hung};
  for (const char* name : {"hung.json", "hung.cubex"}) {
    reports.push_back(folder / name);
    ASSERT_EQ(run({"analyze", hung, "-o", reports.back()}).exit_code, 0);
  }
  for (const std::string& report : reports) {
    const Outcome o = run({"show", report});
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_NE(o.out.find(expected), std::string::npos) << o.out;
    EXPECT_EQ(o.out.find("Nobody waited"), std::string::npos) << o.out;
  }
  const std::string json = content_of(reports[1]);
  EXPECT_NE(json.find("\"open_calls\": [\n  {\"location\":0,\"callpath\":1,\"region\":1,\"enter\":10,\"waits\":[]},\n"
                      "  {\"location\":1,\"callpath\":1,\"region\":1,\"enter\":12,\"waits\":[]}\n]"),
            std::string::npos)
      << json;
  // Not where it is not asked for.
  EXPECT_EQ(run({"analyze", hung, "--location", "0"}).out.find("rank 1 in main/MPI_Recv"), std::string::npos);
  EXPECT_EQ(run({"analyze", hung, "--time", "0", "0.000000009"}).out.find("Never ended"), std::string::npos);
}

TEST_F(Commands, only_a_part_of_the_run) {
  // Events at 0.002 s and later (3000200 - 100 ns is 0.00300 s): the wait from 1.0 to 0.00300 s is cut to its last ms.
  const Outcome o = run({"analyze", trace, "--time", "0.002", "0.0035", "--format", "csv"});
  EXPECT_NE(o.out.find("\nmpi_latesender,main/MPI_Recv,1,0.001\n"), std::string::npos) << o.out;
  const Outcome one = run({"analyze", trace, "--location", "0-0", "--format", "csv"});
  EXPECT_EQ(one.out.find(",1,"), std::string::npos) << one.out;
  EXPECT_NE(one.out.find("time,main,0,"), std::string::npos) << one.out;
  const Outcome inside = run({"analyze", trace, "--region", "MPI_Recv", "--format", "csv"});
  EXPECT_EQ(inside.out.find("time,main,"), std::string::npos) << inside.out;
  EXPECT_NE(inside.out.find("mpi_latesender,main/MPI_Recv,1,0.002\n"), std::string::npos) << inside.out;
}

TEST_F(Commands, top_may_be_none) {
  for (const char* command : {"analyze", "show"})
    EXPECT_NE(run({command, recorded, "--top", "0"}).out.find("\n   and 3 more (--top 3)\n"), std::string::npos)
        << command;
}

TEST_F(Commands, only_some_patterns) {
  const Outcome o = run({"analyze", recorded, "--pattern", "mpi_latesender", "--format", "csv"});
  EXPECT_NE(o.out.find("\nmpi_latesender,"), std::string::npos);
  EXPECT_EQ(o.out.find("\nmpi_barrier_wait,"), std::string::npos);
  EXPECT_EQ(run({"check", recorded, "--fail-on", "mpi_barrier_wait>50%"}).exit_code, 0);
}

TEST_F(Commands, where_not_all_patterns_ran_the_report_says_so_instead_of_that_nobody_waited) {
  for (const char* report : {"few.json", "few.cubex"}) {
    ASSERT_EQ(run({"analyze", recorded, "--pattern", "mpi_earlyscan", "-o", folder / report}).exit_code, 0);
    const Outcome o = run({"show", folder / report});
    EXPECT_EQ(o.out.find("Nobody waited"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("\npatterns       only mpi_earlyscan\n"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("\nNo wait state was found. Only mpi_earlyscan was looked for. The time goes to"),
              std::string::npos)
        << o.out;
  }
  EXPECT_EQ(run({"graph", folder / "few.json"}).out,
            "Nobody was found to have waited for anybody. Only mpi_earlyscan was looked for.\n");
  for (const char* command : {"show", "graph"}) {
    const Outcome o = run({command, folder / "few.json", "--metric", "mpi_latesender"});
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_NE(
        o.err.find("traces.otf2 does not say anything about 'mpi_latesender': it was not analysed; for that, give "
                   "the trace with --pattern mpi_latesender\n"),
        std::string::npos)
        << o.err;
    EXPECT_EQ(run({command, folder / "few.json", "--metric", "xyzzy"}).err,
              "waitstate: error: no metric has the id 'xyzzy'; 'waitstate patterns' lists them\n");
    EXPECT_NE(run({command, recorded, "--metric", "mpi_latesendr"}).err.find("did you mean 'mpi_latesender'?"),
              std::string::npos);
  }
  const std::string most = folder / "most.json";
  const std::string left_out = "mpi_latesender,mpi_barrier_wait,mpi_latereceiver";
  ASSERT_EQ(run({"analyze", recorded, "--without", left_out, "-o", most}).exit_code, 0);
  const std::string text = run({"show", most}).out;
  EXPECT_NE(text.find("\npatterns       all but mpi_barrier_wait, mpi_latesender,"), std::string::npos) << text;
  EXPECT_NE(text.find(" were not looked for."), std::string::npos) << text;
  EXPECT_NE(run({"graph", most}).out.find(" were not looked for."), std::string::npos);
  EXPECT_EQ(run({"analyze", recorded}).out.find("looked for."), std::string::npos);
  const std::string whole = run({"graph", recorded}).out;
  EXPECT_EQ(whole.find("looked for."), std::string::npos);
  EXPECT_NE(whole.find("in p2p/main/persistent_halo/nap at p2p.c:7 (40.2 % of it)"), std::string::npos) << whole;
}

TEST_F(Commands, an_option_with_a_value_leaves_the_trace_behind_it_alone) {
  const std::string expected = run({"analyze", trace, "--format", "csv"}).out;
  for (const std::vector<std::string>& option : {std::vector<std::string>{"--set", "big_messages.threshold=65536"},
                                                 {"--without", "mpi_earlyscan"},
                                                 {"--location", "0-1"}})
    EXPECT_EQ(run({"analyze", option[0], option[1], trace, "--format", "csv"}).out, expected) << option[0];
}

TEST_F(Commands, gates_decide_the_exit_code) {
  const Outcome fails = run({"check", trace, "--fail-on", "mpi_latesender>20%", "--fail-on", "visits>1000"});
  EXPECT_EQ(fails.exit_code, 1);
  EXPECT_EQ(fails.err, "");
  EXPECT_EQ(fails.out, R"(gate                value  verdict
mpi_latesender>20%   25 %  fails
visits>1000             4  ok
1 of 2 gates fails.
)");
  EXPECT_EQ(run({"check", trace, "--fail-on", "mpi_latesender>30%"}).exit_code, 0);
  EXPECT_EQ(run({"check", trace, "--fail-on", "mpi_latesnder>30%"}).exit_code, 2);
  const Outcome unknown =
      run({"check", std::string(WAITSTATE_TRACES) + "/eztrace_lammps", "--fail-on", "mpi_latesender>30%"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("6,520 of 6,520 non-blocking receives without a completion"), std::string::npos)
      << unknown.err;
}

TEST_F(Commands, gates_have_shares_with_and_without_MPI_Init) {
  const Outcome o = run({"check", recorded, "--fail-on", "mpi_latesender>20%", "--fail-on", "mpi_latesender@whole>20%",
                         "--fail-on", "time>1s", "--fail-on", "time@without_init_exit>1s"});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.out, R"(gate                          value  verdict
mpi_latesender>20%          31.19 %  fails
mpi_latesender@whole>20%    13.27 %  ok
time>1s                     2.059 s  fails
time@without_init_exit>1s  876.4 ms  ok
2 of 4 gates fail.
Shares are of the time without MPI_Init and MPI_Finalize; METRIC@whole is the share of the total
time.
)");
  EXPECT_NE(run({"analyze", recorded}).out.find("\n1. Late Sender (mpi_latesender): 273.3 ms, 31.2 % of the time."),
            std::string::npos)
      << "a limit can be read off the summary";
  for (const char* command : {"check", "diff"}) {
    const std::string help = run({command, "--help"}).out;
    EXPECT_NE(help.find("without MPI_Init and MPI_Finalize"), std::string::npos) << help;
    EXPECT_NE(help.find("METRIC@whole"), std::string::npos) << help;
  }
  const auto json = nlohmann::json::parse(
      run({"diff", recorded, recorded, "--format", "json", "--fail-on", "mpi_latesender>50%", "--fail-on", "time>9s"})
          .out);
  EXPECT_EQ(json["gates"][0]["conditions"][0]["base"], "without_init_exit");
  EXPECT_EQ(json["gates"][1]["conditions"][0]["base"], "whole");
}

TEST_F(Commands, gates_on_the_efficiency_as_the_summary_has_it) {
  EXPECT_NE(run({"analyze", recorded}).out.find("\nefficiency     parallel 47.8 % "), std::string::npos);
  const Outcome o = run({"check", recorded, "--fail-on", "parallel_efficiency<50%", "--fail-on",
                         "communication_efficiency<0.5", "--fail-on", "parallel_efficiency@whole<50%"});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.out, R"(gate                             value  verdict
parallel_efficiency<50%        47.85 %  fails
communication_efficiency<0.5    0.5789  ok
parallel_efficiency@whole<50%  20.16 %  fails
2 of 3 gates fail.
)");
}

TEST_F(Commands, commands_that_analyse_a_trace_have_the_options_of_analyze) {
  const std::string json = folder / "part.json", plugin = WAITSTATE_TEST_PLUGINS "/libhuge_messages.so",
                    config = folder.file("c.json", R"({"without": ["mpi_barrier_wait"]})");
  const std::vector<std::vector<std::string>> choices = {{"--region", "master_worker"},
                                                         {"--time", "0.3", "0.5"},
                                                         {"--location", "0-1"},
                                                         {"--pattern", "mpi_latesender"},
                                                         {"--without", "mpi_latereceiver"},
                                                         {"--config", config},
                                                         {"--set", "huge_messages.threshold=9", "--plugin", plugin}};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  const std::string gate = "mpi_latesender>0.01s";
  const std::string all = run({"show", recorded, "--format", "json"}).out;
  for (const std::vector<std::string>& choice : choices) {
    ASSERT_EQ(run(with({"analyze", recorded, "-o", json}, choice)).exit_code, 0) << choice[0];
    EXPECT_EQ(run(with({"show", recorded, "--format", "json"}, choice)).out, content_of(json)) << choice[0];
    EXPECT_NE(content_of(json), all) << choice[0];
    for (const std::vector<std::string>& command : {std::vector<std::string>{"graph"},
                                                    {"check", "--fail-on", gate},
                                                    {"show", "--metric", "mpi_latesender"},
                                                    {"export", "--format", "folded"}}) {
      const Outcome of_report = run(with(command, {json})), of_trace = run(with(with(command, {recorded}), choice));
      EXPECT_EQ(of_trace.err, of_report.err) << command[0] << choice[0];
      EXPECT_EQ(of_trace.out, of_report.out) << command[0] << choice[0];
      EXPECT_EQ(of_trace.exit_code, of_report.exit_code) << command[0] << choice[0];
    }
    EXPECT_NE(
        run(with({"diff", json, recorded}, choice)).out.find("The two are the same in all metrics and call paths"),
        std::string::npos)
        << choice[0];
    const Outcome refused = run(with({"show", json}, choice));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.err, "waitstate: error: " + choice[0] + " changes how a trace is analysed, but " + json +
                               " is a report: give a trace, or leave the option out\n");
  }
  EXPECT_EQ(run({"diff", json, json, "--region", "main"}).err,
            "waitstate: error: --region changes how a trace is analysed, but " + json + " and " + json +
                " are reports: give a trace, or leave the option out\n");
}

TEST_F(Commands, analyze_judges_as_check_does) {
  const std::vector<std::string> gates = {"--fail-on", "mpi_latesender>20%", "--fail-on", "visits>1000"};
  const auto with_gates = [&](std::vector<std::string> words) {
    words.insert(words.end(), gates.begin(), gates.end());
    return run(words);
  };
  const std::string verdicts = with_gates({"check", trace}).out, report = run({"analyze", trace}).out;
  Outcome o = with_gates({"analyze", trace});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out, report + "\n" + verdicts);
  const std::string json = folder / "r.json";
  o = with_gates({"analyze", trace, "-o", json});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.out, verdicts);
  EXPECT_EQ(content_of(json), run({"analyze", trace, "--format", "json"}).out);
  o = with_gates({"analyze", trace, "--format", "json"});
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.out, content_of(json));
  EXPECT_EQ(o.err, "waitstate: error: gate 'mpi_latesender>20%' fails: 25 %\n");
  EXPECT_EQ(run({"analyze", trace, "--fail-on", "mpi_latesender>30%"}).exit_code, 0);
  o = run({"analyze", trace, "--fail-on", "mpi_latesnder>30%"});
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_TRUE(o.out.starts_with(report)) << "which cost the time";
  EXPECT_NE(o.out.find("mpi_latesnder>30%      -  undecided\n"), std::string::npos) << o.out;
  EXPECT_EQ(
      run({"analyze", trace, "--fail-on", "time>+5%"}).err,
      "waitstate: error: gate 'time>+5%' is about growth, which takes two reports: use 'waitstate diff', or leave "
      "the sign out\n");
}

TEST_F(Commands, verdicts_are_written_for_programs) {
  const std::string json = folder / "gates.json", xml = folder / "gates.xml", report = folder / "r.json";
  const std::vector<std::string> gates = {"--fail-on", "mpi_latesender>20%", "--fail-on", "xyzzy>1"};
  const auto verdicts_of = [&](std::vector<std::string> words) {
    words.insert(words.end(), gates.begin(), gates.end());
    words.insert(words.end(), {"--verdicts", json});
    const Outcome o = run(words);
    EXPECT_EQ(o.exit_code, 2) << words[0];
    EXPECT_EQ(o.err, "waitstate: error: gate 'xyzzy>1': no metric has the id 'xyzzy'\n") << words[0];
    return nlohmann::json::parse(content_of(json));
  };
  const auto check = verdicts_of({"check", trace});
  EXPECT_EQ(check["gates"][0]["verdict"], "failed");
  EXPECT_EQ(check["gates"][0]["conditions"][0]["value"], 0.25);
  EXPECT_EQ(check["gates"][1]["verdict"], "undecided");
  EXPECT_EQ(verdicts_of({"analyze", trace}), check);
  EXPECT_EQ(verdicts_of({"diff", trace, trace})["gates"], check["gates"]);
  EXPECT_EQ(run({"check", trace, "--fail-on", "visits>1", "--verdicts", xml}).exit_code, 1);
  EXPECT_NE(content_of(xml).find("<failure message="), std::string::npos) << content_of(xml);

  const auto complaint = [&](std::vector<std::string> words) {
    const Outcome o = run(words);
    EXPECT_EQ(o.exit_code, 2);
    return o.err;
  };
  EXPECT_EQ(complaint({"analyze", trace, "--verdicts", json}),
            "waitstate: error: --verdicts " + json + ": there is no gate to judge: give --fail-on too\n");
  const std::string text = folder / "gates.txt";
  EXPECT_EQ(
      complaint({"check", trace, "--fail-on", "visits>1", "--verdicts", text}),
      "waitstate: error: --verdicts " + text + ": expected a file whose name ends in .json, or in .xml for JUnit\n");
  EXPECT_EQ(complaint({"analyze", trace, "--fail-on", "visits>1", "-o", report, "--verdicts", report}),
            "waitstate: error: cannot write " + report + ": two options name this file; give different names\n");
  ASSERT_EQ(run({"analyze", trace, "-o", report}).exit_code, 0);
  EXPECT_EQ(complaint({"check", report, "--fail-on", "visits>1", "--verdicts", report}),
            "waitstate: error: cannot write " + report + ": it is an input of this command; give another name\n");
}

TEST_F(Commands, a_time_beyond_the_run_is_an_error) {
  const auto refused = [&](std::vector<std::string> words, const std::string& chosen) {
    const Outcome o = run(words);
    EXPECT_EQ(o.exit_code, 2) << words[0];
    EXPECT_EQ(o.out, "") << words[0];
    EXPECT_EQ(o.err, "waitstate: error: the chosen time, " + chosen +
                         " after the first event, lies outside of the run, which is 0.004000000 s long (ticks 100 to "
                         "4000100)\n");
  };
  for (const char* command : {"analyze", "show", "graph", "print"})
    refused({command, trace, "--time", "5", "6"}, "from 5 s to 6 s");
  refused({"print", trace, "--epochs", "--time", "0.00400001", "6"}, "from 0.00400001 s to 6 s");
  refused({"check", trace, "--fail-on", "time>1s", "--time", "1", "inf"}, "from 1 s on");
  refused({"diff", trace, trace, "--time", "1", "2"}, "from 1 s to 2 s");
  EXPECT_EQ(run({"analyze", trace, "--time", "0.004", "6"}).exit_code, 0) << "the last event is at its beginning";
  EXPECT_EQ(run({"print", trace, "--time", "0.004", "6", "--no-definitions"}).out,
            "0 4000100 exit main\n1 4000100 exit main\n");
}

/// A copy of the recorded trace in which rank 2 ends in the middle.
std::string cut_off(const TemporaryFolder& folder, const std::string& recorded) {
  const std::filesystem::path copy = folder / "cut";
  std::filesystem::copy(recorded, copy, std::filesystem::copy_options::recursive);
  const std::filesystem::path events = copy / "traces/2.evt";
  std::filesystem::resize_file(events, std::filesystem::file_size(events) / 2);
  return copy.string();
}

TEST_F(Commands, every_report_of_a_trace_without_an_end_says_so) {
  const std::string cut = cut_off(folder, recorded), json = folder / "cut.json", cube = folder / "cut.cubex";
  ASSERT_EQ(run({"analyze", cut, "-o", json}).exit_code, 0);
  ASSERT_EQ(run({"analyze", cut, "-o", cube}).exit_code, 0);
  const std::string missing = "rank 2 from 0.414156 s on";
  for (const std::string& report : {cut, json, cube})
    for (const std::vector<std::string>& option : {std::vector<std::string>{}, {"--full"}}) {
      std::vector<std::string> arguments{"show", report};
      arguments.insert(arguments.end(), option.begin(), option.end());
      const std::string text = run(arguments).out;
      EXPECT_NE(text.find("\nmissing        the events of " + missing + "; the"), std::string::npos) << text;
      EXPECT_NE(text.find("\ntotal time     at least 1.953 s in all locations together"), std::string::npos) << text;
      EXPECT_NE(text.find("for the 3 processes whose events are complete\n"), std::string::npos) << text;
      EXPECT_NE(text.find("location whose events end early"), std::string::npos) << text;
      EXPECT_EQ(text.find("does not say whether"), std::string::npos) << text;
    }
  EXPECT_EQ(nlohmann::json::parse(content_of(json))["missing_locations"][0]["location"], 2);
  for (const std::string& report : {cut, json, cube}) {
    EXPECT_NE(run({"show", report, "--metric", "time"}).out.find("\nMissing: the events of " + missing + "; the"),
              std::string::npos);
    const Outcome gate = run({"check", report, "--fail-on", "mpi_latesender>0.1s"});
    EXPECT_EQ(gate.exit_code, 1);
    EXPECT_NE(gate.out.find("at least 213.1 ms  fails\n"), std::string::npos) << gate.out;
    EXPECT_NE(gate.out.find("\nMissing: the events of " + missing + "; the"), std::string::npos) << gate.out;
    EXPECT_EQ(run({"check", report, "--fail-on", "mpi_latesender>1%"}).exit_code, 2) << "of how much is not known";
  }
  EXPECT_NE(run({"graph", json}).out.find("\n  Missing: the events of " + missing + "; the"), std::string::npos);
  const std::string diff = run({"diff", json, cut}).out;  // a long line, broken somewhere
  EXPECT_NE(diff.find("missing are"), std::string::npos) << diff;
  EXPECT_NE(diff.find("The two are the same in all metrics and call paths, as far as that is known."),
            std::string::npos)
      << diff;
}

TEST_F(Commands, tables_that_cannot_say_what_is_missing_come_with_a_note) {
  const std::string open =
                        folder.file("open.txt",
                                    "0 1 enter MPI_Recv\n0 2 recv src=1 tag=7 com=0 len=8\n0 3 exit\n1 5 enter main\n"
                                    "1 9 exit\n"),
                    json = folder / "open.json";
  ASSERT_EQ(run({"analyze", open, "-o", json}).exit_code, 0);
  const std::string note =
      "waitstate: note: " + open +
      ": some values of the table are only lower bounds:\n"
      "  mpi_latesender: 1 of 1 receive without a send in the trace: it is not known whether the sender was late\n";
  EXPECT_EQ(run({"analyze", open, "--format", "csv"}).err, note);
  EXPECT_EQ(run({"analyze", open, "-o", folder / "open.csv"}).err, note);
  EXPECT_EQ(run({"show", json, "--format", "csv"}).err, note);
  EXPECT_EQ(run({"show", json, "--format", "csv", "--metric", "mpi_latesender"}).err, note);
  EXPECT_EQ(run({"show", json, "--format", "csv", "--metric", "time"}).err, "");
  EXPECT_EQ(run({"diff", trace, json, "--format", "csv"}).err, note);
  EXPECT_EQ(run({"diff", trace, json, "--format", "csv", "--metric", "time"}).err, "");
}

TEST_F(Commands, explain_tells_a_counter_of_a_trace) {
  const std::string counted = folder.file("counted.txt", R"(clock resolution=1000
metric_member 0 name=CYCLES description="Total cycles" unit="#" value=uint64
metric 0 members=(0)
0 1 enter main
0 1 metric metric=0 values=(uint64:5)
0 9 metric metric=0 values=(uint64:95)
0 9 exit
)");
  const Outcome o = run({"explain", "CYCLES", "--in", counted});
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_NE(o.out.find("CYCLES\n\nTotal cycles: differences of recorded values"), std::string::npos) << o.out;
  EXPECT_NE(
      o.out.find("\nrecorded    a number that only grows\nunit        count\nvalues      1 value, from 90 to 90\n"),
      std::string::npos)
      << o.out;
  EXPECT_NE(run({"explain", "CYCLES"}).err.find("For a counter of a trace, add --in TRACE"), std::string::npos);
  EXPECT_NE(run({"explain", "CYCLE", "--in", counted}).err.find("did you mean 'CYCLES'"), std::string::npos);
  EXPECT_NE(run({"explain", "CYCLES", "--in", (folder.path() / "none").string()}).err.find("no such file or folder"),
            std::string::npos);
}

TEST_F(Commands, no_report_says_that_nothing_is_missing_beside_what_it_cannot_tell) {
  const std::string traces = WAITSTATE_TRACES;
  const std::string open = folder.file(
      "open.txt", "0 1 enter main\n0 5 enter MPI_Barrier\n0 9 exit\n0 19 exit\n1 1 enter main\n1 19 exit\n");
  std::size_t questions = 0;
  for (const std::string& report : {recorded, open, traces + "/eztrace_late", traces + "/rma", traces + "/hybrid"})
    for (const std::vector<std::string>& option : {std::vector<std::string>{},
                                                   {"--full"},
                                                   {"--location", "1"},
                                                   {"--time", "0", "0.1"},
                                                   {"--pattern", "mpi_latesender"},
                                                   {"--pattern", "mpi_barrier_wait", "--full"},
                                                   {"--without", "mpi_latesender,costs"}}) {
      std::vector<std::string> arguments{"analyze", report};
      arguments.insert(arguments.end(), option.begin(), option.end());
      const std::string text = run(arguments).out;
      const bool open_question = text.find("Unknown in") != std::string::npos;
      questions += open_question;
      EXPECT_FALSE(open_question && text.find("Nothing is missing") != std::string::npos) << text;
      const bool some = text.find("\npatterns ") != std::string::npos;
      EXPECT_FALSE(some && text.find("Nothing is missing") != std::string::npos) << text;
    }
  EXPECT_GT(questions, 7u);
  const std::string text = run({"analyze", open}).out;
  EXPECT_NE(
      text.find("Unknown in this trace\n  mpi_barrier_wait, mpi_barrier_completion: MPI_Barrier is called, "
                "but the trace has no record of a\n  collective operation\n\nThis trace is not damaged and has no "
                "anomalies: what is unknown was never recorded.\n"),
      std::string::npos)
      << text;
  EXPECT_NE(run({"info", open}).out.find("Unknown in this trace\n"), std::string::npos);
}

TEST_F(Commands, of_a_part_of_the_run_no_report_speaks_as_of_all) {
  const std::string one = folder / "one.json", inside = folder / "inside.json";
  ASSERT_EQ(run({"analyze", recorded, "--location", "1", "-o", one}).exit_code, 0);
  ASSERT_EQ(run({"analyze", recorded, "--region", "MPI_Init", "-o", inside}).exit_code, 0);
  const std::string text = run({"show", one}).out, nobody = run({"show", inside}).out;
  EXPECT_NE(text.find("520.2 ms on rank 1, in a run of 520.3 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("\nefficiency     unknown: only one location was chosen\n"), std::string::npos) << text;
  EXPECT_NE(nobody.find("only about what happens inside MPI_Init."), std::string::npos) << nobody;
  const std::string about = "This is only about what happens on rank 1.\n";
  EXPECT_NE(run({"graph", one}).out.find(about), std::string::npos);
  EXPECT_NE(run({"show", one, "--metric", "time"}).out.find(about), std::string::npos);
  EXPECT_NE(run({"check", one, "--fail-on", "time>9s"}).out.find(about), std::string::npos);
}

TEST_F(Commands, what_a_gate_cannot_judge_on_a_trace_it_cannot_judge_on_its_reports) {
  const std::string open = folder.file(
      "open.txt", "0 1 enter MPI_Recv\n0 2 recv src=1 tag=7 com=0 len=8\n0 3 exit\n1 5 enter main\n1 9 exit\n");
  const std::string cube = folder / "open.cubex", json = folder / "open.json", of_cube = folder / "of_cube.json";
  ASSERT_EQ(run({"analyze", open, "-o", cube}).exit_code, 0);
  ASSERT_EQ(run({"analyze", open, "-o", json}).exit_code, 0);
  ASSERT_EQ(run({"show", cube, "--format", "json", "-o", of_cube}).exit_code, 0);
  for (const std::string& report : {open, cube, json, of_cube}) {
    const Outcome o = run({"check", report, "--fail-on", "mpi_latesender>10%"});
    EXPECT_EQ(o.exit_code, 2) << report;
    EXPECT_NE(o.err.find("1 of 1 receive without a send in the trace"), std::string::npos) << o.err;
  }
}

TEST_F(Commands, diff_guards_growth) {
  std::string later = late_sender;
  for (const auto& [from, to] :
       {std::pair("0 3000100 enter", "0 3500100 enter"), std::pair("0 3000200", "0 3500200"),
        std::pair("0 3000300", "0 3500300"), std::pair("1 3000400", "1 3500400"), std::pair("1 3000500", "1 3500500")})
    later.replace(later.find(from), std::string(from).size(), to);
  const std::string slower = folder.file("later.txt", later);
  const Outcome o =
      run({"diff", trace, slower, "--fail-on", "mpi_latesender>+20%", "--fail-on", "mpi_latesender>+30%"});
  EXPECT_EQ(o.exit_code, 1);  // 2 ms have become 0.00250 s
  EXPECT_NE(o.out.find("mpi_latesender>+20%  +25 %  fails\nmpi_latesender>+30%  +25 %  ok\n"), std::string::npos)
      << o.out;
  EXPECT_NE(o.out.find("+25.0 %  mpi_latesender"), std::string::npos) << o.out;
  EXPECT_EQ(run({"diff", trace, slower}).exit_code, 0) << "without gates nothing fails";
  const Outcome csv = run({"diff", trace, slower, "--format", "csv", "--fail-on", "mpi_latesender>+20%"});
  EXPECT_EQ(csv.exit_code, 1);
  EXPECT_EQ(csv.err, "waitstate: error: gate 'mpi_latesender>+20%' fails: +25 %\n");
  EXPECT_EQ(nlohmann::json::parse(run({"diff", trace, slower, "--format", "json"}).out)["format"], "waitstate diff");
}

TEST_F(Commands, graph) {
  const Outcome text = run({"graph", trace, "--metric", "mpi_latesender"});
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_NE(text.out.find("rank 0 made"), std::string::npos) << text.out;
  EXPECT_EQ(run({"graph", trace, "--format", "dot"}).out.find("digraph"), 0u);
  EXPECT_EQ(run({"graph", trace, "--format", "graphml", "--by", "location"}).out.find("<?xml"), 0u);
}

// A message that is sent 20 ticks after its receiver came for it: the receiver's end is back on the sender's path.
TEST_F(Commands, graph_of_dependencies) {
  const std::string late = folder.file("late.txt", R"(0 0 enter main
0 30 enter MPI_Send
0 31 send dest=1 tag=1 com=0 len=8
0 32 exit
0 40 exit
1 0 enter main
1 10 enter MPI_Recv
1 33 recv src=0 tag=1 com=0 len=8
1 35 exit
1 50 exit
)");
  EXPECT_EQ(run({"graph", late, "--dependencies", "--format", "dot"}).out, R"(digraph G {
label="dependencies between records; bold: waits, red: the critical path";
rankdir=LR;
node [shape=box];
subgraph cluster_0 {
label="rank 0";
0 [label="begin
0 s", kind=begin, seconds=0, wait_ticks=0, critical=true, color=red];
4 [label="MPI_Send
3.1e-08 s", kind=send, seconds=3.1e-08, wait_ticks=0, critical=true, color=red];
1 [label="end
4e-08 s", kind=end, seconds=4e-08, wait_ticks=0];
}
subgraph cluster_1 {
label="rank 1";
2 [label="begin
0 s", kind=begin, seconds=0, wait_ticks=0];
5 [label="MPI_Recv
3.3e-08 s", kind=receive, seconds=3.3e-08, wait_ticks=20, critical=true, color=red];
3 [label="end
5e-08 s", kind=end, seconds=5e-08, wait_ticks=0, critical=true, color=red];
}
4->5 [kind=message, ticks=2, label="waited 20.00 ns", awaited=true, style=bold, constraint=false, critical=true, color=red];
0->4 [kind=work, ticks=31, critical=true, color=red];
4->1 [kind=work, ticks=9];
2->5 [kind=work, ticks=33];
5->3 [kind=work, ticks=17, critical=true, color=red];
}
)");
  const Outcome graphml = run({"graph", late, "--dependencies", "--format", "graphml"});
  EXPECT_EQ(graphml.exit_code, 0) << graphml.err;
  EXPECT_EQ(graphml.out.find("<?xml"), 0u);
  EXPECT_NE(graphml.out.find("    <edge id=\"e0\" source=\"n4\" target=\"n5\">\n"
                             "      <data key=\"key6\">message</data>\n      <data key=\"key7\">2</data>\n"
                             "      <data key=\"key8\">true</data>\n      <data key=\"key9\">true</data>\n"),
            std::string::npos)
      << graphml.out;
}

// A team of two from 10 to 64. Thread 1 begins at 15 and comes to the barrier at 60, where thread 0 waits since 30: so
// the path goes over the fork and thread 1, which is idle before and after.
TEST_F(Commands, graph_of_dependencies_has_teams) {
  const std::string team = folder.file("team.txt", R"(region 0 name=main
region 1 name="!$omp parallel @a.c:1" role=parallel paradigm=openmp
region 2 name=work
region 3 name="!$omp implicit barrier @a.c:3" role=implicit_barrier paradigm=openmp
process 0
location 0 process=0
location 1 process=0
comm 0 paradigm=openmp members=(0,1)
0 0 enter main
0 10 thread_fork paradigm=openmp requested=2
0 10 thread_team_begin team=0
0 10 enter #1
0 10 enter work
0 30 exit
0 30 enter #3
0 62 exit
0 62 exit
0 62 thread_team_end team=0
0 64 thread_join paradigm=openmp
0 100 exit
1 15 thread_team_begin team=0
1 15 enter #1
1 15 enter work
1 60 exit
1 60 enter #3
1 61 exit
1 61 exit
1 61 thread_team_end team=0
)");
  EXPECT_EQ(run({"graph", team, "--dependencies", "--format", "dot"}).out, R"(digraph G {
label="dependencies between records; bold: waits, red: the critical path";
rankdir=LR;
node [shape=box];
subgraph cluster_0 {
label="process 0 thread 0";
0 [label="begin
0 s", kind=begin, seconds=0, wait_ticks=0, critical=true, color=red];
5 [label="!$omp parallel @a.c:1
1e-08 s", kind=fork, seconds=1e-08, wait_ticks=0, critical=true, color=red];
7 [label="!$omp implicit barrier @a.c:3
3e-08 s", kind=arrival, seconds=3e-08, wait_ticks=0];
8 [label="!$omp implicit barrier @a.c:3
6.2e-08 s", kind=departure, seconds=6.2e-08, wait_ticks=30, critical=true, color=red];
4 [label="join
6.4e-08 s", kind=join, seconds=6.4e-08, wait_ticks=0, critical=true, color=red];
1 [label="end
1e-07 s", kind=end, seconds=1e-07, wait_ticks=0, critical=true, color=red];
}
subgraph cluster_1 {
label="process 0 thread 1";
2 [label="begin
1.5e-08 s", kind=begin, seconds=1.5e-08, wait_ticks=0];
6 [label="!$omp parallel @a.c:1
1.5e-08 s", kind=fork, seconds=1.5e-08, wait_ticks=0, critical=true, color=red];
9 [label="!$omp implicit barrier @a.c:3
6e-08 s", kind=arrival, seconds=6e-08, wait_ticks=0, critical=true, color=red];
10 [label="!$omp implicit barrier @a.c:3
6.1e-08 s", kind=departure, seconds=6.1e-08, wait_ticks=0];
3 [label="end
6.1e-08 s", kind=end, seconds=6.1e-08, wait_ticks=0];
}
5->6 [kind=fork, ticks=5, awaited=true, style=bold, constraint=false, critical=true, color=red];
9->8 [kind=team_barrier, ticks=2, label="waited 30.00 ns", awaited=true, style=bold, constraint=false, critical=true, color=red];
0->5 [kind=work, ticks=10, critical=true, color=red];
5->7 [kind=work, ticks=20];
7->8 [kind=work, ticks=32];
8->4 [kind=work, ticks=2, critical=true, color=red];
4->1 [kind=work, ticks=36, critical=true, color=red];
2->6 [kind=idle, ticks=0, style=dotted];
6->9 [kind=work, ticks=45, critical=true, color=red];
9->10 [kind=work, ticks=1];
10->3 [kind=idle, ticks=0, style=dotted];
}
)");
}

// Rank 0 is slow by 90; rank 1 waits for it, and rank 2 for rank 1.
TEST_F(Commands, chains_lead_to_the_cause) {
  const std::string hops = folder.file("hops.txt", R"(0 0 enter main
0 0 enter slow
0 90 exit
0 90 enter MPI_Send
0 91 send dest=1 tag=1 com=0 len=8
0 91 exit
0 110 exit
1 0 enter main
1 0 enter MPI_Recv
1 91 recv src=0 tag=1 com=0 len=8
1 91 exit
1 91 enter MPI_Send
1 92 send dest=2 tag=1 com=0 len=8
1 92 exit
1 110 exit
2 0 enter main
2 0 enter MPI_Recv
2 92 recv src=1 tag=1 com=0 len=8
2 92 exit
2 120 exit
)");
  const std::string why = R"(mpi_latesender 1  at 0.000000000 s
  1. rank 2 waited 91.00 ns in main/MPI_Recv (entered at 0.000000000 s) for rank 1: a message
  2. rank 1 waited 90.00 ns in main/MPI_Recv (entered at 0.000000000 s) for rank 0: a message;
     98.9 % of the first wait goes through here
     rank 0, which was in main/slow (98.9 % of the delay); it spent 90.00 ns more there than rank 1.
)";
  EXPECT_EQ(run({"show", hops, "--why", "mpi_latesender"}).out, why);
  const std::string report = folder / "hops.json";
  EXPECT_EQ(run({"analyze", hops, "--pattern", "all,critical_path", "-o", report}).exit_code, 0);
  EXPECT_EQ(run({"show", report, "--why", "mpi_latesender:1"}).out, why) << "the same of a report";
  const nlohmann::json steps =
      nlohmann::json::parse(run({"show", report, "--why", "mpi_latesender", "--format", "json"}).out);
  EXPECT_EQ(steps["steps"].size(), 2u);
  EXPECT_EQ(steps["root"]["callpath"], "main/slow");
  EXPECT_EQ(steps["end"], "work");
  std::string summary = run({"show", report}).out;
  for (std::size_t at = 0; (at = summary.find("\n   ")) != std::string::npos;)
    summary.replace(at, 4, " ");  // unwrapped
  EXPECT_NE(
      summary.find("for rank 1, itself waiting for rank 0, which was in main/slow (98.9 % of the delay). So rank 1 is "
                   "not the cause: look first at what rank 0 does in main/slow.\n"),
      std::string::npos)
      << summary;
  EXPECT_EQ(run({"graph", report, "--chains"}).out.substr(0, why.size()), why);
  EXPECT_EQ(run({"graph", report, "--chains", "--format", "dot"}).out, R"(digraph G {
label="causes of the most severe waits: an arrow points to the reason; bold: the waits, red: the causes";
rankdir=LR;
node [shape=box];
0 [label="rank 2
91.00 ns waited in
main/MPI_Recv", kind=wait, ticks=91, style=bold];
1 [label="rank 1
90.00 ns waited in
main/MPI_Recv", kind=wait, ticks=90, style=bold];
2 [label="rank 0
90.00 ns longer in
main/slow", kind=cause, ticks=90, color=red];
0->1 [label="99 %", crossing=late_sender, share=0.989011];
1->2 [label="100 %", crossing=late_sender, share=1];
}
)");
  EXPECT_EQ(run({"print", hops, "--critical-path"}).out,
            R"(# critical path: 120.0 ns of the run's 120.0 ns, in 3 segments
# location           from             to    counts  most of it  in call path; reached by
rank 0      0.000000000 s  0.000000090 s  90.00 ns    90.00 ns  main/slow
rank 1      0.000000090 s  0.000000091 s  1.000 ns    1.000 ns  main/MPI_Recv; late sender in main/MPI_Recv
rank 2      0.000000091 s  0.000000120 s  29.00 ns    28.00 ns  main; late sender in main/MPI_Recv
)");
  const std::string scan = folder.file("scan.txt",
                                       "0 0 enter main\n0 50 enter MPI_Scan\n0 50 collective_begin\n"
                                       "0 54 collective_end op=scan sent=8 received=8\n0 54 exit\n0 60 exit\n"
                                       "1 0 enter main\n1 20 enter MPI_Scan\n1 20 collective_begin\n"
                                       "1 57 collective_end op=scan sent=8 received=8\n1 57 exit\n1 70 exit\n");
  const std::string without = run({"print", scan, "--critical-path"}).out;
  EXPECT_NE(without.find("in 1 segment\n# not everything is known: the path passes waits in MPI_Scan, which it follows "
                         "only with the parameter critical_path.all_waits=1\n"),
            std::string::npos)
      << without;
  const std::string with = run({"print", scan, "--critical-path", "--set", "critical_path.all_waits=1"}).out;
  EXPECT_NE(with.find("in 2 segments\n# location"), std::string::npos) << with;
  EXPECT_NE(with.find("; scan in main/MPI_Scan\n"), std::string::npos) << with;
  const auto vertices = [&](std::vector<std::string> set) {
    std::vector<std::string> arguments{"graph", scan, "--dependencies", "--format", "dot"};
    arguments.insert(arguments.end(), set.begin(), set.end());
    const std::string out = run(arguments).out;
    return std::count(out.begin(), out.end(), '[');
  };
  EXPECT_GT(vertices({"--set", "critical_path.all_waits=1"}), vertices({}));
  EXPECT_EQ(run({"print", scan, "--set", "critical_path.all_waits=1"}).err,
            "waitstate: error: --set applies only to --critical-path: give --critical-path, or leave --set out\n");
  EXPECT_EQ(run({"print", hops, "--critical-path", "--location", "1"}).out.find("rank 0"), std::string::npos);
}

TEST_F(Commands, chains_say_what_they_need) {
  const std::string report = folder / "late.json";
  EXPECT_EQ(run({"analyze", trace, "-o", report}).exit_code, 0);
  const auto error = [&](std::vector<std::string> arguments) { return run(arguments).err; };
  EXPECT_EQ(error({"show", report, "--why", "mpi_latesender"}),
            "waitstate: error: --why mpi_latesender: " + report +
                " does not contain the causes of waits: give the trace, or a report written from it with 'waitstate "
                "analyze TRACE --pattern all,critical_path -o FILE.json'\n");
  EXPECT_EQ(error({"show", trace, "--why", "mpi_latesender:2"}),
            "waitstate: error: --why mpi_latesender:2: " + trace +
                " has 1 of the most severe instances of this metric;  the last one is mpi_latesender:1\n");
  EXPECT_EQ(error({"show", trace, "--why", "mpi_latesender:x"}),
            "waitstate: error: --why mpi_latesender:x: expected the id of a metric and optionally, behind a colon, the "
            "number of one of its most severe instances, from 1: --why mpi_latesender:2\n");
  EXPECT_EQ(error({"show", trace, "--why", "time", "--metric", "time"}),
            "waitstate: error: --why explains one wait, --metric shows a whole metric: leave one of the two out\n");
  EXPECT_EQ(error({"show", trace, "--why", "time", "--format", "csv"}),
            "waitstate: error: --why can be written as text or json, not as csv\n");
  EXPECT_EQ(error({"graph", trace, "--chains", "--dependencies"}),
            "waitstate: error: --chains and --dependencies show different graphs: leave one of the two out\n");
  EXPECT_EQ(error({"print", trace, "--critical-path", "--epochs"}),
            "waitstate: error: --epochs and --critical-path print different lists: leave one of the two out\n");
}

TEST_F(Commands, graph_of_dependencies_says_what_it_does_not_take) {
  EXPECT_EQ(
      run({"graph", recorded, "--dependencies"}).err,
      "waitstate: error: --dependencies shows single records, which cannot be written as text: give --format dot or "
      "--format graphml\n");
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
           {"--by", "location"}, {"--top", "3"}, {"--metric", "mpi"}, {"--pattern", "delay"}, {"--threads", "1"}}) {
    std::vector<std::string> arguments{"graph", recorded, "--dependencies", "--format", "dot"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    const Outcome o = run(arguments);
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_EQ(o.err, "waitstate: error: --dependencies shows all records of a trace, but " + option[0] +
                         " applies to the graph of waits: leave one of them out\n");
  }
}

TEST_F(Commands, ideal_machine) {
  const Outcome o = run({"analyze", recorded, "--pattern", "mpi_ideal_wait"});
  EXPECT_NE(o.out.find("\nideal machine  serialisation "), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("\nwhat if        if messages took no time, the run would take "), std::string::npos) << o.out;
  EXPECT_EQ(run({"analyze", recorded}).out.find("ideal machine"), std::string::npos);
  EXPECT_EQ(run({"check", recorded, "--pattern", "mpi_ideal_wait", "--fail-on", "transfer_efficiency<1%"}).exit_code,
            0);
  const Outcome without = run({"check", recorded, "--fail-on", "transfer_efficiency<1%"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_NE(without.err.find("it is known only with the waits of an ideal machine: --pattern mpi_ideal_wait"),
            std::string::npos)
      << without.err;
}

// 40 processes that send to the next one, each later than the one before, so that it waits the longer.
TEST_F(Commands, graph_adds_up_what_is_too_much_to_look_at) {
  std::string text;
  for (int p = 0; p < 40; ++p)
    text += p % 2 == 0 ? fmt::format(
                             "{0} 0 enter main\n{0} {1} enter MPI_Send\n{0} {1} send dest={2} tag=7 com=0 len=8\n"
                             "{0} {1} exit\n{0} 9000 exit\n",
                             p, 1000 + 100 * p, p + 1)
                       : fmt::format(
                             "{0} 0 enter main\n{0} 1000 enter MPI_Recv\n{0} 8000 recv src={1} tag=7 com=0 len=8\n"
                             "{0} 8000 exit\n{0} 9000 exit\n",
                             p, p - 1);
  const std::string many = folder.file("many.txt", text);
  const std::string whole = run({"graph", many}).out;
  EXPECT_NE(
      whole.find("\n  15 processes with the most waiting; the others are added up (--top N shows more or fewer)\n"),
      std::string::npos)
      << whole;
  const std::string three = run({"graph", many, "--top", "2"}).out;
  // Rank 39 waited 3800 ns for rank 38; ranks 2 to 36, even ones, caused 200 + 400 + … + 3600 = 34,200.
  EXPECT_NE(three.find("culprit    38   39  36 others\n"), std::string::npos) << three;
  EXPECT_NE(three.find("rank 38     .  3.8          .\n"), std::string::npos) << three;
  EXPECT_NE(three.find("36 others   .    .       34.2\n"), std::string::npos) << three;
  const auto vertices = [](const std::string& dot) {
    std::size_t n = 0;
    for (auto at = dot.find("waited_ticks="); at != std::string::npos; at = dot.find("waited_ticks=", at + 1)) ++n;
    return n;
  };
  Outcome o = run({"graph", many, "--format", "dot"});
  EXPECT_EQ(vertices(o.out), 33u) << o.out;
  EXPECT_EQ(
      o.err,
      "waitstate: note: the graph shows the 32 processes with most waiting, and the sum of the other 6; --top 38 shows "
      "all\n");
  o = run({"graph", many, "--format", "dot", "--top", "99"});
  EXPECT_EQ(vertices(o.out), 38u);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(run({"graph", many, "--format", "graphml"}).out.find("others"), std::string::npos);
  EXPECT_NE(run({"graph", many, "--format", "graphml", "--top", "3"}).out.find(">35 others<"), std::string::npos);
}

TEST_F(Commands, graph_for_tools_lacks_what_the_trace_cannot_tell_and_says_so) {
  const std::string open =
      folder.file("open.txt", "0 1 enter MPI_Recv\n0 2 recv src=1 tag=7 com=0 len=8\n0 3 exit\n1 5 enter main\n");
  for (const char* format : {"dot", "graphml"}) {
    const Outcome o = run({"graph", open, "--format", format});
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_EQ(
        o.err,
        "waitstate: note: the graph lacks waits that are unknown in this trace:\n"
        "  mpi_latesender: 1 of 1 receive without a send in the trace: it is not known whether the sender was late\n");
  }
}

TEST_F(Commands, graph_of_a_report_that_does_not_hold_who_waited_for_whom) {
  const std::string cube = folder / "r.cubex", json = folder / "of_cube.json";
  ASSERT_EQ(run({"analyze", recorded, "-o", cube}).exit_code, 0);
  ASSERT_EQ(run({"show", cube, "--format", "json", "-o", json}).exit_code, 0);
  for (const std::string& report : {cube, json})
    for (const char* format : {"text", "dot", "graphml"}) {
      const Outcome o = run({"graph", report, "--format", format});
      EXPECT_EQ(o.exit_code, 2);
      EXPECT_EQ(o.out, "");
      EXPECT_EQ(o.err,
                "waitstate: error: " + report +
                    ": this report contains waiting times, but not which process waited for which; no .cubex does. "
                    "Give the trace, or a report written from it with 'waitstate analyze TRACE -o FILE.json'\n");
    }
}

TEST_F(Commands, patterns_and_their_explanations) {
  EXPECT_NE(run({"patterns"}).out.find("mpi_latesender "), std::string::npos);
  const Outcome o = run({"explain", "mpi_latesender", "mpi_barrier_wait"});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.out.find("mpi_latesender: Late Sender\n"), 0u) << o.out;
  EXPECT_NE(o.out.find("\n\nmpi_barrier_wait: "), std::string::npos) << o.out;
}

/// The ids in front of the lines of a table that begins with `first`.
std::vector<std::string> rows_of(const std::string& report, const std::string& first) {
  std::vector<std::string> ids;
  std::istringstream lines(report.substr(std::min(report.size(), report.find(first) + 1)));
  for (std::string line; std::getline(lines, line) && !line.empty();)
    if (const auto begin = line.find_first_not_of(' '); begin != std::string::npos)
      ids.push_back(line.substr(begin, line.find(' ', begin) - begin));
  return ids;
}

TEST_F(Commands, in_full_the_most_severe_comes_first) {
  const std::vector<std::string> by_severity = rows_of(run({"analyze", recorded, "--full"}).out, "\nmetric  "),
                                 by_tree =
                                     rows_of(run({"analyze", recorded, "--full", "--order", "tree"}).out, "\nmetric  ");
  const auto before = [](const std::vector<std::string>& all, const char* a, const char* b) {
    const auto at = [&](const char* id) { return std::find(all.begin(), all.end(), id); };
    EXPECT_NE(at(a), all.end()) << a;
    EXPECT_NE(at(b), all.end()) << b;
    return at(a) < at(b);
  };
  // Of the 2.06 s, 1.18 s are MPI_Init and MPI_Finalize, 0.339 s point-to-point communication, 0.117 s barriers.
  EXPECT_TRUE(before(by_tree, "comp", "mpi"));
  EXPECT_TRUE(before(by_severity, "mpi", "comp"));
  EXPECT_TRUE(before(by_tree, "mpi_sync_collective", "mpi_point2point"));
  EXPECT_TRUE(before(by_severity, "mpi_point2point", "mpi_sync_collective"));
  std::vector<std::string> a = by_tree, b = by_severity;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b) << "the same rows";

  const std::string view = run({"show", recorded, "--metric", "mpi_latesender", "--full"}).out,
                    tree = run({"show", recorded, "--metric", "mpi_latesender", "--full", "--order", "tree"}).out;
  EXPECT_NE(view, tree);
}

TEST_F(Commands, a_title_is_taken_where_an_id_is) {
  for (const char* title : {"Late Sender", "late sender"}) {
    EXPECT_EQ(run({"explain", title}).out, run({"explain", "mpi_latesender"}).out);
    EXPECT_EQ(run({"analyze", recorded, "--pattern", title}).out,
              run({"analyze", recorded, "--pattern", "mpi_latesender"}).out);
    EXPECT_EQ(run({"analyze", recorded, "--without", title}).out,
              run({"analyze", recorded, "--without", "mpi_latesender"}).out);
    EXPECT_EQ(run({"show", recorded, "--metric", title}).out,
              run({"show", recorded, "--metric", "mpi_latesender"}).out);
    EXPECT_EQ(run({"graph", recorded, "--metric", title}).out,
              run({"graph", recorded, "--metric", "mpi_latesender"}).out);
    EXPECT_EQ(run({"diff", trace, recorded, "--metric", title}).out,
              run({"diff", trace, recorded, "--metric", "mpi_latesender"}).out);
    EXPECT_NE(run({"check", recorded, "--fail-on", std::string(title) + ">5%"}).out.find("  31.19 %  fails\n"),
              std::string::npos);
  }
}

TEST_F(Commands, output_file_that_exists_is_kept_where_the_trace_cannot_be_read) {
  const std::string file = folder.file("result.csv", "old");
  EXPECT_EQ(run({"analyze", folder / "missing", "-o", file}).exit_code, 3);
  EXPECT_EQ(content_of(file), "old");
}

TEST_F(Commands, print_gives_a_trace_that_reads_the_same) {
  const Outcome printed = run({"print", recorded, "--attributes"});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_EQ(printed.err, "");
  const std::string copy = folder.file("copy.txt", printed.out);
  EXPECT_EQ(run({"analyze", copy, "--format", "csv"}).out, run({"analyze", recorded, "--format", "csv"}).out);
  EXPECT_EQ(run({"print", copy, "--attributes"}).out, printed.out);
}

TEST_F(Commands, print_says_that_attribute_lists_are_left_out) {
  const std::string comment = "# left out: the attribute lists of events, which --attributes writes too\n";
  const Outcome whole = run({"print", recorded, "--attributes"}), cut = run({"print", recorded});
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(whole.out.find("left out"), std::string::npos);
  EXPECT_NE(whole.out.find(" @2=uint64:"), std::string::npos);
  EXPECT_EQ(cut.out.find(" @2=uint64:"), std::string::npos);
  EXPECT_EQ(cut.out.find(comment), 0u);
  const std::string copy = folder.file("copy.txt", cut.out);  // the comment is none of the trace
  EXPECT_EQ(run({"print", copy}).out, cut.out.substr(comment.size()));
  EXPECT_EQ(run({"print", folder.file("whole.txt", whole.out)}).out, whole.out) << "a text's lists are kept";
  EXPECT_EQ(run({"print", std::string(WAITSTATE_TRACES) + "/cuda_waits"}).out.find("left out"), std::string::npos);
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

// 0.067e9 and 1.001e9 are 67000000.00000001 and 1000999999.9999999 in binary.
TEST_F(Commands, times_that_are_whole_ticks_are_included) {
  const std::string ticks =
      folder.file("ticks.txt", "0 0 enter main\n0 67000000 enter foo\n0 1001000000 exit\n0 2000000000 exit\n");
  EXPECT_EQ(run({"print", ticks, "--no-definitions", "--time", "0.067", "1.001"}).out,
            "0 67000000 enter foo\n0 1001000000 exit foo\n");
}

TEST_F(Commands, print_with_links) {
  EXPECT_EQ(run({"print", trace, "--links", "--type", "recv"}).out,
            "pos=6 1 3000400 recv src=0 tag=7 com=0 len=8 enterptr=2 sendptr=4\n");
}

// A put in a fence epoch and one under a lock; what nothing completes (the last put) is in its epoch only.
TEST_F(Commands, print_epochs_of_one_sided_communication) {
  const std::string file = folder.file("one_sided.txt", R"(comm 0 name=MPI_COMM_WORLD members=all
rma_win 0 comm=0
0 0 enter main
0 30 enter MPI_Put
0 31 rma_put win=0 remote=1 bytes=8 match=1
0 35 exit
0 50 enter MPI_Win_fence
0 51 rma_collective_begin
0 60 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
0 61 exit
0 70 enter MPI_Win_lock
0 70 rma_request_lock win=0 remote=1 lock=0 type=exclusive
0 72 exit
0 73 enter MPI_Get
0 74 rma_get win=0 remote=1 bytes=16 match=2
0 75 exit
0 80 enter MPI_Win_unlock
0 82 rma_release_lock win=0 remote=1 lock=0
0 85 exit
0 90 enter MPI_Put
0 91 rma_put win=0 remote=1 bytes=8 match=3
0 92 exit
0 99 exit
1 0 enter main
1 40 enter MPI_Win_fence
1 41 rma_collective_begin
1 60 rma_collective_end op=barrier level=0x3 win=0 sent=0 received=0
1 62 exit
1 99 exit
)");
  const Outcome o = run({"print", file, "--epochs"});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out, R"(put 31 60 win=0 origin=0 target=1 put=8 got=0
  operation 0 30 35 main/MPI_Put
  completed 0 50 61 main/MPI_Win_fence
fence 40 62 win=0
  0 50 61 main/MPI_Win_fence
  1 40 62 main/MPI_Win_fence
  0 -> 1 puts=1 gets=0 atomics=0 put=8 got=0
lock 70 85 win=0 target=1 lock=0 type=exclusive released=82
  lock 0 70 72 main/MPI_Win_lock
  unlock 0 80 85 main/MPI_Win_unlock
  0 -> 1 puts=0 gets=1 atomics=0 put=0 got=16
get 74 82 win=0 origin=0 target=1 put=0 got=16
  operation 0 73 75 main/MPI_Get
  completed 0 80 85 main/MPI_Win_unlock
)");
}

TEST_F(Commands, print_epochs_of_some_locations_and_times) {
  std::string text = "comm 0 name=MPI_COMM_WORLD members=all\nrma_win 0 comm=0\n";
  for (const int origin : {0, 2})  // at 110 to 125, and at 310 to 325
    text += fmt::format(
        "{0} 100 enter main\n"
        "{0} {1}10 enter MPI_Win_lock\n{0} {1}11 rma_request_lock win=0 remote=1 lock=0 type=shared\n{0} {1}12 exit\n"
        "{0} {1}20 enter MPI_Win_unlock\n{0} {1}22 rma_release_lock win=0 remote=1 lock=0\n{0} {1}25 exit\n"
        "{0} 400 exit\n",
        origin, origin + 1);
  const std::string file =
      folder.file("locks.txt", text + "1 100 enter main\n1 400 exit\n3 100 enter main\n3 400 exit\n");
  const std::string first =
      "lock 110 125 win=0 target=1 lock=0 type=shared released=122\n"
      "  lock 0 110 112 main/MPI_Win_lock\n  unlock 0 120 125 main/MPI_Win_unlock\n";
  const std::string second =
      "lock 310 325 win=0 target=1 lock=0 type=shared released=322\n"
      "  lock 2 310 312 main/MPI_Win_lock\n  unlock 2 320 325 main/MPI_Win_unlock\n";
  const auto epochs = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"print", file, "--epochs"});
    const Outcome o = run(options);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    return o.out;
  };
  EXPECT_EQ(epochs({}), first + second);
  EXPECT_EQ(epochs({"--location", "0"}), first);
  EXPECT_EQ(epochs({"--location", "2-3"}), second);
  EXPECT_EQ(epochs({"--location", "1"}), first + second);
  const std::string none = "# no epochs of these locations and times\n";
  EXPECT_EQ(epochs({"--location", "3"}), none);
  // Seconds since the first event, both included.
  EXPECT_EQ(epochs({"--time", "0", "2.09e-7"}), first);
  EXPECT_EQ(epochs({"--time", "0", "2.1e-7"}), first + second);
  EXPECT_EQ(epochs({"--time", "2.5e-8", "2.5e-8"}), first);
  EXPECT_EQ(epochs({"--time", "2.6e-8", "1"}), second);
  EXPECT_EQ(epochs({"--time", "2.6e-8", "1", "--location", "0"}), none);

  EXPECT_EQ(run({"print", folder.file("no_windows.txt", "0 1 enter main\n0 2 exit\n"), "--epochs"}).out,
            "# no epochs: the trace defines no windows for one-sided communication\n");
  EXPECT_EQ(
      run({"print", folder.file("no_epochs.txt", "comm 0 members=all\nrma_win 0 comm=0\n0 1 enter main\n0 2 exit\n"),
           "--epochs"})
          .out,
      "# no epochs: nothing complete is recorded on the trace's windows\n");
  const auto refused = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"print", file, "--epochs"});
    const Outcome o = run(options);
    EXPECT_EQ(o.exit_code, 2);
    return o.err;
  };
  EXPECT_EQ(refused({"--location", "4"}),
            "waitstate: error: the trace has no location 4: they are numbered from 0 to 3\n");
  EXPECT_EQ(refused({"--type", "rma_put"}),
            "waitstate: error: --type selects or formats events, but --epochs prints epochs instead of events: leave "
            "one of the two out\n");
}

// Derived events in a text are derived anew, not doubled.
TEST_F(Commands, one_sided_communication_in_the_notation_is_what_it_is_in_the_archive) {
  for (const char* name : {"rma", "rma_waits", "rma_waits_messages", "rma_windows", "shmem", "shmem_waits"}) {
    const std::string archive = std::string(WAITSTATE_TRACES) + "/" + name;
    const std::string text = folder.file("text.txt", run({"print", archive}).out);
    const std::string with_transfers = folder.file("transfers.txt", run({"print", archive, "--transfers"}).out);
    const std::vector<std::vector<std::string>> ways = {
        {}, {"--epochs"}, {"--transfers"}, {"--transfers", "--rma-model", "basic", "--links"}};
    for (const std::vector<std::string>& options : ways) {
      const auto printed = [&](const std::string& of) {
        std::vector<std::string> words = {"print", of};
        words.insert(words.end(), options.begin(), options.end());
        const std::string out = run(words).out, left_out = "# left out: ";
        return out.starts_with(left_out) ? out.substr(out.find('\n') + 1) : out;
      };
      const std::string expected = printed(archive);
      EXPECT_GT(expected.size(), 1000u) << name;
      EXPECT_TRUE(printed(text) == expected) << name;
      EXPECT_TRUE(printed(with_transfers) == expected) << name;
    }
  }
}

TEST_F(Commands, print_tells_first_what_is_missing) {
  const std::string cut =
      folder.file("cut.txt", "0 1 enter MPI_Send\n0 2 send dest=1 tag=7 com=0 len=8\n1 5 enter main\n");
  const Outcome o = run({"print", cut, "--no-definitions", "--type", "send"});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out,
            "# anomaly: 2 regions still open at the end of the location: closed at its last event\n"
            "# missing: 1 send whose receive is not in the trace\n"
            "0 2 send dest=1 tag=7 com=0 len=8\n");
}

TEST_F(Commands, times_that_add_up_beyond_all_numbers_are_no_failure) {  // the sanitizers would show a failure
  std::string extreme;
  for (const char* location : {"0", "1", "2"})
    extreme += fmt::format("{0} 0 enter MPI_Send\n{0} 1 send dest=0 tag=7 com=0 len=8\n{0} {1} exit\n", location,
                           9'000'000'000'000'000'000);
  const Outcome o = run({"analyze", folder.file("extreme.txt", extreme)});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
}

TEST_F(Commands, info) {
  const Outcome o = run({"info", recorded});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_NE(o.out.find("recorder       Score-P 8.4 (OTF2 3.0.3)\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("processes      4, ranks 0 to 3\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("\nprogram        /apps/p2p\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("\nhosts          1: vm (ranks 0 to 3)\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("   90    4.7 %  send\n"), std::string::npos) << o.out;
}

TEST_F(Commands, a_zero_that_is_no_answer_is_not_shown_as_one) {
  const Outcome o = run({"analyze", std::string(WAITSTATE_TRACES) + "/eztrace_lammps"});
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_NE(o.out.find("\nUnknown in this trace\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("6,520 of 6,520 non-blocking receives without a completion in the trace"), std::string::npos)
      << o.out;
}

TEST_F(Commands, what_cannot_be_told_does_not_depend_on_the_order_of_reading) {
  const std::string puts = folder.file("puts.txt", R"(0 0 enter main
0 1 enter work
0 2 exit
0 3 enter work
0 4 exit
0 5 enter MPI_Put
0 6 exit
0 20 exit
1 0 enter main
1 1 enter MPI_Get
1 2 exit
1 20 exit
)");
  const std::string whole = run({"analyze", puts, "--format", "json"}).out;
  EXPECT_NE(whole.find("MPI_Put is called, but the trace has no record"), std::string::npos);
  for (const char* events : {"1", "2", "3"})
    EXPECT_EQ(run({"analyze", puts, "--format", "json", "--chunk-events", events}).out, whole) << events;
}

TEST_F(Commands, width_is_respected) {
  ::setenv("COLUMNS", "60", 1);
  const Outcome o = run({"analyze", recorded});
  ::unsetenv("COLUMNS");
  std::istringstream lines(o.out.substr(o.out.find("\nsize")));  // behind the path of the trace, which is one word
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xc0) != 0x80; }), 60) << line;
}

TEST_F(Commands, help_and_version) {
  EXPECT_EQ(run({"--version"}).out, "waitstate " WAITSTATE_VERSION "\n");
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  for (const char* command :
       {"info", "print", "analyze", "show", "diff", "check", "graph", "patterns", "explain", "help"}) {
    const Outcome o = run({command, "--help"});
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_EQ(run({"help", command}).out, o.out);
    EXPECT_EQ(run({command, "--version"}).out, "waitstate " WAITSTATE_VERSION "\n") << command;
    EXPECT_NE(o.out.find(std::string("Examples:\n  waitstate ") + command), std::string::npos) << o.out;
  }
}

// Within 2 GB of addresses, which is some 7,000 bytes a level: nothing that is kept grows with the square of the depth.
TEST_F(Commands, a_call_path_of_100000_levels_works_in_every_format) {
  std::string text = "clock resolution=1000000000\n0 0 enter main\n";
  constexpr int levels = 100'000;
  for (int i = 1; i < levels; ++i) text += "0 " + std::to_string(i) + " enter descend\n";
  text +=
      "0 300010 enter MPI_Recv\n0 300030 recv src=1 len=8\n0 300040 exit\n1 300020 enter MPI_Send\n"
      "1 300021 send dest=0 len=8\n1 300025 exit\n";
  for (int i = levels; i > 0; --i) text += "0 " + std::to_string(700'000 - i) + " exit\n";
  folder.file("deep.txt", text);
  const auto expect_sound = [&](const std::string& arguments, const std::string& said) {
    const Outcome o = run_shell("ulimit -v 2000000; cd '" + folder.path().string() + "' && \"$0\" " + arguments);
    EXPECT_EQ(o.exit_code, 0) << arguments;
    EXPECT_EQ(o.err, "") << arguments;
    EXPECT_NE(o.out.find(said), std::string::npos) << arguments;
    EXPECT_LT(o.out.size(), std::size_t{40} << 20) << arguments;
  };
  expect_sound("analyze deep.txt --full", "\nmpi_latesender  Late Sender\n");
  expect_sound("analyze deep.txt -o deep.json", "");
  expect_sound("analyze deep.txt -o deep.cubex", "");
  for (const std::string report : {"deep.json", "deep.cubex"}) {
    expect_sound("show " + report, "\ntime  ");
    expect_sound("show " + report + " --metric mpi_latesender", "[100000] MPI_Recv");
  }
  expect_sound("show deep.cubex --format csv -o /dev/null", "");
  expect_sound("graph deep.json", "who waits for whom");
  expect_sound("graph deep.json --format graphml", "<graphml");
}

}  // namespace
}  // namespace waitstate::test

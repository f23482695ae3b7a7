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
      {{"dance"},
       "there is no command 'dance'; known: info, print, analyze, show, diff, check, graph, export, serve, patterns, "
       "explain, "
       "record, "
       "recover, mpit, help"},
      {{"help", "anlyze"}, "there is no command 'anlyze': did you mean 'analyze'?"},
      {{"help", "info", "print"}, "'waitstate help' takes no further argument: 'print'; see 'waitstate help --help'"},
      {{"--vrsion"}, "'waitstate' has no option '--vrsion': did you mean '--version'?"},
      {{"analyze"}, "no trace given" + analyze_help},
      {{"analyze", p2p, "--formt=csv"}, "'waitstate analyze' has no option '--formt': did you mean '--format'?"},
      {{"analyze", "--formt", "csv"}, "'waitstate analyze' has no option '--formt': did you mean '--format'?"},
      {{"analyze", p2p, "--zzz"}, "'waitstate analyze' has no option '--zzz'" + analyze_help},
      {{"analyze", p2p, "more"}, "'waitstate analyze' takes no further argument: 'more'" + analyze_help},
      {{"analyze", p2p, "--format", "jsn"}, "unknown format 'jsn': did you mean 'json'?"},
      {{"analyze", p2p, "--format", "spreadsheet"}, "unknown format 'spreadsheet'; known: text, csv, json, html"},
      {{"analyze", p2p, "--threads"}, "--threads needs N" + analyze_help},
      {{"analyze", p2p, "--threads", "-1"}, "--threads: cannot read '-1' as N" + analyze_help},
      {{"analyze", p2p, "--top", "-1"}, "--top: cannot read '-1' as N" + analyze_help},
      {{"analyze", p2p, "--top", "18446744073709551616"},
       "--top: cannot read '18446744073709551616' as N" + analyze_help},
      {{"analyze", p2p, "--threads", "1", "--threads", "2"},
       "--threads is given more than once: give it once, with N" + analyze_help},
      {{"analyze", p2p, "--full=x"}, "--full takes no value: leave '=x' out" + analyze_help},
      {{"print", p2p, "--type", "snd"}, "unknown event type 'snd': did you mean 'send'?"},
      {{"print", p2p, "--type", "foo"}, "unknown event type 'foo'; 'waitstate print --help' lists all types"},
      {{"print", p2p, "--location", "first"},
       "'first' is not a location: expected a number as in the first column of the output of 'waitstate print', or a "
       "range of such numbers like 0-3"},
      {{"print", p2p, "--location", "3-1"}, "'3-1' is not a range of locations: it ends before it begins"},
      {{"print", p2p, "--location", "9"}, "there is no location 9: this trace has locations 0 to 3"},
      {{"print", p2p, "--time", "1"}, "--time needs FROM TO" + print_help},
      {{"print", p2p, "--time", "3", "2"},
       "--time 3 2: expected two numbers, the second at least as large as the first"},
      {{"print", p2p, "--time", "1", "nan"},
       "--time 1 nan: expected two numbers, the second at least as large as the first"},
      {{"analyze", p2p, "--time", "3", "2"},
       "--time 3 2: expected two numbers, the second at least as large as the first"},
      {{"analyze", p2p, "--time", "0.1", "0.1"},
       "--time 0.1 0.1: no time stamp of the trace can lie in this window, because its clock has 2596143954 ticks a "
       "second"},
      {{"analyze", p2p, "--region", "MPI_Rcv"}, "the trace has no region 'MPI_Rcv': did you mean 'MPI_Recv'?"},
      {{"analyze", p2p, "--location", "2-9"}, "the trace has no location 4: they are numbered from 0 to 3"},
      {{"analyze", p2p, "-o", "run.json", "--format", "csv"},
       "--format csv contradicts -o run.json: leave one of them out, or give the file another ending"},
      {{"analyze", p2p, "-o", "run.html", "--format", "text"},
       "--format text contradicts -o run.html: leave one of them out, or give the file another ending"},
      {{"analyze", p2p, "-o", "run.xml"},
       "-o run.xml: this command cannot write a .xml file: expected .csv, .json, .cubex, .html or .htm, or .txt for "
       "text; or choose a format with --format"},
      {{"show", p2p, "-o", "run.cubex"},
       "-o run.cubex: this command cannot write a .cubex file: expected .csv, .json, .html or .htm, or .txt for text; "
       "or choose a format with --format"},
      {{"diff", p2p, p2p, "-o", "d.dot"},
       "-o d.dot: this command cannot write a .dot file: expected .csv, .json, .html or .htm, or .txt for text; or "
       "choose a format with --format"},
      {{"diff", p2p, p2p, "--format", "html", "--top", "10"},
       "--top limits the text report, but --format html always contains everything: leave one of the two options out"},
      {{"show", p2p, "--max-size", "20"}, "--max-size applies only to html, not to text: leave it out"},
      {{"show", p2p, "-o", "run.html", "--max-size", "0"}, "--max-size 0: expected 1 to 100000 megabytes"},
      {{"show", p2p, "-o", "run.html", "--metric", "time"},
       "--format html always contains the whole report: leave --metric out, or use csv"},
      {{"graph", p2p, "-o", "g.svg"},
       "-o g.svg: this command cannot write a .svg file: expected .dot, .gv or .graphml, or .txt for text; or choose a "
       "format with --format"},
      {{"show", p2p, "-o", "run.csv", "--format", "json"},
       "--format json contradicts -o run.csv: leave one of them out, or give the file another ending"},
      {{"show", p2p, "--metric", "time", "--format", "csv", "--top", "2"},
       "--top limits the text report, but --format csv always contains everything: leave one of the two options out"},
      {{"diff", p2p, p2p, "--format", "csv", "--top", "10"},
       "--top limits the text report, but --format csv always contains everything: leave one of the two options out"},
      {{"analyze", p2p, "--top", "1", "-o", "run.json"},
       "--top limits the text report, but --format json always contains everything: leave one of the two options out"},
      {{"analyze", p2p, "--region", ""}, "--region has an empty value: give REGION, or leave the option out"},
      {{"analyze", p2p, "-o", ""}, "--output has an empty value: give FILE, or leave the option out"},
      {{"analyze", p2p, "--pattern", ""}, "--pattern has an empty value: give ID[,ID...], or leave the option out"},
      {{"show", p2p, "--metric", ""}, "--metric has an empty value: give ID, or leave the option out"},
      {{"show"}, "no report given; see 'waitstate show --help'"},
      {{"show", p2p, "--metric", "mpi_latesnder"},
       "no metric has the id 'mpi_latesnder': did you mean 'mpi_latesender'?"},
      {{"show", p2p, "--metric", "latesender"}, "no metric has the id 'latesender': did you mean 'mpi_latesender'?"},
      {{"analyze", p2p, "--pattern", "Late-Sender"},
       "no metric has the id 'Late-Sender': did you mean 'mpi_latesender'?"},
      {{"explain", "barrier_wait"}, "no metric has the id 'barrier_wait': did you mean 'mpi_barrier_wait'?"},
      {{"diff", p2p, p2p, "--metric", "lateSender"},
       "neither report has a metric 'lateSender': did you mean 'mpi_latesender'?"},
      {{"analyze", p2p, "--full", "--order", "three"}, "unknown order 'three': did you mean 'tree'?"},
      {{"show", p2p, "--order", "tree"}, "--order tree applies only to --full: give --full too"},
      {{"show", p2p, "--metric", "time", "--by", "regio"}, "unknown view 'regio': did you mean 'region'?"},
      {{"show", p2p, "--by", "region"}, "--by region needs --metric, the metric to show"},
      {{"show", p2p, "--metric", "time", "--format", "json"},
       "--format json always contains the whole report: leave --metric out, or use csv"},
      {{"diff"}, "two reports or traces are needed, but none was given; see 'waitstate diff --help'"},
      {{"diff", p2p}, "two reports or traces are needed, but only one was given; see 'waitstate diff --help'"},
      {{"diff", p2p, p2p, p2p},
       "'waitstate diff' takes no further argument: '" + p2p + "'; see 'waitstate diff --help'"},
      {{"diff", p2p, p2p, "--metric", "tme"}, "neither report has a metric 'tme': did you mean 'time'?"},
      {{"check", p2p}, "nothing to check: give at least one gate, e.g. --fail-on 'mpi_latesender>5%'"},
      {{"check", p2p, "--fail-on", "time"},
       "gate 'time': there is no > or <; expected e.g. 'mpi_latesender>5%', 'time>+0.5s' or 'visits>=1000'"},
      {{"check", p2p, "--fail-on", "time>+5%"},
       "gate 'time>+5%' is about growth, which takes two reports: use 'waitstate diff', or leave the sign out"},
      {{"graph", p2p, "--by", "thread"}, "unknown level 'thread'; known: process, location"},
      {{"graph", p2p, "--format", "dit"}, "unknown format 'dit': did you mean 'dot'?"},
      {{"export", p2p},
       "no file to write: give it with -o, e.g. -o run.pftrace, or choose a --format for standard output"},
      {{"export", p2p, "-o", "run.trace"},
       "-o run.trace: its ending chooses no format: expected .pftrace, .otf2, .speedscope.json, .folded; or choose one "
       "with "
       "--format"},
      {{"export", p2p, "--format", "perfeto"}, "unknown format 'perfeto': did you mean 'perfetto'?"},
      {{"export", p2p, "-o", "run.pftrace", "--format", "folded"},
       "--format folded contradicts -o run.pftrace: leave one of them out, or give the file another ending"},
      {{"export", p2p, "-o", "run.pftrace", "--messages", "wait"},
       "unknown choice of messages 'wait': did you mean 'waits'?"},
      {{"export", p2p, "-o", "run.pftrace", "--min-duration", "10 minutes"},
       "--min-duration 10 minutes: expected a time such as 10us, 0.5ms or 2s, of at least 0"},
      {{"export", p2p, "-o", "run.pftrace", "--min-duration", "-1us"},
       "--min-duration -1us: expected a time such as 10us, 0.5ms or 2s, of at least 0"},
      {{"export", p2p, "-o", "run.pftrace", "--around", "0"}, "--around 0: expected 1 to 1000000 instances"},
      {{"export", p2p, "-o", "run.pftrace", "--max-size", "0"}, "--max-size 0: expected 1 to 1000000 megabytes"},
      {{"export", p2p, "-o", "run.pftrace", "--metric", "time"},
       "--metric is for profiles, not for perfetto: leave it out"},
      {{"export", p2p, "-o", "run.folded", "--around", "3"}, "--around is for timelines, not for folded: leave it out"},
      {{"export", p2p, "-o", "run.folded", "--metric", "tme"}, "no metric has the id 'tme': did you mean 'time'?"},
      {{"patterns", "x"}, "'waitstate patterns' takes no further argument: 'x'; see 'waitstate patterns --help'"},
      {{"explain"}, "no id of a metric given; see 'waitstate explain --help'"},
  };
  for (const Wrong& wrong : all) expect_error(wrong.arguments, 2, wrong.message);
  const Outcome undecided = run({"check", p2p, "--fail-on", "latesender>5%"});  // the verdicts are on standard output
  EXPECT_EQ(undecided.exit_code, 2);
  EXPECT_EQ(undecided.err,
            "waitstate: error: gate 'latesender>5%': no metric has the id 'latesender': did you mean "
            "'mpi_latesender'?\n");
}

TEST(Errors, what_follows_two_dashes_is_no_option) {
  const TemporaryFolder folder;
  folder.file("-dash", "0 0 enter main\n0 10 exit\n");
  const std::string go = "cd '" + folder.path().string() + "' && ";
  for (const char* words : {"info -- -dash", "analyze --format csv -- -dash", "show -- -dash"}) {
    const Outcome o = run_shell(go + "exec \"$0\" " + words);
    EXPECT_EQ(o.exit_code, 0) << words;
    EXPECT_EQ(o.err, "") << words;
  }
  EXPECT_EQ(run_shell(go + "exec \"$0\" info -- -dish").err.find("waitstate: error: -dish: no such file"), 0u);
}

TEST(Errors, names_of_files_cannot_steer_the_terminal) {
  const Outcome o = run({"info", "/nowhere/\x1b[2J\x7f\r.otf2"});
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_EQ(o.err.find("waitstate: error: /nowhere/?[2J??.otf2: no such file"), 0u) << o.err;
}

TEST(Errors, a_huge_range_of_locations_takes_little_memory) {
  const Outcome o = run_shell("ulimit -v 700000; exec \"$0\" analyze '" + p2p + "' --location 0-16777214");
  EXPECT_EQ(o.err, "waitstate: error: the trace has no location 4: they are numbered from 0 to 3\n");
  EXPECT_EQ(o.exit_code, 2);
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
  for (std::size_t i = 1; i < std::size(all); ++i) expect_error({"show", all[i].arguments[0]}, 3, all[i].message);
}

TEST(Errors, a_report_that_is_not_there) {
  const TemporaryFolder folder;
  const std::string json = folder / "run.json", other = folder / "run";
  const std::string advice = "/run.json: there is no such report; 'waitstate analyze TRACE -o run.json' writes one";
  for (const char* command : {"show", "graph"}) {
    expect_error({command, json}, 3, folder.path().string() + advice);
    expect_error({command, other}, 3,
                 other +
                     ": no such file or folder; expected a report (a .json of waitstate, or any .cubex), or a trace: "
                     "the anchor file of an OTF2 trace (traces.otf2) or its folder");
  }
  expect_error({"check", json, "--fail-on", "time>1s"}, 3, folder.path().string() + advice);
  expect_error({"diff", p2p, json}, 3, folder.path().string() + advice);
  expect_error({"show", folder / "no/scout.cubex"}, 3,
               (folder / "no/scout.cubex").string() +
                   ": there is no such report; 'waitstate analyze TRACE -o scout.cubex' writes one");
}

TEST(Errors, a_report_where_a_trace_is_expected) {
  const TemporaryFolder folder;
  for (const char* name : {"run.json", "run.cubex"}) {
    const std::string report = folder / name;
    ASSERT_EQ(run({"analyze", p2p, "-o", report}).exit_code, 0);
    const std::string message = report + ": this is a report, not a trace: use 'waitstate show " + report + "'";
    for (const char* command : {"analyze", "info", "print"}) expect_error({command, report}, 3, message);
    expect_error({"analyze", report, "--time", "0", "1"}, 3, message);
    expect_error({"print", report, "--epochs"}, 3, message);
  }
}

TEST(Errors, wrong_elements_of_a_report_take_little_memory) {
  const TemporaryFolder folder;
  const std::string report = folder / "r.json";
  ASSERT_EQ(run({"analyze", p2p, "-o", report}).exit_code, 0);
  std::string text = content_of(report);
  const auto at = text.find("\"regions\": [") + 12;
  std::string many;
  for (int i = 0; i < 2'000'000; ++i) many += "0,";
  folder.file("r.json", text.insert(at, many));
  const Outcome o = run_shell("ulimit -v 350000; exec \"$0\" show '" + report + "'");
  EXPECT_EQ(o.err, "waitstate: error: " + report +
                       ": $.regions[0]: found 0, expected an object; write the report again from its trace\n");
  EXPECT_EQ(o.exit_code, 3);
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
               "cannot write " + (folder / "no/x").string() + ": No such file or directory; make its folder first");
  expect_error({"analyze", p2p, "-o", folder.path().string()}, 2,
               "cannot write " + folder.path().string() + ": Is a directory; give the name of a file");
  expect_error({"analyze", p2p, "-o", "/dev/full"}, 2, "cannot write /dev/full: No space left on device");
  for (const char* format : {"perfetto", "speedscope", "folded"})
    expect_error({"export", p2p, "--format", format, "-o", "/dev/full"}, 2,
                 "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace waitstate::test

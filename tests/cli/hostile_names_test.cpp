// Names of traces and reports that would control a terminal, turn the direction of its text or break a table: none of
// them comes out of any command, in any format, nor in an error message.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_program.hpp"
#include "util/utf8.hpp"
#include "waitstate/result/report.hpp"

namespace waitstate::test {
namespace {

using Words = std::vector<std::string>;

/// As the notation writes them: an escape sequence; a C1 control as a byte, which is not UTF-8, and as a character; a
/// turn of direction; a separator of lines; and others of their kind.
constexpr const char* hostile_in_notation =
    R"(\x1b[2J\x9b31m\xc2\x9b\xc2\x85\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8\x7f\x0d\n\xff\xe2\x80)";
constexpr const char* hostile =
    "\x1b[2J\x9b"
    "31m\xc2\x9b\xe2\x80\xae\x7f\r\xff";
/// As JSON has them: escaped and, as far as they are valid, not.
constexpr const char* hostile_in_json = "\\u001b[2J\\u009b\\u202e\\u2028\xc2\x9b\xe2\x80\xae\x7f\\n\\r";

/// All names but those that say which function of MPI it is.
std::string with_hostile_names(const std::string& trace) {
  const std::regex name(R"re((\s)(name|creator|machine|description|file)=("([^"]*)"|\S+))re");
  std::string result, line;
  for (std::istringstream lines(trace); std::getline(lines, line);) {
    const bool definition = !line.empty() && (line[0] < '0' || line[0] > '9');
    const bool function = line.starts_with("region") && line.find("name=MPI_") != std::string::npos;
    if (definition && !function)
      for (std::smatch found; std::regex_search(line, found, name);) {
        const std::string value = found[4].matched ? found[4].str() : found[3].str();
        result += found.prefix().str() + found[1].str() + found[2].str() + "=\"" + value + hostile_in_notation + '"';
        line = found.suffix();
      }
    result += line + '\n';
  }
  return result;
}

std::string with_hostile_texts(const std::string& json) {
  const std::regex text(R"re("(title|summary|sentence|text|path|unit_name|unknown)": ?")re");
  return std::regex_replace(json, text, std::string("$&") + hostile_in_json);
}

/// Where something stands that a terminal must not be shown; "" if nowhere.
std::string first_hostile(std::string_view output) {
  for (std::size_t at = 0; at < output.size();) {
    const std::size_t n = output[at] == '\n' ? 1 : util::shown_length(output.substr(at));
    if (n == 0) {
      const std::size_t begin = at < 60 ? 0 : at - 60;
      return "byte " + std::to_string(at) + ": " + ::testing::PrintToString(std::string(output.substr(begin, 90)));
    }
    at += n;
  }
  return "";
}

void expect_clean(const Words& arguments) {
  const Outcome o = run(arguments);
  EXPECT_EQ(first_hostile(o.out), "") << ::testing::PrintToString(arguments);
  EXPECT_EQ(first_hostile(o.err), "") << ::testing::PrintToString(arguments);
  EXPECT_FALSE(o.out.empty()) << ::testing::PrintToString(arguments) << o.err;
  EXPECT_LE(o.exit_code, 1) << o.err;
}

class HostileNames : public ::testing::TestWithParam<const char*> {
 protected:
  std::string trace() const {
    const Outcome o = run({"print", "--attributes", std::string(WAITSTATE_TRACES) + '/' + GetParam()});
    return folder_.file("run.txt", with_hostile_names(o.out));
  }
  void expect_clean_reports(const std::string& report) const {
    for (const char* format : {"text", "csv", "json"}) expect_clean({"show", report, "--format", format});
    for (const char* metric : {"time", "visits", "mpi_latesender"})
      for (const char* by : {"callpath", "location", "region"})
        for (const char* format : {"text", "csv"})
          expect_clean({"show", report, "--metric", metric, "--by", by, "--format", format});
    for (const char* format : {"text", "csv", "json"}) expect_clean({"diff", report, report, "--format", format});
    if (!report.ends_with(".cubex"))  // .cubex does not contain who waited for whom
      for (const char* format : {"text", "dot", "graphml"}) expect_clean({"graph", report, "--format", format});
    expect_clean({"check", report, "--fail-on", "time>1000%"});
    expect_clean({"show", report, "--full"});
  }
  TemporaryFolder folder_;
};

TEST_P(HostileNames, of_a_trace) {
  const std::string file = trace();
  ASSERT_NE(content_of(file).find(R"(\xc2\x9b)"), std::string::npos);
  expect_clean({"info", file});
  for (const Words& more : {Words{}, {"--attributes"}, {"--links"}, {"--epochs"}, {"--transfers"}}) {
    Words words{"print", file};
    words.insert(words.end(), more.begin(), more.end());
    expect_clean(words);
  }
  for (const char* format : {"text", "csv", "json"}) expect_clean({"analyze", file, "--format", format});
  expect_clean({"analyze", file, "--full"});
  for (const char* format : {"speedscope", "folded"}) expect_clean({"export", file, "--format", format});
  expect_clean_reports(file);
}

TEST_P(HostileNames, of_reports) {
  const std::string json =
      folder_.file("run.json", with_hostile_texts(run({"analyze", trace(), "--format", "json"}).out));
  ASSERT_NE(content_of(json).find("\\u202e"), std::string::npos);
  expect_clean_reports(json);
  const std::string cube = (folder_ / "run.cubex").string();
  write_cube(read_report(json), cube);
  expect_clean_reports(cube);
}

TEST_P(HostileNames, print_writes_what_can_be_read_back) {
  const std::string once = trace();
  const std::string twice = folder_.file("again.txt", run({"print", "--attributes", once}).out);
  EXPECT_EQ(run({"print", "--attributes", twice}).out, content_of(twice));
  EXPECT_NE(content_of(twice).find(R"(\x9b31m\xc2\x9b\xc2\x85\xe2\x80\xae)"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Recorded, HostileNames, ::testing::Values("p2p", "rma_waits"));

TEST(HostileNames, in_errors) {
  const std::string name = hostile, trace = std::string(WAITSTATE_TRACES) + "/p2p";
  const TemporaryFolder folder;
  const std::string bad = folder.file("bad.txt", "0 0 enter \"" + name + "\" " + name + "=1\n");
  const std::string json = folder.file("bad.json", "{\"" + name + "\": \"" + name + "\"}");
  for (const Words& words : {Words{"info", "/nowhere/" + name},
                             {"show", "/nowhere/" + name},
                             {"show", json},
                             {"analyze", trace, "--region", name},
                             {"analyze", trace, "--pattern", name},
                             {"analyze", trace, "--set", name + "=1"},
                             {"analyze", trace, "--plugin", name},
                             {"analyze", trace, "--format", name},
                             {"analyze", trace, "--" + name},
                             {name},
                             {"show", trace, "--metric", name},
                             {"check", trace, "--fail-on", name + ">5%"},
                             {"diff", trace, name},
                             {"explain", name},
                             {"analyze", bad},
                             {"print", trace, "--type", name},
                             {"analyze", trace, "-o", "/nowhere/" + name + ".json"}}) {
    const Outcome o = run(words);
    EXPECT_EQ(first_hostile(o.err), "") << ::testing::PrintToString(words);
    EXPECT_NE(o.err.find("waitstate: error: "), std::string::npos) << ::testing::PrintToString(words);
    EXPECT_GE(o.exit_code, 2) << ::testing::PrintToString(words);
  }
}

}  // namespace
}  // namespace waitstate::test

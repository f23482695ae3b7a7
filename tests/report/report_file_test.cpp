// The kind of a file is determined by its contents; and the public functions of report.hpp give the same results as
// their internal counterparts.
#include "report/report_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "report/full_result.hpp"
#include "support/temporary_folder.hpp"
#include "waitstate/error.hpp"
#include "waitstate/result/report.hpp"

namespace waitstate::test {
namespace {

namespace fs = std::filesystem;

class ReportFile : public testing::Test {
 protected:
  fs::path file(const std::string& text, const char* name = "report") const { return folder_.file(name, text); }
  std::string error(const fs::path& path) const {
    try {
      waitstate::read_report(path);
    } catch (const TraceError& e) {
      return std::string(e.what()).substr(e.path().size());
    }
    return "read without an error";
  }
  const support::TemporaryFolder folder_;
};

std::string json_text(const AnalysisResult& result) {
  std::ostringstream out;
  waitstate::write_json(result, out);
  return out.str();
}
std::string csv_text(const AnalysisResult& result) {
  std::ostringstream out;
  waitstate::write_csv(result, out);
  return out.str();
}

TEST_F(ReportFile, json_is_known_by_its_contents) {
  const fs::path path = file("\n  " + json_text(full_result()), "misnamed.cubex");
  EXPECT_TRUE(waitstate::is_report(path));
  EXPECT_EQ(json_text(waitstate::read_report(path)), json_text(full_result()));
}

TEST_F(ReportFile, cube_is_known_by_its_contents) {
  AnalysisResult result = full_result();
  const fs::path path = folder_ / "misnamed.json";
  waitstate::write_cube(result, path);
  EXPECT_TRUE(waitstate::is_report(path));
  // A CUBE report has a clock of nanoseconds and no waits; the table is the same.
  EXPECT_EQ(csv_text(waitstate::read_report(path)), csv_text(result));
}

TEST_F(ReportFile, a_cube_report_as_json_and_back_is_the_same) {
  const fs::path path = folder_ / "run.cubex";
  waitstate::write_cube(full_result(), path);
  const std::string text = json_text(waitstate::read_report(path));
  EXPECT_EQ(json_text(waitstate::read_report(file(text))), text);
}

TEST_F(ReportFile, anything_else_is_said_to_be_none) {
  const std::string expected = "expected a report of waitstate (JSON), or a CUBE 4 report (.cubex)";
  EXPECT_EQ(error(file("")), ": the file is empty, " + expected);
  EXPECT_EQ(error(file("0 0 enter main\n")), ": found no report, " + expected + ": if it is a trace, analyse it first");
  EXPECT_EQ(error(file("\x1f\x8b\x08")), ": found a gzip file, " + expected + ": unpack it first");
  EXPECT_EQ(error(file("metric,callpath,location,value\n")),
            ": found a CSV report, which does not hold everything, " + expected + ": write it with -o FILE.json");
  EXPECT_EQ(error(file("<?xml version=\"1.0\"?><cube/>")), ": found XML, maybe a CUBE 3 report, " + expected);
  EXPECT_EQ(error(folder_.path()), ": found a directory, " + expected + ": if it is a trace, analyse it first");
  EXPECT_EQ(error(folder_ / "none"), ": no such file");
}

TEST_F(ReportFile, is_report_never_throws) {
  EXPECT_FALSE(waitstate::is_report(file("0 0 enter main\n")));
  EXPECT_FALSE(waitstate::is_report(file("")));
  EXPECT_FALSE(waitstate::is_report(folder_.path()));
  EXPECT_FALSE(waitstate::is_report(folder_ / "none"));
  EXPECT_TRUE(waitstate::is_report(file("{")));  // it looks like a report; reading it reports the error
}

}  // namespace
}  // namespace waitstate::test

// CSV of a small result, to the last byte.
#include <gtest/gtest.h>

#include <sstream>

#include "report/csv/csv_writer.hpp"
#include "report/format/csv.hpp"
#include "report/small_result.hpp"

namespace waitstate::test {
namespace {

std::string csv_table(const AnalysisResult& result) {
  std::ostringstream out;
  report::write_csv(result, out);
  return out.str();
}

TEST(Csv, texts_are_no_formulas_for_spreadsheets) {
  EXPECT_EQ(report::csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(report::csv_field("+1"), "'+1");
  EXPECT_EQ(report::csv_field("-2+3,x\"y"), "\"'-2+3,x\"\"y\"");
  EXPECT_EQ(report::csv_field("@SUM(1)"), "'@SUM(1)");
  EXPECT_EQ(report::csv_field("main/=1"), "main/=1");
  EXPECT_EQ(report::csv_field(""), "");
}

TEST(Csv, is_inclusive_along_metrics_and_quotes_what_needs_it) {
  EXPECT_EQ(csv_table(small_result()), R"(metric,callpath,location,value
time,main,0,0.0045
time,main,1,0.0015
time,"main/work<int, ""x"">/MPI_Recv",1,0.0025
mpi_point2point,"main/work<int, ""x"">/MPI_Recv",1,0.0025
mpi_latesender,"main/work<int, ""x"">/MPI_Recv",1,0.002
bytes,"main/work<int, ""x"">/MPI_Recv",1,2048
)");
}

TEST(Csv, seconds_have_twelve_significant_digits) {
  AnalysisResult result = small_result();
  result.definitions.clock.resolution = 3;
  EXPECT_NE(csv_table(result).find("\ntime,main,1,500\n"), std::string::npos);
  EXPECT_NE(csv_table(result).find("\nmpi_latesender,\"main/work<int, \"\"x\"\">/MPI_Recv\",1,666.666666667\n"),
            std::string::npos);
}

TEST(Csv, of_nothing_is_its_header) { EXPECT_EQ(csv_table(AnalysisResult{}), "metric,callpath,location,value\n"); }

}  // namespace
}  // namespace waitstate::test

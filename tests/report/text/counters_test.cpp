// Rates of counters in reports: per second of the time of a call path on a location, or the mean of a state.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "report/compare/diff.hpp"
#include "report/csv/csv_writer.hpp"
#include "report/csv/view_csv.hpp"
#include "report/json/json_reader.hpp"
#include "report/json/json_writer.hpp"
#include "report/text/tables/views.hpp"
#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate {
namespace {

// MISSES: 5 in main until 10; 8 in foo from 10 to 30; main again until 50: 1. Ticks of a nanosecond: 6 / 30 ns = 2e8 a
// second, 8 / 20 ns = 4e8. memory: 100 and 300 in main: mean 200. watt holds 2 from 10 to 50.
constexpr const char* counted = R"(metric_member 0 name=MISSES unit="#" value=uint64
metric_member 1 name=memory unit=bytes mode=17 value=uint64
metric_member 2 name=watt unit=W mode=49 value=uint64
metric 0 members=(0)
metric 1 members=(1) occurrence=asynchronous
metric 2 members=(2) occurrence=asynchronous
0 0 metric metric=0 values=(uint64:0)
0 0 enter main
0 10 metric metric=0 values=(uint64:5)
0 10 metric metric=1 values=(uint64:100)
0 10 metric metric=2 values=(uint64:2)
0 10 enter foo
0 30 metric metric=0 values=(uint64:13)
0 30 exit
0 50 metric metric=0 values=(uint64:14)
0 50 metric metric=1 values=(uint64:300)
0 50 metric metric=2 values=(uint64:2)
0 50 exit
)";

std::string json_of(const AnalysisResult& result) {
  std::ostringstream out;
  report::write_json(result, out);
  return out.str();
}

AnalysisResult analyzed(const std::string& text) {
  const support::TraceFile trace(text);
  return analyze(trace.path(), {});
}

TEST(CounterRates, of_each_call_path_and_location_in_json) {
  const AnalysisResult result = analyzed(counted);
  const std::string text = json_of(result);
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  EXPECT_TRUE(has(R"("columns":["callpath","location","samples","weight","least","greatest","rate","mean"])")) << text;
  EXPECT_TRUE(has("[1,0,2,2,1,5,200000000")) << text;
  EXPECT_TRUE(has("[2,0,1,1,8,8,400000000,null]")) << text;
  EXPECT_TRUE(has("[1,0,2,2,100,300,null,200]")) << text;
  EXPECT_TRUE(has("[1,0,1,40,2,2,null,2]")) << text;
}

TEST(CounterRates, in_the_view_by_call_path) {
  const AnalysisResult result = analyzed(counted);
  std::ostringstream out;
  report::view_csv(result, result.metrics.at("MISSES"), report::ViewBy::callpath, out);
  EXPECT_EQ(out.str(), "metric,callpath,exclusive,inclusive,rate\nMISSES,main,6,14,2e+08\nMISSES,main/foo,8,8,4e+08\n");
}

TEST(CounterRates, in_csv) {
  const AnalysisResult result = analyzed(counted);
  std::ostringstream out;
  report::write_csv(result, out);
  const std::string text = out.str();
  EXPECT_EQ(text.substr(0, text.find('\n')), "metric,callpath,location,value,rate,mean");
  for (const char* row : {"time,main,0,3e-08,,\n", "MISSES,main,0,6,200000000,\n", "MISSES,main/foo,0,8,400000000,\n",
                          "memory,main,0,400,,200\n", "watt,main,0,8e-08,,2\n"})
    EXPECT_NE(text.find('\n' + std::string(row)), std::string::npos) << row << text;
}

// A number that holds for a time is not a time: 3 tasks from 0 to 40 are 120 task-nanoseconds, and a mean of 3.
TEST(CounterRates, of_a_number_without_unit_is_no_time) {
  for (const char* unit : {"", "unit=\"#\" "}) {
    const AnalysisResult result = analyzed(std::string("metric_member 0 name=tasks ") + unit +
                                           "mode=49 value=uint64\nmetric 0 members=(0)\n0 0 enter main\n"
                                           "0 0 metric metric=0 values=(uint64:3)\n"
                                           "0 40 metric metric=0 values=(uint64:5)\n0 50 exit\n");
    const MetricInfo& info = result.metrics[result.metrics.at("tasks")];
    EXPECT_EQ(info.unit_name, "#*s");
    EXPECT_EQ(info.unit, Unit::counter);
    const std::string view = view_text(result, result.metrics.at("tasks"), report::ViewBy::callpath, {});
    EXPECT_EQ(view.substr(0, view.find('\n')), "tasks  tasks: 1.2e-07 #*s") << view;
    EXPECT_NE(view.find("own #*s      %          mean"), std::string::npos) << view;
  }
}

// Each call path has a row per metric: the text must grow in proportion to their number, not to its square. Two rows of
// a metric must never look the same.
AnalysisResult recursion(int depth, int step = 2, const char* function = "f") {
  std::string text;
  for (int i = 0; i < depth; ++i) text += "0 " + std::to_string(i) + " enter " + function + '\n';
  for (int i = 0; i < depth; ++i) text += "0 " + std::to_string(depth + step * i) + " exit\n";
  return analyzed(text);
}

TEST(DeepCallPaths, are_shortened_in_csv) {
  const auto csv = [](const AnalysisResult& r) {
    std::ostringstream out, view;
    report::write_csv(r, out);
    report::view_csv(r, r.metrics.at("time"), report::ViewBy::callpath, view);
    return std::pair(out.str(), view.str());
  };
  const auto [once, view_once] = csv(recursion(2500));
  const auto [twice, view_twice] = csv(recursion(5000));
  const auto [thrice, view_thrice] = csv(recursion(7500));
  EXPECT_LE(thrice.size() - twice.size(), (twice.size() - once.size()) * 11 / 10);
  EXPECT_LE(view_thrice.size() - view_twice.size(), (view_twice.size() - view_once.size()) * 11 / 10);
  EXPECT_LE(thrice.size(), 40u << 20);
  EXPECT_NE(view_once.find("\ntime,f/f/f/f/f/f/f/f/…/[call path 2499 of depth 2500]/…/f/f/f/f/f/f/f/f,"),
            std::string::npos);

  const auto [small, view_small] = csv(recursion(300));
  EXPECT_EQ(small.find("call path"), std::string::npos);
}

// The same holds for changes between two results; and rows that only the first result has are not taken for rows that
// only the second one has.
TEST(DeepCallPaths, are_shortened_in_differences) {
  const auto csv = [](const AnalysisResult& a, const AnalysisResult& b, const std::vector<std::string>& only) {
    std::ostringstream out;
    report::diff_csv(report::difference(a, b, only), out);
    return out.str();
  };
  const std::string once = csv(recursion(2500), recursion(2500, 4), {"time"});
  const std::string twice = csv(recursion(3000), recursion(3000, 4), {"time"});
  const std::string thrice = csv(recursion(3500), recursion(3500, 4), {"time"});
  EXPECT_LE(thrice.size() - twice.size(), (twice.size() - once.size()) * 11 / 10);
  EXPECT_NE(once.find("\ntime,f/f/f/f/f/f/f/f/…/[call path 2400 of depth 2401]/…/f/f/f/f/f/f/f/f,"), std::string::npos);

  const std::string other = csv(recursion(2500, 2, "f"), recursion(2500, 2, "g"), {"visits"});
  EXPECT_NE(other.find("\nvisits,f/f/f/f/f/f/f/f/…/[call path 2400 of depth 2401 of A]/…/f/f/f/f/f/f/f/f,1,,-1,"),
            std::string::npos);
  EXPECT_NE(other.find("\nvisits,g/g/g/g/g/g/g/g/…/[call path 2400 of depth 2401]/…/g/g/g/g/g/g/g/g,,1,1,"),
            std::string::npos);
}

}  // namespace
}  // namespace waitstate

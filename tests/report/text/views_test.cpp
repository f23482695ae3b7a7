// One metric along the call tree, along the system tree and by region: whole texts of a small result, and the omissions
// in large ones.
#include <gtest/gtest.h>

#include <chrono>
#include <sstream>

#include "report/csv/view_csv.hpp"
#include "report/judged.hpp"
#include "report/small_result.hpp"
#include "report/text/tables/views.hpp"

namespace waitstate::test {
namespace {

using report::view_csv;
using report::view_text;
using report::ViewBy;

constexpr MetricIndex time_metric = 0;

std::string csv(ViewBy by) {
  std::ostringstream out;
  const AnalysisResult result = small_result();
  view_csv(result, time_metric, by, out);
  return out.str();
}

TEST(Views, callpath) {
  EXPECT_EQ(view_text(small_result(), time_metric, ViewBy::callpath, {}),
            R"(time  Time: 8.500 ms, 100.0 % of the total time
Total time of all locations.

 own time      %  with callees      %  call path
 6.000 ms   70.6      8.500 ms  100.0  main  p2p.c:3
                      2.500 ms   29.4    work<int, "x">
 2.500 ms   29.4      2.500 ms   29.4      MPI_Recv
)");
}

TEST(Views, location) {
  EXPECT_EQ(view_text(small_result(), time_metric, ViewBy::location, {}),
            R"(time  Time: 8.500 ms, 100.0 % of the total time
Total time of all locations.

     time      %  location
 4.500 ms   52.9  rank 0
 4.000 ms   47.1  rank 1

Over 2 processes: smallest 4.000 ms (rank 1), mean 4.250 ms, largest 4.500 ms (rank 0); imbalance
5.6 % (1 - mean / largest).
)");
}

TEST(Views, a_long_way_up_the_system_tree_takes_no_more_than_its_length) {
  AnalysisResult result = small_result();
  constexpr std::size_t depth = 30'000;
  const std::string name(1000, 'n');
  std::vector<SystemTreeNode>& tree = result.definitions.system_tree;
  tree.resize(depth);
  for (std::size_t i = 0; i < depth; ++i) {
    tree[i].name = name;
    if (i > 0) tree[i].parent = SystemNodeId{i - 1};
  }
  result.definitions.processes[0].parent = SystemNodeId{depth - 1};
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = view_text(result, time_metric, ViewBy::location, {}, {true, 0});
  EXPECT_NE(text.find("rank 0 on " + name + '/' + name), std::string::npos);
  EXPECT_GT(text.size(), depth * 1001);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));  // a slow writer takes minutes
}

TEST(Views, location_in_short_is_the_hottest_first_and_in_full_in_order) {
  const auto lines = [](bool full, std::size_t top) {
    AnalysisResult result = small_result();
    result.severities.add(time_metric, CallPathId{0}, LocationId{1}, 5000);
    const std::string text = view_text(result, time_metric, ViewBy::location, {}, {full, top});
    return text.substr(text.find("location\n") + 9);
  };
  EXPECT_EQ(lines(false, 1).substr(0, 77),
            " 9.000 ms   66.7  rank 1\nand 1 more process (--full shows all)\n\nOver 2 proces");
  EXPECT_LT(lines(true, 1).find("rank 0"), lines(true, 1).find("rank 1"));
}

TEST(Views, region) {
  EXPECT_EQ(view_text(small_result(), time_metric, ViewBy::region, {}),
            R"(time  Time: 8.500 ms, 100.0 % of the total time
Total time of all locations.

     time      %  region
 6.000 ms   70.6  main  p2p.c:3
 2.500 ms   29.4  MPI_Recv
)");
}

TEST(Views, the_program_is_not_taken_for_regions_that_are_not_known) {
  AnalysisResult result = small_result();
  const StringId name = result.definitions.intern("/bin/p2p");
  const CallPathId program = result.call_tree.find_or_add({CallPathId::none(), RegionId::none(), name});
  const CallPathId unknown = result.call_tree.find_or_add({program, RegionId::none(), StringId::none()});
  result.severities.add(time_metric, program, LocationId{0}, 3000);
  result.severities.add(time_metric, unknown, LocationId{0}, 1000);
  const std::string text = view_text(result, time_metric, ViewBy::region, {});
  EXPECT_NE(text.find(" 3.000 ms   24.0  (the program itself)\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" 1.000 ms    8.0  (unknown region)\n"), std::string::npos) << text;
  std::ostringstream rows;
  view_csv(result, time_metric, ViewBy::region, rows);
  EXPECT_NE(rows.str().find("\ntime,,,,0.003\ntime,(unknown region),,,0.001\n"), std::string::npos) << rows.str();
}

TEST(Views, counts_have_no_decimals_and_no_share_of_time) {
  const AnalysisResult result = small_result();
  const std::string text = view_text(result, result.metrics.find("bytes"), ViewBy::region, {});
  EXPECT_EQ(text, R"(bytes  Bytes: 2.0 KiB (2,048)

    bytes      %  region
    2,048  100.0  MPI_Recv
)");
}

TEST(Views, nothing_is_said_to_be_nothing) {
  const AnalysisResult result = small_result();
  EXPECT_EQ(view_text(result, result.metrics.find("visits"), ViewBy::callpath, {}),
            "visits  Visits: 0\n\nIt is zero everywhere.\n");
}

TEST(Views, what_the_trace_cannot_tell_is_not_said_to_be_nothing) {
  AnalysisResult result = small_result();
  result.events_by_type[static_cast<std::size_t>(EventType::isend)] = 2;
  result.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{1}, 2500, "MPI_Recv"});
  result = judged(std::move(result));
  const MetricIndex receiver = result.metrics.find("mpi_latereceiver"), sender = result.metrics.find("mpi_latesender");
  EXPECT_EQ(view_text(result, receiver, ViewBy::location, {}), R"(mpi_latereceiver  Late Receiver: unknown

Unknown in this trace
  mpi_latereceiver: 2 of 2 non-blocking sends without a completion in the trace: it is not known how
  long they waited
)");
  EXPECT_EQ(view_text(result, sender, ViewBy::region, {}),
            R"(mpi_latesender  Late Sender: at least 2.000 ms, 23.5 % of the total time
Receives that wait for their send.

     time      %  region
 2.000 ms  100.0  MPI_Recv

Unknown in this trace
  mpi_latesender: 1 of 1 receive without a send in the trace: it is not known whether the sender was
  late
)");
}

TEST(Views, what_is_small_is_left_out_and_counted) {
  AnalysisResult result = small_result();
  result.severities.add(time_metric, CallPathId{1}, LocationId{0}, 10);  // 0.1 %
  const std::string in_short = view_text(result, time_metric, ViewBy::region, {});
  EXPECT_NE(in_short.find("\nand 1 more region (--full shows all)\n"), std::string::npos) << in_short;
  const std::string full = view_text(result, time_metric, ViewBy::region, {}, {true, 20});
  EXPECT_NE(full.find("work<int"), std::string::npos);
  EXPECT_EQ(full.find("more region"), std::string::npos);
  const std::string tree = view_text(result, time_metric, ViewBy::callpath, {}, {false, 1});
  EXPECT_NE(tree.find("\nand 2 more call paths (--full shows all)\n"), std::string::npos) << tree;
}

TEST(Views, deep_trees_and_long_names_fit_the_width) {
  AnalysisResult result = small_result();
  CallPathId deep{2};
  for (int i = 0; i < 100; ++i) {
    Region region;
    region.name = std::string(200, 'x');
    result.definitions.regions.push_back(region);
    deep = result.call_tree.find_or_add({deep, RegionId{result.definitions.regions.size() - 1}, StringId::none()});
  }
  result.severities.add(time_metric, deep, LocationId{0}, 100'000);
  std::istringstream lines(view_text(result, time_metric, ViewBy::callpath, {60}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(report::columns(line), 60u) << line;
}

TEST(Views, csv) {
  EXPECT_EQ(csv(ViewBy::callpath), R"(metric,callpath,exclusive,inclusive
time,main,0.006,0.0085
time,"main/work<int, ""x"">",0,0.0025
time,"main/work<int, ""x"">/MPI_Recv",0.0025,0.0025
)");
  EXPECT_EQ(csv(ViewBy::location), "metric,process,location,value\ntime,rank 0,0,0.0045\ntime,rank 1,1,0.004\n");
  EXPECT_EQ(csv(ViewBy::region), "metric,region,file,line,value\ntime,main,p2p.c,3,0.006\ntime,MPI_Recv,MPI,,0.0025\n");
}

}  // namespace
}  // namespace waitstate::test

// Reports that we write: their content byte by byte, and that they read back unchanged. The file is long because the
// parts of an archive stand here in full.
#include "report/cube/writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <map>
#include <sstream>

#include "report/cube/anchor_writer.hpp"
#include "report/cube/cube_support.hpp"
#include "report/facts/completeness.hpp"
#include "report/facts/undetermined.hpp"
#include "report/judged.hpp"
#include "report/small_result.hpp"
#include "report/text/trace_warnings.hpp"
#include "report/words/completeness.hpp"
#include "report/words/focus.hpp"
#include "report/words/patterns_run.hpp"
#include "util/utf8.hpp"

namespace waitstate::test {
namespace {

using report::read_cube;
using util::xml_text;
using CubeWriter = CubeTest;

TEST_F(CubeWriter, WritesTheAnchorThatTheCubeLibraryReads) {
  report::write_cube(small_result(), file());
  EXPECT_EQ(members_of(file()).back().second, R"(<?xml version="1.0" encoding="UTF-8"?>
<cube version="4.4">
<attr key="Creator" value="waitstate" />
<attr key="Recorder" value="Score-P 8.4" />
<attr key="waitstate warnings" value="none" />
<doc>
<mirrors>
<murl>http://apps.fz-juelich.de/scalasca/releases/scalasca/2.6/help/</murl>
</mirrors>
</doc>
<metrics>
<metric id="0" type="EXCLUSIVE">
<disp_name>Time</disp_name>
<uniq_name>time</uniq_name>
<dtype>DOUBLE</dtype>
<uom>sec</uom>
<url>@mirror@scalasca_patterns.html#time</url>
<descr>Total time of all locations.</descr>
<metric id="1" type="EXCLUSIVE">
<disp_name>Point-to-point</disp_name>
<uniq_name>mpi_point2point</uniq_name>
<dtype>DOUBLE</dtype>
<uom>sec</uom>
<url>@mirror@scalasca_patterns.html#mpi_point2point</url>
<descr></descr>
<metric id="2" type="EXCLUSIVE">
<disp_name>Late Sender</disp_name>
<uniq_name>mpi_latesender</uniq_name>
<dtype>DOUBLE</dtype>
<uom>sec</uom>
<url>@mirror@scalasca_patterns.html#mpi_latesender</url>
<descr>Receives that wait for their send.</descr>
</metric>
<metric id="3" type="EXCLUSIVE">
<disp_name>Late Receiver</disp_name>
<uniq_name>mpi_latereceiver</uniq_name>
<dtype>DOUBLE</dtype>
<uom>sec</uom>
<url>@mirror@scalasca_patterns.html#mpi_latereceiver</url>
<descr></descr>
</metric>
</metric>
</metric>
<metric id="4" type="EXCLUSIVE">
<disp_name>Bytes</disp_name>
<uniq_name>bytes</uniq_name>
<dtype>UINT64</dtype>
<uom>bytes</uom>
<url>@mirror@scalasca_patterns.html#bytes</url>
<descr></descr>
</metric>
<metric id="5" type="EXCLUSIVE">
<disp_name>Visits</disp_name>
<uniq_name>visits</uniq_name>
<dtype>UINT64</dtype>
<uom>occ</uom>
<url>@mirror@scalasca_patterns.html#visits</url>
<descr></descr>
</metric>
</metrics>
<program>
<region id="0" mod="p2p.c" begin="3" end="-1">
<name>main</name>
<mangled_name>main</mangled_name>
<paradigm>unknown</paradigm>
<role>unknown</role>
<url></url>
<descr></descr>
</region>
<region id="1" mod="" begin="-1" end="-1">
<name>work&lt;int, "x"&gt;</name>
<mangled_name>work&lt;int, "x"&gt;</mangled_name>
<paradigm>unknown</paradigm>
<role>unknown</role>
<url></url>
<descr></descr>
</region>
<region id="2" mod="MPI" begin="-1" end="-1">
<name>MPI_Recv</name>
<mangled_name>MPI_Recv</mangled_name>
<paradigm>unknown</paradigm>
<role>unknown</role>
<url></url>
<descr></descr>
</region>
<cnode id="0" calleeId="0">
<cnode id="1" calleeId="1">
<cnode id="2" calleeId="2"></cnode>
</cnode>
</cnode>
</program>
<system>
<systemtreenode Id="0">
<name>unknown</name>
<class>machine</class>
<locationgroup Id="0">
<name>MPI Rank 0</name>
<rank>0</rank>
<type>process</type>
<location Id="0">
<name>Master thread</name>
<rank>0</rank>
<type>thread</type>
</location>
</locationgroup>
<locationgroup Id="1">
<name>MPI Rank 1</name>
<rank>1</rank>
<type>process</type>
<location Id="1">
<name>Master thread</name>
<rank>0</rank>
<type>thread</type>
</location>
</locationgroup>
</systemtreenode>
</system>
</cube>
)");
}

TEST_F(CubeWriter, WritesARowForEachCallPathThatHasAValue) {
  report::write_cube(small_result(), file());
  const Members members = members_of(file());
  std::vector<std::string> names;
  for (const auto& [name, bytes] : members) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"trace.stat", "0.data", "0.index", "1.data", "1.index", "2.data",
                                             "2.index", "4.data", "4.index", "anchor.xml"}));
  // time: main 4500 and 1500 us, MPI_Recv (call path 2) 0 and, with point-to-point below it, 2500 us.
  EXPECT_EQ(members[1].second, "CUBEX.DATA" + numbers({0.0045, 0.0015, 0.0, 0.0025}));
  EXPECT_EQ(members[2].second, sparse_index({0, 2}));
  EXPECT_EQ(members[7].second, "CUBEX.DATA" + numbers<std::uint64_t>({0, 2048}));
  EXPECT_EQ(members[8].second, sparse_index({2}));
}

TEST_F(CubeWriter, ReadsBackWhatWasWritten) {
  const AnalysisResult written = small_result();
  report::write_cube(written, file());
  const AnalysisResult read = read_cube(file());
  EXPECT_EQ(table_of(read), table_of(written));
  EXPECT_EQ(table_of(read),
            "time main 0 4500000\n"
            "time main 1 1500000\n"
            "time main/work<int, \"x\">/MPI_Recv 1 2500000\n"
            "mpi_point2point main/work<int, \"x\">/MPI_Recv 1 2500000\n"
            "mpi_latesender main/work<int, \"x\">/MPI_Recv 1 2000000\n"
            "bytes main/work<int, \"x\">/MPI_Recv 1 2048\n");
  EXPECT_EQ(read.path, file());
  const Definitions& d = read.definitions;
  EXPECT_EQ(d.clock.resolution, 1'000'000'000u);
  EXPECT_EQ(d.recorder.creator, "Score-P 8.4");
  ASSERT_EQ(d.regions.size(), 3u);
  EXPECT_EQ(d.regions[0].file, "p2p.c");
  EXPECT_EQ(d.regions[0].begin_line, 3u);
  EXPECT_EQ(d.regions[0].end_line, 0u);
  EXPECT_EQ(d.regions[2].mpi_function, MpiFunction::recv);
  ASSERT_EQ(d.processes.size(), 2u);
  EXPECT_EQ(d.processes[1].name, "MPI Rank 1");
  EXPECT_EQ(d.processes[1].rank, 1);
  EXPECT_EQ(d.processes[1].locations, std::vector{LocationId{1}});
  EXPECT_EQ(d.locations[1].name, "Master thread");
  EXPECT_EQ(read.locations.size(), 2u);
  ASSERT_EQ(read.metrics.size(), 6u);
  EXPECT_EQ(read.metrics[2].title, "Late Sender");
  EXPECT_EQ(read.metrics[2].summary, "Receives that wait for their send.");
  EXPECT_EQ(read.metrics[2].parent, 1u);
  // Point-to-point is a summand of time, a wait state a share of point-to-point: each keeps its own part.
  EXPECT_FALSE(read.metrics[1].within_parent);
  EXPECT_TRUE(read.metrics[2].within_parent);
  EXPECT_EQ(read.severities.value(0, CallPathId{2}, LocationId{1}), 0);
  EXPECT_EQ(read.severities.value(1, CallPathId{2}, LocationId{1}), 2'500'000);
  EXPECT_FALSE(read.diagnostics.any(DiagnosticSeverity::odd));
}

/// The metrics of the report in its order, each with its depth.
std::string metric_tree_of(const std::string& path) {
  std::string text, indent;
  std::istringstream anchor(members_of(path).back().second);
  for (std::string line; std::getline(anchor, line);) {
    if (line.starts_with("<metric ")) indent += "  ";
    if (line == "</metric>") indent.resize(indent.size() - 2);
    if (line.starts_with("<uniq_name>")) text += indent + line.substr(11, line.find("</") - 11) + "\n";
  }
  return text;
}

/// The rest of each metric after its children in the report are subtracted: the least value, in seconds; and the
/// metric.
std::pair<double, std::string> least_exclusive(const std::string& path) {
  std::map<std::string, std::map<std::string, double>> values;  // by metric, then by index and place
  std::map<std::string, std::string> ids, parents;
  std::vector<std::string> open;
  const Members members = members_of(path);
  std::istringstream anchor(members.back().second);
  for (std::string line; std::getline(anchor, line);) {
    if (line.starts_with("<metric ")) {
      const std::string number = line.substr(12, line.find('"', 12) - 12);
      parents[number] = open.empty() ? "" : open.back();
      open.push_back(number);
    }
    if (line == "</metric>") open.pop_back();
    if (line.starts_with("<uniq_name>")) ids[open.back()] = line.substr(11, line.find("</") - 11);
  }
  for (std::size_t i = 0; i + 1 < members.size(); ++i) {
    const std::string& name = members[i].first;
    if (!name.ends_with(".data")) continue;
    const std::string& data = members[i].second;
    const std::string& index = members[i + 1].second;
    std::uint32_t rows = 0;
    std::memcpy(&rows, index.data() + 18, 4);
    const std::size_t columns = rows == 0 ? 0 : (data.size() - 10) / 8 / rows;
    for (std::uint32_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) {
        double value = 0;
        std::memcpy(&value, data.data() + 10 + (r * columns + c) * 8, 8);
        std::uint32_t cnode = 0;
        std::memcpy(&cnode, index.data() + 22 + 4 * r, 4);
        values[name.substr(0, name.size() - 5)][fmt::format("{} {}", cnode, c)] = value;
      }
  }
  std::map<std::string, std::map<std::string, double>> sums;
  for (const auto& [metric, of_metric] : values)
    if (!parents[metric].empty())
      for (const auto& [cell, value] : of_metric) sums[parents[metric]][cell] += value;
  std::pair<double, std::string> least{0, ""};
  for (const auto& [metric, of_metric] : sums)
    for (const auto& [cell, sum] : of_metric)
      if (const double left = values[metric][cell] - sum; left < least.first) least = {left, ids[metric] + " " + cell};
  return least;
}

/// All metrics that are built in; rank 1 was 2.5 ms in a receive that waited 2 ms for its sender, and for which half a
/// dozen other properties hold too.
AnalysisResult overlapping() {
  AnalysisResult r = small_result();
  r.metrics = MetricTree::built_in();
  r.severities = Severities(r.metrics.size());
  const auto add = [&](const char* id, std::int64_t ticks) {
    r.severities.add(r.metrics.at(id), CallPathId{2}, LocationId{1}, ticks);
  };
  add("mpi_point2point", 2500);
  for (const char* id : {"mpi_latesender", "mpi_latesender_wo", "slow_slaves"}) add(id, 2000);
  for (const char* id : {"overloaded_master", "wrong_order"}) add(id, 1500);
  for (const char* id : {"dominating_communication", "frequent_communication", "big_messages"}) add(id, 2500);
  r.waits.clear();
  return r;
}

TEST_F(CubeWriter, OverlappingMetricsAreRootsAndGoBackWhereTheyBelong) {
  const AnalysisResult written = overlapping();
  report::write_cube(written, file());
  EXPECT_EQ(least_exclusive(file()), std::pair(0., std::string()));
  const std::string tree = metric_tree_of(file());
  const std::size_t begin = tree.find("          mpi_point2point\n");
  EXPECT_EQ(tree.substr(begin, tree.find("          mpi_collective\n") - begin),
            "          mpi_point2point\n            mpi_latesender\n              mpi_latesender_wo\n"
            "                mpi_lswo_different\n                mpi_lswo_same\n            mpi_probe_wait\n"
            "            mpi_poll_wait\n            mpi_latereceiver\n");
  for (const char* id : {"slow_slaves", "overloaded_master", "wrong_order", "dominating_communication", "big_messages",
                         "frequent_communication", "omp_task_starvation", "accelerator_wait", "omp_thread_mpi_wait"})
    EXPECT_NE(tree.find(std::string("\n  ") + id + "\n"), std::string::npos) << id;
  EXPECT_NE(tree.find("\n  omp_task_starvation\n    omp_task_creation_bottleneck\n"), std::string::npos);
  EXPECT_LT(tree.find("big_messages"), tree.find("  visits")) << "behind the tree that they are from";

  const AnalysisResult read = read_cube(file());
  EXPECT_EQ(table_of(read), table_of(written));
  const auto list = [](const MetricTree& metrics) {
    std::string text;
    for (const MetricIndex m : metrics.depth_first())
      text += fmt::format("{} {} {}\n", metrics[m].id, metrics[m].within_parent,
                          metrics[m].parent == no_metric ? "-" : metrics[metrics[m].parent].id);
    return text;
  };
  EXPECT_EQ(list(read.metrics), list(written.metrics));
  const auto of = [&](const char* id) -> const MetricInfo& { return read.metrics[read.metrics.at(id)]; };
  EXPECT_EQ(of("mpi_latesender").siblings, Siblings::disjoint);
  for (const char* id : {"slow_slaves", "overloaded_master", "wrong_order", "big_messages"})
    EXPECT_EQ(of(id).siblings, Siblings::overlapping) << id;
  EXPECT_EQ(of("accelerator_wait").siblings, Siblings::elsewhere);
  for (const char* id : {"wrong_order", "mpi_latesender", "mpi_lswo_same"})
    EXPECT_FALSE(of(id).texts.definition.empty() || of(id).texts.diagnosis.empty()) << id;
  report::write_cube(read, file("again.cubex"));
  EXPECT_EQ(metric_tree_of(file("again.cubex")), tree);
  EXPECT_EQ(table_of(read_cube(file("again.cubex"))), table_of(written));
}

// Makes the reports of several runs comparable.
TEST_F(CubeWriter, TheTreeOfBuiltInMetricsDoesNotDependOnTheValues) {
  AnalysisResult r = overlapping();
  report::write_cube(r, file());
  const std::string tree = metric_tree_of(file());
  r.severities = Severities(r.metrics.size());
  report::write_cube(r, file());
  EXPECT_EQ(metric_tree_of(file()), tree);
}

TEST_F(CubeWriter, WhatDoesNotFitBelowItsParentIsARootToo) {
  AnalysisResult r = small_result();  // the receive took 2500, 2000 of which are Late Sender
  const auto add = [&](const char* id, std::int64_t ticks) {
    r.metrics.set_from_plugin(r.metrics.add(id, "mpi_point2point", Unit::seconds, true, "", "", MetricKind::wait));
    r.severities.grow(r.metrics.size());
    r.severities.add(r.metrics.at(id), CallPathId{2}, LocationId{1}, ticks);
  };
  add("fits", 400);
  add("too_much", 101);
  add("fits_too", 100);
  report::write_cube(r, file());
  EXPECT_EQ(metric_tree_of(file()),
            "  time\n    mpi_point2point\n      mpi_latesender\n      mpi_latereceiver\n      fits\n      fits_too\n"
            "  too_much\n  bytes\n  visits\n");
  EXPECT_EQ(least_exclusive(file()), std::pair(0., std::string()));
  const AnalysisResult read = read_cube(file());
  EXPECT_EQ(table_of(read), table_of(r));
  EXPECT_EQ(read.metrics[read.metrics.at("too_much")].parent, read.metrics.at("mpi_point2point"));
  EXPECT_TRUE(read.metrics[read.metrics.at("too_much")].within_parent);
}

// 10,000 hours in ticks of a nanosecond: parts that are rounded each on its own may be more than the whole.
TEST_F(CubeWriter, RoundingLeavesNothingBelowZero) {
  AnalysisResult r = small_result();
  r.definitions.clock.resolution = 1'000'000'000;
  r.metrics = MetricTree::built_in();
  r.severities = Severities(r.metrics.size());
  std::uint64_t random = 1;
  for (std::uint32_t l = 0; l < 2; ++l)
    for (std::size_t path = 0; path < 3; ++path)
      for (const char* id : {"comp", "mpi_init_exit", "mpi_point2point", "mpi_collective", "mpi_mgmt_win",
                             "omp_ebarrier", "omp_ibarrier", "overhead"}) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        r.severities.add(r.metrics.at(id), CallPathId{path}, LocationId{l}, static_cast<std::int64_t>(random >> 9));
      }
  report::write_cube(r, file());
  EXPECT_EQ(least_exclusive(file()), std::pair(0., std::string()));
}

TEST_F(CubeWriter, AListOfMetricsThatIsNotTheirsIsPassedOver) {
  report::write_cube(overlapping(), file());
  Members members = members_of(file());
  std::string& anchor = members.back().second;
  const std::size_t at = anchor.find("waitstate metrics\" value=\"") + 26;
  const std::string whole = anchor;
  for (const std::string& list : {std::string("0 0 1"), std::string("1 0"), std::string("x")}) {
    anchor = whole.substr(0, at) + list + whole.substr(whole.find('"', at));
    archive(members);
    const AnalysisResult read = read_cube(file());
    EXPECT_EQ(read.metrics[read.metrics.at("big_messages")].parent, no_metric);
  }
}

/// Three metrics of plug-ins: a wait below Late Sender, a root, and a part of the time of messages.
AnalysisResult with_plugin_metrics() {
  AnalysisResult r = small_result();
  r.metrics.set_from_plugin(
      r.metrics.add("own_wait", "mpi_latesender", Unit::seconds, true, "Own wait", "", MetricKind::wait));
  r.metrics.set_from_plugin(r.metrics.add("own_root", "", Unit::seconds, true, "Own root", ""));
  r.metrics.set_from_plugin(
      r.metrics.add("own_part", "mpi_point2point", Unit::seconds, false, "Own part", "", MetricKind::completion));
  r.severities.grow(r.metrics.size());
  r.severities.add(r.metrics.at("own_part"), CallPathId{2}, LocationId{1}, 500);
  return r;
}

TEST_F(CubeWriter, TheSameResultGivesTheSameBytesAlsoAfterReading) {
  report::write_cube(small_result(), file("a.cubex"));
  report::write_cube(small_result(), file("b.cubex"));
  EXPECT_EQ(bytes_of(file("a.cubex")), bytes_of(file("b.cubex")));
  report::write_cube(read_cube(file("a.cubex")), file("c.cubex"));
  report::write_cube(read_cube(file("c.cubex")), file("d.cubex"));
  EXPECT_EQ(bytes_of(file("c.cubex")), bytes_of(file("d.cubex")));
}

TEST_F(CubeWriter, HeadersAreUstarWithoutDatesAndOwners) {
  report::write_cube(small_result(), file());
  const std::string tar = bytes_of(file());
  std::size_t members = 0, at = 0;
  for (; tar[at] != '\0'; ++members) {
    const std::string head = tar.substr(at, 512);
    EXPECT_EQ(head.substr(257, 8), std::string("ustar\00000", 8)) << at;
    EXPECT_EQ(head[156], '0');
    EXPECT_EQ(head.substr(100, 7), "000644 ");
    for (const std::size_t number : {108, 116}) EXPECT_EQ(head.substr(number, 6), "000000");  // owner, group
    EXPECT_EQ(head.substr(136, 11), "00000000000");                                           // time
    unsigned sum = 8 * ' ';
    for (std::size_t i = 0; i < 512; ++i)
      if (i < 148 || i >= 156) sum += static_cast<unsigned char>(head[i]);
    EXPECT_EQ(std::stoul(head.substr(148, 8), nullptr, 8), sum);
    at += 512 + (std::stoul(head.substr(124, 12), nullptr, 8) + 511) / 512 * 512;
  }
  EXPECT_EQ(members, 10u);
  EXPECT_EQ(tar.substr(at), std::string(1024, '\0'));
}

TEST_F(CubeWriter, KeepsRootsProgramsThreadsAndPathsWithoutARegion) {
  AnalysisResult r;
  Definitions& d = r.definitions;
  d.clock.resolution = 1'000'000'000;
  SystemTreeNode machine, node;
  machine.name = "cluster";
  machine.class_name = "machine";
  node.name = "n0";
  node.class_name = "node";
  node.parent = SystemNodeId{0};
  d.system_tree = {machine, node};
  LocationGroup process, gpu;
  process.name = "rank";
  process.type = LocationGroupType::process;
  process.rank = 7;
  process.parent = SystemNodeId{1};
  gpu.name = "gpu";
  gpu.type = LocationGroupType::accelerator;
  gpu.parent = SystemNodeId{0};
  d.processes = {process, gpu};
  for (const auto type : {LocationType::cpu_thread, LocationType::metric, LocationType::accelerator_stream}) {
    Location location;
    location.type = type;
    location.process = ProcessId{type == LocationType::accelerator_stream ? 1u : 0u};
    d.locations.push_back(location);
  }
  Region region;
  region.name = "MPI_Barrier";
  region.paradigm = Paradigm::mpi;
  region.role = RegionRole::barrier;
  region.end_line = 9;
  d.regions = {region};
  const auto program = [&](const char* path) {
    return r.call_tree.find_or_add({CallPathId::none(), RegionId::none(), d.intern(path)});
  };
  const CallPathId first = program("/bin/app"), second = program("/usr/bin/app");
  const CallPathId unknown = r.call_tree.find_or_add({second, RegionId::none(), StringId::none()});
  const CallPathId barrier = r.call_tree.find_or_add({unknown, RegionId{0}, StringId::none()});
  const CallPathId lone = r.call_tree.find_or_add({CallPathId::none(), RegionId{0}, StringId::none()});
  const MetricIndex time = r.metrics.add("time", "", Unit::seconds, false, "Time", "");
  const MetricIndex count = r.metrics.add("count", "", Unit::occurrences, false, "Count", "");
  r.severities = Severities(2);
  r.severities.add(time, first, LocationId{0}, 1);
  r.severities.add(time, barrier, LocationId{2}, 3);
  r.severities.add(time, lone, LocationId{1}, 123'456'789'012'345);
  r.severities.add(count, second, LocationId{1}, -5);
  r.severities.add(count, unknown, LocationId{2}, 9'007'199'254'740'993);  // not representable as a double
  report::write_cube(r, file());

  const AnalysisResult read = read_cube(file());
  EXPECT_EQ(table_of(read),
            "time app 0 1\n"
            "time app/(unknown region)/MPI_Barrier 2 3\n"
            "time MPI_Barrier 1 123456789012345\n"
            "count app 1 -5\n"
            "count app/(unknown region) 2 9007199254740993\n");
  EXPECT_NE(members_of(file()).back().second.find("<dtype>INTEGER</dtype>"), std::string::npos);
  const Definitions& back = read.definitions;
  ASSERT_EQ(back.system_tree.size(), 2u);
  EXPECT_EQ(back.system_tree[1].name, "n0");
  EXPECT_EQ(back.system_tree[1].class_name, "node");
  EXPECT_EQ(back.system_tree[1].parent, SystemNodeId{0});
  // A process stands before the nodes below its node.
  ASSERT_EQ(back.processes.size(), 2u);
  EXPECT_EQ(back.processes[0].name, "gpu");
  EXPECT_EQ(back.processes[0].type, LocationGroupType::accelerator);
  EXPECT_EQ(back.processes[0].rank, -1);
  EXPECT_EQ(back.processes[0].locations, std::vector{LocationId{2}});
  EXPECT_EQ(back.processes[1].rank, 7);
  EXPECT_EQ(back.processes[1].parent, SystemNodeId{1});
  EXPECT_EQ(back.locations[1].type, LocationType::metric);
  EXPECT_EQ(back.locations[2].type, LocationType::accelerator_stream);
  ASSERT_EQ(back.regions.size(), 4u);
  EXPECT_EQ(back.regions[0].file, "/bin/app");
  EXPECT_EQ(back.regions[1].name, "app");  // another program of the same name: a region of the same name and other file
  EXPECT_EQ(back.regions[3].paradigm, Paradigm::mpi);
  EXPECT_EQ(back.regions[3].role, RegionRole::barrier);
  EXPECT_EQ(back.regions[3].end_line, 9u);
}

TEST_F(CubeWriter, WritesTopologiesThatAreWhole) {
  AnalysisResult r = small_result();
  Definitions& d = r.definitions;
  Group group;
  group.type = GroupType::locations;
  group.members = {1, 0};  // rank 0 of the communicator is location 1
  d.groups = {group};
  Comm comm;
  comm.group = GroupId{0};
  d.comms = {comm};
  CartDimension x, y, empty;
  x.name = "x";
  x.size = 2;
  x.periodicity = CartPeriodicity::true_;
  y.size = 1;
  d.cart_dimensions = {x, y, empty};
  CartTopology grid, broken;
  grid.name = "grid <1>";
  grid.comm = CommId{0};
  grid.dimensions = {CartDimensionId{0}, CartDimensionId{1}};
  grid.coordinates = {0, 1, 0, 1, 0, 0, 5, 0, 0, 1, 2, 0};  // then: no rank 5, no x = 2
  broken.dimensions = {CartDimensionId{2}};                 // a dimension of size 0
  d.cart_topologies = {broken, grid};
  d.finish();
  report::write_cube(r, file());
  const std::string anchor = members_of(file()).back().second;
  const std::size_t begin = anchor.find("<topologies>");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(anchor.substr(begin), R"(<topologies>
<cart name="grid &lt;1>" ndims="2">
<dim name="x" size="2" periodic="true" />
<dim name="" size="1" periodic="false" />
<coord locId="1">1 0</coord>
<coord locId="0">0 0</coord>
</cart>
</topologies>
</system>
</cube>
)");
  report::write_cube(read_cube(file()), file("again.cubex"));
  EXPECT_NE(members_of(file("again.cubex")).back().second.find(anchor.substr(begin)), std::string::npos);
}

TEST_F(CubeWriter, ARingInTheSystemTreeIsCutOpen) {
  AnalysisResult r = small_result();
  SystemTreeNode a, b;
  a.name = "a";
  a.parent = SystemNodeId{1};
  b.name = "b";
  b.parent = SystemNodeId{0};
  r.definitions.system_tree = {a, b};
  r.definitions.processes[0].parent = SystemNodeId{1};
  r.definitions.processes[1].parent = SystemNodeId{77};
  r.definitions.locations[1].process = ProcessId::none();
  report::write_cube(r, file());
  const AnalysisResult read = read_cube(file());
  EXPECT_EQ(table_of(read), table_of(r));
  ASSERT_EQ(read.definitions.system_tree.size(), 3u);
  EXPECT_EQ(read.definitions.system_tree[1].parent, SystemNodeId{0});
  EXPECT_EQ(read.definitions.processes[1].name, "unknown process");
}

TEST_F(CubeWriter, NamesOfAnyBytesGiveValidXml) {
  EXPECT_EQ(xml_text("plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"), "plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
  EXPECT_EQ(xml_text(std::string_view("a\0b\x1b[31m\x7f", 9)),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd[31m\xef\xbf\xbd");
  EXPECT_EQ(xml_text("tab\tline\r\nend"), "tab line  end");
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(xml_text("\xff"), bad);
  EXPECT_EQ(xml_text("\xc3"), bad);                                // cut off
  EXPECT_EQ(xml_text("\xc0\xaf"), bad + bad);                      // overlong '/'
  EXPECT_EQ(xml_text("\xe0\x80\xaf"), bad + bad + bad);            // overlong
  EXPECT_EQ(xml_text("\xed\xa0\x80"), bad + bad + bad);            // half of a surrogate pair
  EXPECT_EQ(xml_text("\xef\xbf\xbe"), bad + bad + bad);            // U+FFFE
  EXPECT_EQ(xml_text("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // beyond U+10FFFF
  EXPECT_EQ(xml_text("\xc2\x9b"), bad + bad);                      // a C1 control

  AnalysisResult r = small_result();
  for (Region& region : r.definitions.regions) region.name = "</name>&\x01\xff\"'";
  r.definitions.regions[1].name = " ";
  r.definitions.regions[0].file = "\"\n<a b=''>&amp;";
  r.definitions.locations[0].name = "]]>";
  r.definitions.processes[0].name.clear();
  report::write_cube(r, file());
  const AnalysisResult read = read_cube(file());
  EXPECT_EQ(read.definitions.regions[0].name, "</name>&" + bad + bad + "\"'");
  EXPECT_EQ(read.definitions.regions[0].file, "\" <a b=''>&amp;");
  EXPECT_EQ(read.definitions.regions[1].name, " ");
  EXPECT_EQ(read.definitions.locations[0].name, "]]>");
  EXPECT_EQ(read.definitions.processes[0].name, "");
}

TEST_F(CubeWriter, AnEmptyResultIsAReportToo) {
  report::write_cube(AnalysisResult{}, file());
  const AnalysisResult read = read_cube(file());
  EXPECT_TRUE(read.table().empty());
  EXPECT_EQ(read.metrics.size(), 0u);
}

TEST_F(CubeWriter, ACallChainOfAnyDepth) {
  AnalysisResult r = small_result();
  CallPathId path = CallPathId{0};
  for (int i = 0; i < 300'000; ++i) path = r.call_tree.find_or_add({path, RegionId{1}, StringId::none()});
  r.severities.add(0, path, LocationId{0}, 5);
  report::write_cube(r, file());
  const AnalysisResult read = read_cube(file());
  ASSERT_EQ(read.call_tree.size(), r.call_tree.size());
  EXPECT_EQ(read.table().size(), r.table().size());
  report::write_cube(read, file("again.cubex"));
  EXPECT_EQ(read_cube(file("again.cubex")).table().size(), r.table().size());
}

TEST_F(CubeWriter, KeepsWhichMetricsArePluginsAndWhatTheyMean) {
  AnalysisResult result = with_plugin_metrics();
  report::write_cube(result, file());
  const AnalysisResult read = read_cube(file());
  for (MetricIndex m = 0; m < result.metrics.size(); ++m) {
    const MetricInfo& before = result.metrics[m];
    const MetricInfo& after = read.metrics[read.metrics.at(before.id)];
    EXPECT_EQ(after.from_plugin, before.from_plugin) << before.id;
    if (!before.from_plugin) continue;
    EXPECT_EQ(after.kind, before.kind) << before.id;
    EXPECT_EQ(after.within_parent, before.within_parent) << before.id;
  }
  report::write_cube(read, file("again.cubex"));
  EXPECT_TRUE(read_cube(file("again.cubex")).metrics[read.metrics.at("own_wait")].from_plugin);
}

TEST_F(CubeWriter, AnExistingFileIsReplacedWholeOrNotAtAll) {
  std::ofstream(file()) << "old";
  std::filesystem::create_symlink(file(), file("link.cubex"));
  AnalysisResult broken = small_result();
  broken.severities.add(0, CallPathId{0}, LocationId{2}, 1);  // there is no such location
  EXPECT_THROW(report::write_cube(broken, file()), std::out_of_range);
  EXPECT_EQ(bytes_of(file()), "old");
  report::write_cube(small_result(), file("link.cubex"));
  EXPECT_TRUE(std::filesystem::is_symlink(file("link.cubex")));
  EXPECT_EQ(table_of(read_cube(file())), table_of(small_result()));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);  // no temporary file is left
}

// As on a full disk: the process may write only a limited number of bytes into a file.
TEST_F(CubeWriter, AFullDiskLeavesNothingBehind) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{4096, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  std::string reason;
  try {
    report::write_cube(small_result(), file());
  } catch (const OutputError& e) {
    reason = e.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(reason, "cannot write " + file() + ": File too large");
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(CubeWriter, SaysWhyAFileCannotBeWritten) {
  const auto reason = [](const std::string& path) -> std::string {
    try {
      report::write_cube(small_result(), path);
    } catch (const OutputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(reason(file("none/run.cubex")),
            "cannot write " + file("none/run.cubex") + ": No such file or directory; make its folder first");
  EXPECT_EQ(reason(folder_.path().string()),
            "cannot write " + folder_.path().string() + ": Is a directory; give the name of a file");
}

std::string sentences_of(const AnalysisResult& result) {
  std::string text;
  for (const UndeterminedMetric& u : result.undetermined)
    text += result.metrics[u.metric].id + ": " + u.sentence + '\n';
  return text;
}

TEST_F(CubeWriter, KeepsWhatTheTraceCannotTell) {
  AnalysisResult result = small_result();
  result.events_by_type[static_cast<std::size_t>(EventType::isend)] = 2;
  result.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{1}, 2500, "MPI_Recv"});
  result = judged(std::move(result));
  const std::string expected = sentences_of(result);
  EXPECT_EQ(expected,
            "mpi_latesender: 1 of 1 receive without a send in the trace: it is not known whether the sender was late\n"
            "mpi_latereceiver: 2 of 2 non-blocking sends without a completion in the trace: it is not known how long "
            "they waited\n");
  report::write_cube(result, file());
  const AnalysisResult read = read_cube(file());
  EXPECT_EQ(sentences_of(read), expected);
  report::write_cube(read, file("again.cubex"));
  EXPECT_EQ(sentences_of(read_cube(file("again.cubex"))), expected);
}

// Kinds, counts and places are kept; CUBE has no place for pairs of processes.
TEST_F(CubeWriter, KeepsWhatWasMissingAndThatNothingWas) {
  AnalysisResult result = small_result();
  const std::string silent = "This report does not say whether anything was missing from its trace.";
  report::write_cube(result, file());
  AnalysisResult read = read_cube(file());
  EXPECT_EQ(report::nothing_damaged(report::Completeness(read)), report::nothing_damaged(report::Completeness(result)));
  EXPECT_NE(report::nothing_damaged(report::Completeness(read)), silent);
  EXPECT_TRUE(report::without_events(read)) << "it still does not say who waited for whom";

  result.diagnostics.add(DiagnosticId::location_truncated, {LocationId{1}, 1000 + 2500, "a/1.evt: ends <early>"});
  result.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{1}, 1000 + 500, "MPI_Recv"}, 0, 7);
  result.diagnostics.add(DiagnosticId::recv_unmatched, {LocationId{}, ~Time{0}, ""});
  result.diagnostics.add(DiagnosticId::time_backwards, {LocationId{0}, 1000 + 600, ""}, 3);
  report::write_cube(result, file());
  read = read_cube(file());
  EXPECT_TRUE(report::without_events(read));
  EXPECT_EQ(report::missing_text(report::Completeness(read)), "rank 1 from 0.002500000 s on");
  EXPECT_EQ(report::trace_warnings_text(read, {}), report::trace_warnings_text(result, {}));
  for (int i = 0; i < diagnostic_count; ++i)
    EXPECT_EQ(read.diagnostics[static_cast<DiagnosticId>(i)].count,
              result.diagnostics[static_cast<DiagnosticId>(i)].count);
  report::write_cube(read, file("again.cubex"));
  EXPECT_EQ(report::trace_warnings_text(read_cube(file("again.cubex")), {}), report::trace_warnings_text(result, {}));
}

TEST_F(CubeWriter, KeepsWhoStillWaitedAtTheEnd) {
  AnalysisResult result = small_result();
  result.open_calls = {{LocationId{0}, CallPathId{1}, RegionId{1}, 1500},
                       {LocationId{1}, CallPathId::none(), RegionId{2}, 2000},
                       {LocationId{1}, CallPathId{2}, RegionId{2}, 3000}};
  const std::vector<OpenWait> waits = {{OpenWait::Kind::receive, {}, {}, {}, 7, {LocationId{0}, LocationId{1}}, true},
                                       {OpenWait::Kind::collective, {}, {}, {}, -1, {}, false}};
  result.open_calls[2].waits = waits;
  for (const char* name : {"run.cubex", "again.cubex"}) {
    report::write_cube(result, file(name));
    result = read_cube(file(name));
    ASSERT_EQ(result.open_calls.size(), 2u);  // calls whose call path is known
    EXPECT_EQ(result.open_calls[1].location, LocationId{1});
    EXPECT_EQ(result.call_tree.path(result.open_calls[0].callpath, result.definitions), "main/work<int, \"x\">");
    EXPECT_EQ(result.definitions[result.open_calls[1].region].name, "MPI_Recv");
    EXPECT_EQ(result.open_calls[0].enter, 500'000u);  // nanoseconds since the first event, at 1000
    EXPECT_EQ(result.open_calls[1].enter, 2'000'000u);
    EXPECT_TRUE(result.open_calls[0].waits.empty());
    EXPECT_EQ(result.open_calls[1].waits, waits);
  }
}

TEST_F(CubeWriter, KeepsTheFocusAndThePatterns) {
  AnalysisResult result = small_result();
  result.patterns = {{"mpi_latesender", {}}, {"mine", {{"a", "1"}}}};
  result.focus.region = "work<int, \"x\">";
  result.focus.locations = {LocationId{1}};
  for (const Time to : {Time{6000}, ~Time{0}}) {
    result.focus.from = 1000 + 2000;
    result.focus.to = to;
    report::write_cube(result, file());
    const AnalysisResult read = read_cube(file());
    EXPECT_EQ(report::focus_text(read), report::focus_text(result));
    EXPECT_EQ(read.focus.region, result.focus.region);
    EXPECT_EQ(read.focus.locations, result.focus.locations);
    EXPECT_EQ(report::patterns_run(read), report::patterns_run(result));
    ASSERT_EQ(read.patterns.size(), 2u);
    EXPECT_EQ(read.patterns[1].id, "mine");
    report::write_cube(read, file("again.cubex"));
    EXPECT_EQ(report::focus_text(read_cube(file("again.cubex"))), report::focus_text(result));
  }
}

}  // namespace
}  // namespace waitstate::test

// Reports that other tools write, made by hand, and damaged ones: everything is read correctly, is counted as left out,
// or is refused in one sentence. The file is long because these reports are put together byte by byte.
#include <gtest/gtest.h>
#include <zlib.h>

#include <cfloat>
#include <chrono>
#include <functional>
#include <limits>
#include <sstream>

#include "report/compare/diff.hpp"
#include "report/compare/judge.hpp"
#include "report/cube/cube_support.hpp"
#include "report/cube/data.hpp"
#include "report/cube/writer.hpp"
#include "report/facts/completeness.hpp"
#include "report/facts/totals.hpp"
#include "report/json/json_reader.hpp"
#include "report/json/json_writer.hpp"
#include "report/small_result.hpp"
#include "report/text/analysis_text.hpp"
#include "report/text/tables/metric_table.hpp"
#include "report/text/tables/views.hpp"

namespace waitstate::test {
namespace {

using report::read_cube;
using CubeReader = CubeTest;

std::string metric(const std::string& id, const std::string& name, const std::string& type, const std::string& dtype,
                   const std::string& unit, const std::string& children = "") {
  return fmt::format(
      "<metric id=\"{}\" type=\"{}\"><disp_name>{}</disp_name><uniq_name>{}</uniq_name><dtype>{}</dtype><uom>{}</uom>"
      "<val></val><url></url><descr></descr>{}</metric>",
      id, type, name, name, dtype, unit, children);
}

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

TEST(CubeRows, rows_of_zeros_take_no_time_however_long_they_are) {
  constexpr std::size_t columns = 1'000'000, rows = 20'000;
  std::string index = "CUBEX.INDEX", data = "ZCUBEX.DATA";
  append(index, std::uint32_t{1});
  append(index, std::uint16_t{0});
  append(index, std::uint8_t{1});
  append(index, std::uint32_t{rows});
  append(data, std::uint64_t{rows});
  for (std::uint32_t k = 0; k < rows; ++k) {
    append(index, k);
    for (const std::uint64_t number : {std::uint64_t{k} * columns * 8, std::uint64_t{0}, std::uint64_t{0}})
      append(data, number);
  }
  report::CubeRows all(index, data, *report::cube_type("DOUBLE"), columns, rows);
  std::vector<long double> values(columns, 7);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t k = 0; k < rows; ++k) EXPECT_FALSE(all.decode(k, values));
  EXPECT_EQ(values[0], 7);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));  // a slow reader takes minutes
}

// A forest in which depth first and wide order differ, and ids say nothing:
//
//   cnode   a      b      d      c      e     f        depth first  a b d c e f
//   parent  -      a      b      a      c     -        wide         a b c d e f
constexpr const char* forest =
    "<region id=\"70\" mod=\"x.f\" begin=\"4\" end=\"-1\"><name>a</name></region><region "
    "id=\"3\"><name>b</name></region>"
    "<region id=\"1\"><name>c</name></region><region id=\"2\"><name>d</name></region><region id=\"5\"><name>e</name>"
    "<paradigm>measurement</paradigm><role>implicit barrier</role></region><region id=\"6\"><name>f</name></region>"
    "<cnode id=\"9\" calleeId=\"70\"><cnode id=\"5\" calleeId=\"3\"><cnode id=\"0\" calleeId=\"2\"></cnode></cnode>"
    "<cnode id=\"1\" calleeId=\"1\"><parameter partype=\"numeric\" parkey=\"k\" parvalue=\"1\"/>"
    "<cnode id=\"2\" calleeId=\"5\"/></cnode></cnode><cnode id=\"3\" calleeId=\"6\"></cnode>";

constexpr const char* two_locations =
    "<systemtreenode Id=\"0\"><name>m</name><class>machine</class><locationgroup Id=\"0\"><name>p</name><rank>3</rank>"
    "<type>process</type><location Id=\"0\"><name>t0</name><rank>0</rank><type>thread</type></location>"
    "<location Id=\"1\"><name>t1</name><rank>1</rank><type>thread</type></location></locationgroup></systemtreenode>";

std::string anchor(const std::string& metrics, const std::string& program = forest,
                   const std::string& system = two_locations) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"4.3\">\n<attr key=\"Creator\" value=\"Score-P "
         "6.0\"/>"
         "<doc><mirrors/></doc><metrics title=\"x\">" +
         metrics + "</metrics><program>" + program + "</program><system>" + system + "</system></cube>\n";
}

std::string zlib_of(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string packed(size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  packed.resize(size);
  return packed;
}

std::string gzip_of(const std::string& bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

const std::string visits = anchor(metric("7", "visits", "EXCLUSIVE", "UINT64", "occ"));
constexpr auto four = std::initializer_list<std::uint64_t>{1, 2, 3, 4};

TEST_F(CubeReader, InclusiveMetricsAreWideAndTakenApart) {
  // In seconds on both locations: a 10 20, b 4 8, c 3 6 (wide row 2), d 1 2 (row 3), e 3 6 (row 4), f 0.5 0.
  archive({{"3.index", dense_index()},
           {"3.data", "CUBEX.DATA" + numbers({10., 20., 4., 8., 3., 6., 1., 2., 3., 6., .5, 0.})},
           {"anchor.xml", anchor(metric("3", "time", "INCLUSIVE", "DOUBLE", "sec"))}});
  const AnalysisResult r = read_cube(file());
  EXPECT_EQ(table_of(r),
            "time a 0 3000000000\n"
            "time a 1 6000000000\n"
            "time a/b 0 3000000000\n"
            "time a/b 1 6000000000\n"
            "time a/b/d 0 1000000000\n"
            "time a/b/d 1 2000000000\n"
            "time a/c/e 0 3000000000\n"
            "time a/c/e 1 6000000000\n"
            "time f 0 500000000\n");
  const Definitions& d = r.definitions;
  EXPECT_EQ(d.recorder.creator, "Score-P 6.0");
  EXPECT_EQ(d.regions[0].file, "x.f");
  EXPECT_EQ(d.regions[0].begin_line, 4u);
  EXPECT_EQ(d.regions[0].end_line, 0u);
  EXPECT_EQ(d.regions[4].paradigm, Paradigm::measurement_system);
  EXPECT_EQ(d.regions[4].role, RegionRole::implicit_barrier);
  EXPECT_EQ(d.processes[0].rank, 3);
}

TEST_F(CubeReader, InclusiveMetricsMayBeSparse) {
  // Only a (1.1) and, two levels below, d (wide row 3: 0.8): rounding of the differences leaves no stray nanosecond.
  archive({{"3.index", sparse_index({0, 1, 3})},
           {"3.data", "CUBEX.DATA" + numbers({1.1, 0., .8, 0., .8, 0.})},
           {"anchor.xml", anchor(metric("3", "time", "INCLUSIVE", "DOUBLE", "sec"))}});
  EXPECT_EQ(table_of(read_cube(file())), "time a 0 300000000\ntime a/b/d 0 800000000\n");
}

TEST_F(CubeReader, ExclusiveMetricsAreDepthFirst) {
  const std::string expected = "visits a/b/d 0 1\nvisits a/b/d 1 2\nvisits f 0 3\nvisits f 1 4\n";
  archive({{"anchor.xml", visits}, {"7.index", sparse_index({2, 5})}, {"7.data", "CUBEX.DATA" + numbers(four)}});
  EXPECT_EQ(table_of(read_cube(file())), expected);

  // Written on a machine of the other byte order.
  archive({{"anchor.xml", visits},
           {"7.index", sparse_index({2, 5}, true)},
           {"7.data", "CUBEX.DATA" + numbers(four, true)}});
  EXPECT_EQ(table_of(read_cube(file())), expected);
}

TEST_F(CubeReader, CompressedRowsInAnyOrder) {
  const std::string first = zlib_of(numbers<std::uint64_t>({1, 2})), second = zlib_of(numbers<std::uint64_t>({3, 4}));
  for (const bool swapped : {false, true}) {
    const std::string one = swapped ? zlib_of(numbers<std::uint64_t>({1, 2}, true)) : first;
    const std::string two = swapped ? zlib_of(numbers<std::uint64_t>({3, 4}, true)) : second;
    archive(
        {{"anchor.xml", visits},
         {"7.index", sparse_index({2, 5}, swapped)},
         {"7.data", "ZCUBEX.DATA" + numbers<std::uint64_t>({2, 16, 0, two.size(), 0, two.size(), one.size()}, swapped) +
                        two + one}});
    EXPECT_EQ(table_of(read_cube(file())), "visits a/b/d 0 1\nvisits a/b/d 1 2\nvisits f 0 3\nvisits f 1 4\n");
  }
  archive({{"anchor.xml", visits},
           {"7.index", dense_index()},
           {"7.data", "ZCUBEX.DATA" + numbers<std::uint64_t>({2, 0, 0, first.size(), 16, 0, 0}) + first}});
  EXPECT_EQ(table_of(read_cube(file())), "visits a 0 1\nvisits a 1 2\n");
}

// As cubew writes it if more call paths were announced than written.
TEST_F(CubeReader, OneSurplusRowIsPassedOver) {
  const std::string expected = "visits a/b/d 0 1\nvisits a/b/d 1 2\nvisits f 0 3\nvisits f 1 4\n";
  const std::string surplus = numbers<std::uint64_t>({77, 78}), row = zlib_of(surplus);
  archive(
      {{"anchor.xml", visits}, {"7.index", sparse_index({2, 5})}, {"7.data", "CUBEX.DATA" + numbers(four) + surplus}});
  EXPECT_EQ(table_of(read_cube(file())), expected);

  const std::string dense = std::string(2 * 16, '\0') + numbers<std::uint64_t>({1, 2}) + std::string(2 * 16, '\0') +
                            numbers<std::uint64_t>({3, 4});
  archive({{"anchor.xml", visits}, {"7.index", dense_index()}, {"7.data", "CUBEX.DATA" + dense + surplus}});
  EXPECT_EQ(table_of(read_cube(file())), expected);

  const std::string one = zlib_of(numbers<std::uint64_t>({1, 2})), two = zlib_of(numbers<std::uint64_t>({3, 4}));
  archive({{"anchor.xml", visits},
           {"7.index", sparse_index({2, 5})},
           {"7.data", "ZCUBEX.DATA" +
                          numbers<std::uint64_t>({3, 0, 0, one.size(), 16, one.size(), two.size(), 32,
                                                  one.size() + two.size(), row.size()}) +
                          one + two + row}});
  EXPECT_EQ(table_of(read_cube(file())), expected);
}

// As cube_cut, cube_mean and cube_diff write a metric that is zero everywhere: an index of 18 bytes, without a count.
TEST_F(CubeReader, AnIndexOfAnEmptyMetricHasNoCount) {
  const std::string empty = sparse_index({}).substr(0, 18);
  const std::string other = metric("8", "time", "EXCLUSIVE", "DOUBLE", "sec");
  for (const Members& data :
       {Members{{"7.data", "CUBEX.DATA"}}, Members{{"7.data", "ZCUBEX.DATA"}},
        Members{{"7.data", "ZCUBEX.DATA" + numbers<std::uint64_t>({0})}}, Members{{"7.data", ""}}, Members{}}) {
    Members members{{"anchor.xml", anchor(metric("7", "visits", "EXCLUSIVE", "UINT64", "occ") + other)},
                    {"7.index", empty},
                    {"8.index", sparse_index({0})},
                    {"8.data", "CUBEX.DATA" + numbers({1., 2.})}};
    members.insert(members.end(), data.begin(), data.end());
    archive(members);
    const AnalysisResult r = read_cube(file());
    EXPECT_EQ(table_of(r), "time a 0 1000000000\ntime a 1 2000000000\n");
    EXPECT_NE(r.metrics.find("visits"), no_metric);
  }
  EXPECT_EQ(complaint({{"anchor.xml", visits}, {"7.index", empty.substr(0, 17)}, {"7.data", "CUBEX.DATA"}}),
            "member 7.data ends in its index");
  EXPECT_EQ(complaint({{"anchor.xml", visits}, {"7.index", empty}, {"7.data", "CUBEX.DATA" + numbers(four)}}),
            "member 7.data has 32 bytes of data, expected 0 rows of 16 bytes");
}

// The system tree of old reports: the same result as with the elements of today.
TEST_F(CubeReader, TheSystemTreeOfOldReports) {
  const auto report = [&](const std::string& system) {
    archive({{"anchor.xml", anchor(metric("7", "visits", "EXCLUSIVE", "UINT64", "occ"), forest, system)},
             {"7.index", sparse_index({2, 5})},
             {"7.data", "CUBEX.DATA" + numbers(four)}});
    return read_cube(file());
  };
  const AnalysisResult r = report(
      "<machine Id=\"0\"><name>cluster</name><node Id=\"0\"><name>n1</name>"
      "<process Id=\"0\"><name>p</name><rank>3</rank><thread Id=\"1\"><name>t1</name><rank>1</rank></thread></process>"
      "<process Id=\"1\"><rank>4</rank><thread Id=\"0\"><rank>0</rank></thread></process></node></machine>"
      "<topologies><cart ndims=\"1\"><dim size=\"2\" periodic=\"false\"/><coord "
      "thrdId=\"1\">1</coord></cart></topologies>");
  EXPECT_EQ(table_of(r), "visits a/b/d 0 1\nvisits a/b/d 1 2\nvisits f 0 3\nvisits f 1 4\n");
  const Definitions& d = r.definitions;
  ASSERT_EQ(d.system_tree.size(), 2u);
  EXPECT_EQ(d.system_tree[0].name + " " + d.system_tree[0].class_name, "cluster machine");
  EXPECT_EQ(d.system_tree[1].name + " " + d.system_tree[1].class_name, "n1 node");
  EXPECT_EQ(d.system_tree[1].parent, SystemNodeId{0});
  ASSERT_EQ(d.processes.size(), 2u);
  EXPECT_EQ(d.processes[0].parent, SystemNodeId{1});
  EXPECT_EQ(d.processes[0].rank, 3);
  EXPECT_EQ(d.processes[1].name, "Process 4");
  ASSERT_EQ(d.locations.size(), 2u);
  EXPECT_EQ(d.locations[0].name, "Thread 0");
  EXPECT_EQ(d.locations[0].process, ProcessId{1});
  EXPECT_EQ(d.locations[1].name, "t1");
  EXPECT_EQ(d.locations[1].process, ProcessId{0});
  ASSERT_EQ(d.cart_topologies.size(), 1u);
  EXPECT_EQ(d.cart_topologies[0].coordinates, (std::vector<std::uint64_t>{1, 1}));
}

class CubeTar : public CubeTest {
 protected:
  using Change = std::function<void(std::string& header)>;
  static void field(std::string& header, std::size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  }
  static std::string checksum_of(std::string header) {
    field(header, 148, "        ");
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    return fmt::format("{:06o}", sum);
  }
  static std::string header_of(const std::string& name, std::size_t size, char kind) {
    std::string header(512, '\0');
    field(header, 0, name);
    field(header, 100, "0000600");
    field(header, 124, fmt::format("{:011o}", size));
    field(header, 136, "14556343234");
    header[156] = kind;
    field(header, 257, "ustar");
    field(header, 263, "00");
    field(header, 265, "nouser");
    field(header, 297, "users");
    field(header, 148, checksum_of(header) + std::string(1, '\0') + " ");
    return header;
  }
  /// As the CUBE library packs it: whole blocks, and one of zeros behind a member that needs none to fill its last.
  static std::string member(const std::string& name, const std::string& bytes, char kind = '0',
                            const Change& change = {}) {
    std::string header = header_of(name, bytes.size(), kind);
    if (change) change(header);
    return header + bytes + std::string(512 - bytes.size() % 512, '\0');
  }
  std::string read(const std::string& tar) const {
    std::ofstream(file(), std::ios::binary) << tar;
    const std::string wrong = complaint();
    return wrong.empty() ? table_of(read_cube(file())) : wrong;
  }

  const std::string end = std::string(1024, '\0');
  const std::string index = member("7.index", sparse_index({2, 5}));
  const std::string data = member("7.data", "CUBEX.DATA" + numbers(four));
  const std::string expected = "visits a/b/d 0 1\nvisits a/b/d 1 2\nvisits f 0 3\nvisits f 1 4\n";
};

TEST_F(CubeTar, AChecksumMayBeWrongAsTheCubeLibraryNeverLooksAtIt) {
  EXPECT_EQ(read(index + data + member("anchor.xml", visits) + end), expected);
  // One of the eight blanks that stand for the checksum in its own sum is missing, or all of them; or there is none.
  for (const unsigned missing : {32u, 256u}) {
    const auto wrong = [&](std::string& header) {
      field(header, 148, fmt::format("{:06o}", std::stoul(header.substr(148, 6), nullptr, 8) - missing));
    };
    EXPECT_EQ(read(member("7.index", sparse_index({2, 5}), '0', wrong) +
                   member("7.data", "CUBEX.DATA" + numbers(four), '0', wrong) +
                   member("anchor.xml", visits, '0', wrong) + end),
              expected);
  }
  const auto none = [](std::string& header) { field(header, 148, std::string(8, '\0')); };
  EXPECT_EQ(read(member("7.index", sparse_index({2, 5}), '0', none) + data + member("anchor.xml", visits) + end),
            expected);
  const auto neither = [](std::string& header) { field(header, 148, "000000"), field(header, 257, "     "); };
  EXPECT_EQ(read(index + member("7.data", "CUBEX.DATA" + numbers(four), '0', neither) + end),
            "is a damaged tar archive at or after member 7.index (there is no header of a member where one has to be); "
            "copy it again");
}

// Both lengths to which the CUBE library adds a block too many.
TEST_F(CubeTar, AnEmptyBlockBehindAMemberIsNotTheEnd) {
  std::string text = visits;
  text.insert(text.find("<metrics"), std::string(1024 - text.size() % 512, ' '));
  ASSERT_EQ(text.size() % 512, 0u);
  EXPECT_EQ(read(member("notes", "") + member("anchor.xml", text) + index + data + end), expected);
  EXPECT_EQ(read(member("anchor.xml", text) + index + data + end + "whatever"), expected) << "two of them are";
}

TEST_F(CubeTar, PackedAgainWithLongNamesAndRecords) {
  const std::string name = "./" + std::string(120, 'x') + "/notes";
  const auto too_small = [](std::string& header) { field(header, 124, fmt::format("{:011o}", 1)); };
  EXPECT_EQ(read(member("././@LongLink", name + '\0', 'L') + member("cut", "n") + member("folder/", "", '5') +
                 member("PaxHeader/x", "30 mtime=1700000000.000000000\n18 path=./7.index\n", 'x') +
                 member("cut", sparse_index({2, 5})) + member("./7.data", "CUBEX.DATA" + numbers(four)) +
                 member("PaxHeader/anchor.xml", fmt::format("13 size={:04}\n", visits.size()), 'x') +
                 member("anchor.xml", visits, '0', too_small) + end),
            expected);
  EXPECT_EQ(read(member("PaxHeader/x", "99 size=1\n", 'x') + index + end),
            "is a damaged tar archive at or after member PaxHeader/x (an extended header is damaged); copy it again");
}

TEST_F(CubeReader, AllTypesThatAreNumbers) {
  struct Case {
    const char* dtype;
    std::string row;
    std::string expected;
  };
  const std::vector<Case> cases = {
      {"DOUBLE", numbers({1.4, -2.6}), "1 -3"},
      {"FLOAT", numbers({1., 2.}), "1 2"},
      {"MINDOUBLE", numbers({3., DBL_MAX}), "3 0"},
      {"MAXDOUBLE", numbers({4., -DBL_MAX}), "4 0"},
      {"INTEGER", numbers<std::int64_t>({-1, 1}), "-1 1"},
      {"UINT64", numbers<std::uint64_t>({7, ~0ull}), "7 9223372036854775807"},
      {"INT64", numbers<std::int64_t>({-7, 7}), "-7 7"},
      {"INT32", numbers<std::int32_t>({-7, 8}), "-7 8"},
      {"UINT32", numbers<std::uint32_t>({7, 0xffffffffu}), "7 4294967295"},
      {"INT16", numbers<std::int16_t>({-7, 8}), "-7 8"},
      {"UINT16", numbers<std::uint16_t>({7, 0xffff}), "7 65535"},
      {"INT8", numbers<std::int8_t>({-7, 8}), "-7 8"},
      {"UINT8", numbers<std::uint8_t>({7, 0xff}), "7 255"},
  };
  for (const Case& c : cases) {
    archive({{"anchor.xml", anchor(metric("0", "m", "EXCLUSIVE", c.dtype, "W"))},
             {"0.index", sparse_index({0})},
             {"0.data", "CUBEX.DATA" + c.row}});
    const AnalysisResult r = read_cube(file());
    const auto value = [&](std::uint32_t l) { return r.severities.value(0, CallPathId{0}, LocationId{l}); };
    EXPECT_EQ(fmt::format("{} {}", value(0), value(1)), c.expected) << c.dtype;
    EXPECT_EQ(r.metrics[0].unit, Unit::occurrences);
    EXPECT_FALSE(r.diagnostics.any(DiagnosticSeverity::odd));
  }
}

TEST_F(CubeReader, AnInclusiveMinimumIsNotTakenApart) {
  archive({{"anchor.xml", anchor(metric("0", "min_time", "INCLUSIVE", "MINDOUBLE", "sec"))},
           {"0.index", sparse_index({0, 1})},
           {"0.data", "CUBEX.DATA" + numbers({.25, 0., .5, 0.})}});
  const AnalysisResult r = read_cube(file());
  EXPECT_EQ(table_of(r), "min_time a 0 250000000\nmin_time a/b 0 500000000\n");
  EXPECT_EQ(r.metrics[0].summary, "An extreme value, not a sum.");
}

// time 10 s in all; the longest visit of a took 8 s, on the second location, of b 2 s; the shortest of b 0.5 s. c was
// never called on the second location.
class CubeExtremes : public CubeTest {
 protected:
  AnalysisResult read(const char* longest = "MAXDOUBLE") const {
    archive({{"anchor.xml", anchor(metric("0", "time", "EXCLUSIVE", "DOUBLE", "sec") +
                                   metric("1", "max_time", "INCLUSIVE", longest, "sec") +
                                   metric("2", "min_time", "INCLUSIVE", "MINDOUBLE", "sec"))},
             {"0.index", sparse_index({0})},
             {"0.data", "CUBEX.DATA" + numbers({4., 6.})},
             {"1.index", sparse_index({0, 1, 2})},
             {"1.data", "CUBEX.DATA" + numbers({7., 8., 2., 1., 3., 0.})},
             {"2.index", sparse_index({0, 1, 2})},
             {"2.data", "CUBEX.DATA" + numbers({3., 8., .5, .75, 1., DBL_MAX})}});
    return read_cube(file());
  }
};

TEST_F(CubeExtremes, AreMinimaAndMaximaEverywhere) {
  const AnalysisResult r = read();
  const report::Totals totals(r);
  EXPECT_EQ(totals.of(0), 10'000'000'000);
  EXPECT_EQ(totals.of(1), 8'000'000'000);
  EXPECT_EQ(totals.of(2), 500'000'000);
  EXPECT_EQ(totals.by_location(1), (std::vector<std::int64_t>{7'000'000'000, 8'000'000'000}));
  EXPECT_EQ(totals.by_location(2), (std::vector<std::int64_t>{500'000'000, 750'000'000}));
  EXPECT_EQ(totals.by_callpath(2)[1], 500'000'000);
  EXPECT_EQ(r.metrics[1].aggregation, Aggregation::maximum);
  EXPECT_EQ(r.metrics[2].aggregation, Aggregation::minimum);
}

TEST_F(CubeExtremes, HaveNoShares) {
  const AnalysisResult r = read();
  EXPECT_EQ(view_text(r, 1, report::ViewBy::callpath, {}), R"(max_time  max_time: 8.000 s
An extreme value, not a sum.

    own time         with callees         call path
     8.000 s              8.000 s         a  x.f:4
     3.000 s              3.000 s           c
     2.000 s              2.000 s           b
)");
  EXPECT_EQ(view_text(r, 2, report::ViewBy::location, {}), R"(min_time  min_time: 500.0 ms
An extreme value, not a sum.

        time         location
    500.0 ms         rank 3
    750.0 ms           rank 3 thread 1
    500.0 ms           rank 3 thread 0
)");
  EXPECT_EQ(view_text(r, 1, report::ViewBy::region, {}).substr(0, 27), "max_time  max_time: 8.000 s");
  const report::Seconds seconds(r.definitions.clock, 10'000'000'000);
  const report::RunTotals totals(r);
  const report::Completeness completeness(r);
  EXPECT_EQ(metric_table(r, totals, completeness, seconds, {}, {}), R"(metric       value  % of time
time       10.00 s      100.0
max_time   8.000 s
min_time  500.0 ms
)");
  EXPECT_EQ(metric_table(r, totals, completeness, seconds, {}, {.full = false}).find("max_time"), std::string::npos)
      << "it is no part of what the table shows in short";
}

TEST_F(CubeExtremes, StayWhatTheyAreInOtherFormats) {
  const AnalysisResult r = read();
  std::ostringstream json;
  report::write_json(r, json);
  EXPECT_NE(
      json.str().find(
          R"("within_parent":false,"kind":"other","plugin":false,"aggregation":"maximum","parent":null,"total":8000000000,)"),
      std::string::npos)
      << json.str().substr(0, 6000);
  std::ofstream(file("run.json")) << json.str();
  const AnalysisResult again = report::read_json(file("run.json"));
  EXPECT_EQ(table_of(again), table_of(r));
  EXPECT_EQ(again.metrics[1].aggregation, Aggregation::maximum);
  EXPECT_EQ(report::Totals(again).of(2), 500'000'000);
  report::write_cube(r, file("again.cubex"));
  const AnalysisResult cube = read_cube(file("again.cubex"));
  EXPECT_EQ(table_of(cube), table_of(r));
  EXPECT_EQ(cube.metrics[2].aggregation, Aggregation::minimum);
}

TEST_F(CubeExtremes, AreComparedAndJudgedAsTimes) {
  const AnalysisResult r = read(), sum = read("DOUBLE");
  const report::Difference d = report::difference(r, sum, {"max_time"});
  EXPECT_EQ(d.metrics[0].before, 8.);
  EXPECT_EQ(d.metrics[0].after, 15.) << "of the inclusive sums of a, without those of b and c once more";
  EXPECT_TRUE(report::judge(report::parse_gate("max_time>7s"), r).failed());
  EXPECT_FALSE(report::judge(report::parse_gate("max_time>9s"), r).failed());
  try {
    report::judge(report::parse_gate("max_time>50%"), r);
    ADD_FAILURE() << "has no share";
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(),
                 "gate 'max_time>50%': 'max_time' is a maximum and has no share of the total time; give a time "
                 "(5ms), or growth in per cent (+5%)");
  }
}

// Two call paths of the report that are one here: the smaller one of both minima, the larger one of both maxima.
TEST_F(CubeExtremes, OfCallPathsThatAreOneGoTogether) {
  const std::string twice =
      "<region id=\"0\"><name>a</name></region><cnode id=\"0\" calleeId=\"0\"></cnode>"
      "<cnode id=\"1\" calleeId=\"0\"></cnode>";
  archive({{"anchor.xml", anchor(metric("0", "max_time", "EXCLUSIVE", "MAXDOUBLE", "sec") +
                                     metric("1", "min_time", "EXCLUSIVE", "MINDOUBLE", "sec"),
                                 twice)},
           {"0.index", sparse_index({0, 1})},
           {"0.data", "CUBEX.DATA" + numbers({3., 0., 2., 1.})},
           {"1.index", sparse_index({0, 1})},
           {"1.data", "CUBEX.DATA" + numbers({3., 0., 2., 1.})}});
  EXPECT_EQ(table_of(read_cube(file())),
            "max_time a 0 3000000000\nmax_time a 1 1000000000\nmin_time a 0 2000000000\nmin_time a 1 1000000000\n");
}

TEST_F(CubeReader, WhatIsLeftOutIsCounted) {
  const std::string inner = metric("2", "mpi", "EXCLUSIVE", "DOUBLE", "sec");
  const std::string tree = metric("0", "time", "EXCLUSIVE", "DOUBLE", "sec",
                                  metric("1", "execution", "PREDERIVED_EXCLUSIVE", "DOUBLE", "sec", inner)) +
                           metric("3", "ipc", "POSTDERIVED", "DOUBLE", "") +
                           metric("4", "atomic", "EXCLUSIVE", "TAU_ATOMIC", "occ") +
                           metric("5", "bad", "EXCLUSIVE", "DOUBLE", "occ") +
                           "<metric><uniq_name></uniq_name><dtype>UINT64</dtype></metric>";
  archive({{"anchor.xml", anchor(tree)},
           {"4.index", "nonsense"},
           {"4.data", "nonsense"},
           {"5.index", sparse_index({0})},
           {"5.data", "CUBEX.DATA" + numbers({std::numeric_limits<double>::quiet_NaN(), 2.})},
           {"2.index", sparse_index({1})},
           {"2.data", "CUBEX.DATA" + numbers({1., 0.})}});
  const AnalysisResult r = read_cube(file());
  EXPECT_EQ(table_of(r), "mpi a/b 0 1000000000\nbad a 1 2\n");
  ASSERT_EQ(r.metrics.size(), 4u);
  EXPECT_EQ(r.metrics[1].id, "mpi");
  EXPECT_EQ(r.metrics[1].parent, 0u);
  EXPECT_EQ(r.metrics[3].id, "metric_6");
  const DiagnosticEntry& left_out = r.diagnostics[DiagnosticId::metric_left_out];
  EXPECT_EQ(left_out.count, 4u);
  std::string places;
  for (const DiagnosticPlace& place : left_out.places) places += place.text + '\n';
  EXPECT_EQ(places,
            "atomic (of type TAU_ATOMIC)\n"
            "bad (1 values that are not finite)\n"
            "execution (PREDERIVED_EXCLUSIVE)\n"
            "ipc (POSTDERIVED)\n");
}

TEST_F(CubeReader, TheSameCalleeTwiceIsOneCallPath) {
  const std::string program =
      "<region id=\"0\"><name>main</name></region><region id=\"1\"><name>f</name></region><cnode id=\"0\" "
      "calleeId=\"0\">"
      "<cnode id=\"1\" calleeId=\"1\"><parameter partype=\"numeric\" parkey=\"n\" parvalue=\"1\"/></cnode>"
      "<cnode id=\"2\" calleeId=\"1\"><parameter partype=\"numeric\" parkey=\"n\" parvalue=\"2\"/></cnode></cnode>";
  for (const char* type : {"EXCLUSIVE", "INCLUSIVE"}) {
    archive({{"anchor.xml", anchor(metric("0", "n", type, "INTEGER", "occ"), program)},
             {"0.index", dense_index()},
             {"0.data", "CUBEX.DATA" + numbers<std::int64_t>({10, 0, 3, 0, 4, 5})}});
    const AnalysisResult r = read_cube(file());
    EXPECT_EQ(r.call_tree.size(), 2u);
    EXPECT_EQ(table_of(r), *type == 'E' ? "n main 0 10\nn main/f 0 7\nn main/f 1 5\n"
                                        : "n main 0 3\nn main 1 -5\nn main/f 0 7\nn main/f 1 5\n");
  }
}

TEST_F(CubeReader, ColumnsAreInTheOrderOfLocationIds) {
  const std::string system =
      "<systemtreenode Id=\"0\"><name>m</name><class>machine</class><locationgroup "
      "Id=\"0\"><name>p0</name><rank>0</rank>"
      "<type>process</type><location "
      "Id=\"30\"><name>late</name><rank>0</rank><type>thread</type></location></locationgroup>"
      "<locationgroup Id=\"1\"><name>g</name><rank>0</rank><type>accelerator</type><location "
      "Id=\"4\"><name>early</name>"
      "<rank>0</rank><type>accelerator stream</type></location></locationgroup></systemtreenode>";
  archive({{"anchor.xml", anchor(metric("7", "visits", "EXCLUSIVE", "UINT64", "occ"), forest, system)},
           {"7.index", sparse_index({0})},
           {"7.data", "CUBEX.DATA" + numbers<std::uint64_t>({1, 2})}});
  const AnalysisResult r = read_cube(file());
  EXPECT_EQ(table_of(r), "visits a 0 1\nvisits a 1 2\n");
  EXPECT_EQ(r.definitions.locations[0].name, "early");
  EXPECT_EQ(r.definitions.locations[0].process, ProcessId{1});
  EXPECT_EQ(r.definitions.processes[1].rank, -1);
  EXPECT_EQ(r.definitions.processes[0].locations, std::vector{LocationId{1}});
}

TEST_F(CubeReader, OlderReportsPackTheirAnchor) {
  const std::string packed = gzip_of(visits);
  archive({{"./anchor.xml", packed}});
  EXPECT_EQ(read_cube(file()).metrics[0].id, "visits");

  EXPECT_EQ(complaint({{"anchor.xml", packed.substr(0, packed.size() / 2)}}),
            "member anchor.xml is gzip data that cannot be unpacked");
}

TEST_F(CubeReader, MetricsWithoutDataAreZero) {
  archive({{"anchor.xml", visits}});
  EXPECT_TRUE(read_cube(file()).table().empty());
  archive({{"anchor.xml", visits}, {"7.index", sparse_index({})}, {"7.data", "CUBEX.DATA"}});
  EXPECT_TRUE(read_cube(file()).table().empty());
  archive(
      {{"anchor.xml", visits}, {"7.index", dense_index()}, {"7.data", "CUBEX.DATA" + numbers(four)}});  // first rows
  EXPECT_EQ(table_of(read_cube(file())), "visits a 0 1\nvisits a 1 2\nvisits a/b 0 3\nvisits a/b 1 4\n");
}

// In nanoseconds 1.4 = 0.7 + 0.7, rounded 1 and 1 + 1.
TEST_F(CubeReader, RoundingIsNoDamage) {
  const std::string parts = metric("1", "execution", "EXCLUSIVE", "DOUBLE", "sec") +
                            metric("2", "omp_idle_threads", "EXCLUSIVE", "DOUBLE", "sec");
  archive({{"0.index", dense_index()},
           {"0.data", "CUBEX.DATA" + numbers({1.4e-9, 4e-9, 0., 0.})},
           {"1.index", dense_index()},
           {"1.data", "CUBEX.DATA" + numbers({.7e-9, 9e-9, 0., 0.})},
           {"2.index", dense_index()},
           {"2.data", "CUBEX.DATA" + numbers({.7e-9, 0., 0., 0.})},
           {"anchor.xml", anchor(metric("0", "time", "EXCLUSIVE", "DOUBLE", "sec", parts))}});
  const AnalysisResult r = read_cube(file());
  EXPECT_EQ(r.severities.value(r.metrics.at("time"), CallPathId{0}, LocationId{0}), 0);
  EXPECT_EQ(r.severities.value(r.metrics.at("time"), CallPathId{0}, LocationId{1}), -5);  // this is more than rounding
}

/// The part of a report from the problems to the metrics.
std::string problems(const AnalysisResult& r) {
  const std::string text = report::analysis_text(r, report::Style{1000, false}, {});
  const auto begin = text.find("\n\n"), end = text.find("\n\nmetric");
  return begin == end ? "" : text.substr(begin + 2, end - begin - 1);
}

// As Score-P writes it without a trace.
TEST_F(CubeReader, AProfileHasNoWaitStates) {
  archive({{"0.index", dense_index()},
           {"0.data", "CUBEX.DATA" + numbers(four)},
           {"1.index", dense_index()},
           {"1.data", "CUBEX.DATA" + numbers({1., 2., 3., 4.})},
           {"anchor.xml", anchor(metric("0", "visits", "EXCLUSIVE", "UINT64", "occ") +
                                 metric("1", "time", "EXCLUSIVE", "DOUBLE", "sec") +
                                 metric("2", "bytes_sent", "EXCLUSIVE", "UINT64", "bytes"))}});
  EXPECT_EQ(problems(read_cube(file())),
            "This report has no wait states: it says where the time was spent (--metric time --by region), not who "
            "waited for whom. For that, analyse a trace of the run: waitstate analyze TRACE.\n");
}

// As Scalasca's trace analyzer writes it, of OpenMP and POSIX threads.
TEST_F(CubeReader, WaitStatesOfOtherToolsAreKnownByTheirIds) {
  const std::string threads = metric("1", "omp_ibarrier_wait", "EXCLUSIVE", "DOUBLE", "sec") +
                              metric("2", "omp_idle_threads", "EXCLUSIVE", "DOUBLE", "sec",
                                     metric("3", "omp_limited_parallelism", "EXCLUSIVE", "DOUBLE", "sec")) +
                              metric("4", "pthread_lock_contention_mutex_lock", "EXCLUSIVE", "DOUBLE", "sec") +
                              metric("5", "critical_path", "EXCLUSIVE", "DOUBLE", "sec");
  Members members{{"0.index", dense_index()},
                  {"0.data", "CUBEX.DATA" + numbers({10., 20., 30., 40.})},
                  {"anchor.xml", anchor(metric("0", "time", "EXCLUSIVE", "DOUBLE", "sec", threads))}};
  archive(members);
  EXPECT_EQ(problems(read_cube(file())), "All wait states of this report are zero.\n");
  double value = 4;
  for (const char* id : {"1", "2", "3", "4", "5"}) {
    members.insert(members.begin(), {std::string(id) + ".data", "CUBEX.DATA" + numbers({value, 0., 0., 0.})});
    members.insert(members.begin(), {std::string(id) + ".index", dense_index()});
    value /= 2;
    if (*id == '2') value = 1;  // the second contains the third
  }
  archive(members);
  EXPECT_EQ(problems(read_cube(file())),
            "1. omp_ibarrier_wait: 4.000 s, 4.0 % of the total time. All in a at x.f:4.\n"
            "2. omp_idle_threads: 2.000 s, 2.0 % of the total time. All in a at x.f:4.\n");
}

TEST_F(CubeReader, SaysWhatIsNoReport) {
  EXPECT_EQ(complaint(), "No such file or directory");
  std::ofstream(file()) << "metric,callpath,location,value\n";
  EXPECT_EQ(complaint(), "is not a tar archive; expected a CUBE 4 report (.cubex), which is a tar archive");
  std::ofstream(file()) << std::string(2000, 'x');
  EXPECT_EQ(complaint(), "is not a tar archive; expected a CUBE 4 report (.cubex), which is a tar archive");
  std::ofstream(file()).flush();
  EXPECT_EQ(complaint(), "is empty; expected a CUBE 4 report (.cubex), which is a tar archive");
  EXPECT_EQ(complaint({}), "is empty; expected a CUBE 4 report (.cubex), which is a tar archive");
  EXPECT_EQ(complaint({{"readme", "hello"}}),
            "is a tar archive without anchor.xml; expected a CUBE 4 report (.cubex), which has one");
  std::filesystem::remove(file());
  std::filesystem::create_directory(file());
  EXPECT_EQ(complaint(), "is not a regular file; expected a CUBE 4 report (.cubex), which is a tar archive");
}

TEST_F(CubeReader, SaysWhatIsWrongWithAnAnchor) {
  const auto bad = [&](const std::string& text) { return complaint({{"anchor.xml", text}}); };
  const std::string member = "member anchor.xml ";
  EXPECT_EQ(bad("<cube version=\"4.4\"><metrics></cube>"),
            member + "is not well-formed XML at byte 31: Start-end tags mismatch");
  EXPECT_EQ(bad(""), member + "is not well-formed XML at byte 0: No document element found");
  EXPECT_EQ(bad("<profile/>"), member + "has no element <cube>");
  EXPECT_EQ(bad("<cube version=\"3.0\"></cube>"), member + "is of CUBE version '3.0', expected 4");
  const std::string m = metric("0", "time", "EXCLUSIVE", "DOUBLE", "sec");
  EXPECT_EQ(bad(anchor(m + metric("1", "time", "EXCLUSIVE", "DOUBLE", "sec"))), member + "has two metrics called time");
  EXPECT_EQ(bad(anchor(m + metric("0", "other", "EXCLUSIVE", "DOUBLE", "sec"))),
            member + "has two metrics with the id 0");
  std::string many;
  for (int i = 0; i <= 10'000; ++i) many += "<metric type=\"POSTDERIVED\"/>";
  EXPECT_EQ(bad(anchor(many)), member + "has more than 10000 metrics");
  EXPECT_EQ(bad(anchor(m, "<region mod=\"\"/>")), member + "has a <region> without the attribute id");
  EXPECT_EQ(bad(anchor(m, "<region id=\"x\"/>")), member + "has a <region> whose id is 'x', expected a number");
  EXPECT_EQ(bad(anchor(m, "<region id=\"1\"/><region id=\"1\"/>")), member + "has two regions with the id 1");
  EXPECT_EQ(bad(anchor(m, "<region id=\"1\"/><cnode id=\"0\" calleeId=\"2\"/>")),
            member + "has a <cnode> that calls region 2, which is not defined");
  EXPECT_EQ(bad(anchor(m, forest, "<locationgroup><location Id=\"1\"/><location Id=\"1\"/></locationgroup>")),
            member + "has two locations with the Id 1");
}

// A few KiB must not stand for gigabytes.
TEST_F(CubeReader, AnAnchorExpandsSoFarOnly) {
  const std::string bomb = gzip_of("<cube version=\"4.4\">" + std::string(20 << 20, ' '));
  EXPECT_EQ(complaint({{"anchor.xml", bomb}}),
            fmt::format("member anchor.xml unpacks to more than {} bytes", (16 << 20) + 64 * bomb.size()));
  const auto nested = [](std::size_t depth) {
    std::string program = "<region id=\"0\"><name>f</name></region>";
    for (std::size_t i = 0; i < depth; ++i) program += "<cnode id=\"0\" calleeId=\"0\">";
    for (std::size_t i = 0; i < depth; ++i) program += "</cnode>";
    return anchor(metric("0", "time", "EXCLUSIVE", "DOUBLE", "sec"), program);
  };
  EXPECT_EQ(complaint({{"anchor.xml", nested(400'000)}}), "");
}

TEST_F(CubeReader, SaysWhatIsWrongWithData) {
  const std::string plain = "CUBEX.DATA" + numbers(four), index = sparse_index({2, 5});
  const auto bad = [&](const std::string& i, const std::string& data) {
    return complaint({{"anchor.xml", visits}, {"7.index", i}, {"7.data", data}});
  };
  EXPECT_EQ(bad(index, plain), "");
  EXPECT_EQ(complaint({{"anchor.xml", visits}, {"7.index", index}}), "has a member 7.index but no 7.data");
  EXPECT_EQ(complaint({{"anchor.xml", visits}, {"7.data", plain}}), "has a member 7.data but no 7.index");
  EXPECT_EQ(complaint({{"anchor.xml", visits}, {"anchor.xml", visits}}), "has the member anchor.xml twice");

  const std::string member = "member 7.data ";
  EXPECT_EQ(bad("", plain), member + "has an index that does not begin with CUBEX.INDEX");
  EXPECT_EQ(bad("CUBEX.INDEX\1", plain), member + "ends in its index");
  EXPECT_EQ(bad("CUBEX.INDEX\1\2\3\4\5\6\7", plain), member + "has an index of byte order 0x04030201, expected 1");
  std::string other = index;
  other[15] = 1;
  EXPECT_EQ(bad(other, plain), member + "has an index of version 1, expected 0");
  other = index;
  other[17] = 2;
  EXPECT_EQ(bad(other, plain), member + "has an index of format 2, expected 1 (sparse) or 3 (dense)");
  EXPECT_EQ(bad(index.substr(0, index.size() - 1), plain), member + "has an index of 2 rows that ends after 1");
  EXPECT_EQ(bad(sparse_index({2, 6}), plain), member + "has an index with row 6, but the report has only 6 call paths");
  EXPECT_EQ(bad(sparse_index({5, 2}), plain), member + "has an index with row 2 after row 5, expected them to ascend");

  EXPECT_EQ(bad(index, "CUBE"), member + "has data that begin with neither CUBEX.DATA nor ZCUBEX.DATA");
  EXPECT_EQ(bad(index, plain + "x"), member + "has 33 bytes of data, expected 2 rows of 16 bytes");
  EXPECT_EQ(bad(index, plain.substr(0, plain.size() - 8)),
            member + "has 24 bytes of data, expected 2 rows of 16 bytes");
  EXPECT_EQ(bad(dense_index(), plain + "x"), member + "has 33 bytes of data, expected 6 rows of 16 bytes");
  EXPECT_EQ(bad(dense_index(), "CUBEX.DATA" + std::string(8 * 16, '\0')),
            member + "has 128 bytes of data, expected 6 rows of 16 bytes");
  EXPECT_EQ(bad(index, "CUBEX.DATA" + std::string(4 * 16, '\0')),
            member + "has 64 bytes of data, expected 2 rows of 16 bytes");

  const std::string row = zlib_of(numbers<std::uint64_t>({1, 2}));
  const auto packed = [&](std::initializer_list<std::uint64_t> table) {
    return "ZCUBEX.DATA" + numbers(table) + row + row;
  };
  const std::size_t n = row.size();
  EXPECT_EQ(bad(index, packed({2, 0, 0, n, 16, n, n})), "");
  EXPECT_EQ(bad(index, "ZCUBEX.DATA\1"), member + "ends in its table of compressed rows");
  EXPECT_EQ(bad(index, packed({1, 0, 0, n})), member + "has 1 compressed rows, but an index of 2");
  EXPECT_EQ(bad(index, "ZCUBEX.DATA" + numbers<std::uint64_t>({1ull << 61, 0, 0, n})),
            member + "has a table of 2305843009213693952 compressed rows that ends after 1");
  EXPECT_EQ(bad(index, packed({2, 0, 0, n, 8, n, n})),
            member + "has a compressed row at 8, which is not the start of one of 2 rows of 16 bytes");
  EXPECT_EQ(bad(index, packed({2, 0, 0, n, 0, n, n})),
            member + "has a compressed row at 0, which is not the start of one of 2 rows of 16 bytes");
  EXPECT_EQ(bad(index, packed({2, 0, 0, n, 16, ~0ull, n})),
            member + fmt::format("has a compressed row of {} bytes at byte 18446744073709551615 of only {}", n, 2 * n));
  EXPECT_EQ(bad(index, packed({2, 0, 0, n, 16, n, n - 1})),
            member + "has a compressed row 5 that is not a zlib stream of 16 bytes");
  EXPECT_EQ(bad(index, "ZCUBEX.DATA" + numbers<std::uint64_t>({2, 0, 0, n, 16, 0, n}) + row),
            member + "has compressed rows that overlap");
  EXPECT_EQ(bad(dense_index(), "ZCUBEX.DATA" + numbers<std::uint64_t>({7}) + std::string(7 * 24, '\0')),
            member + "has a compressed row at 0, which is not the start of one of 7 rows of 16 bytes");
  EXPECT_EQ(bad(dense_index(), "ZCUBEX.DATA" + numbers<std::uint64_t>({8}) + std::string(8 * 24, '\0')),
            member + "has 8 rows, but the report has only 6 call paths");
}

TEST_F(CubeReader, SaysThatAFileIsCutOff) {
  report::write_cube(small_result(), file());
  const std::string whole = bytes_of(file());
  const auto cut = [&](std::size_t size) {
    std::ofstream(file(), std::ios::binary) << whole.substr(0, size);
    return complaint();
  };
  const std::size_t size_of_first = members_of(file()).front().second.size();
  EXPECT_EQ(cut(100), "is not a tar archive; expected a CUBE 4 report (.cubex), which is a tar archive");
  EXPECT_EQ(
      cut(700),
      fmt::format("is a damaged tar archive at or after member trace.stat (the file ends after 188 of its {} bytes); "
                  "copy it again",
                  size_of_first));
  EXPECT_EQ(cut(1024), "is a tar archive without anchor.xml; expected a CUBE 4 report (.cubex), which has one");

  // An anchor that claims to have 8 GiB; the sum of the bytes of its header grows by as much as its size field does.
  archive({{"anchor.xml", visits}});
  std::string tar = bytes_of(file());
  unsigned sum = 0;
  tar.replace(124, 11, "77777777777");
  tar.replace(148, 8, "        ");
  for (std::size_t i = 0; i < 512; ++i) sum += static_cast<unsigned char>(tar[i]);
  tar.replace(148, 6, fmt::format("{:06o}", sum));
  std::ofstream(file(), std::ios::binary) << tar;
  EXPECT_EQ(complaint(),
            fmt::format("member anchor.xml claims to have 8589934591 bytes, but the file has only {}: it is "
                        "damaged",
                        tar.size()));
}

// Whatever is cut off or overwritten, reading ends, within its memory, and with nothing but a TraceError.
TEST_F(CubeReader, NoDamageDoesHarm) {
  const std::string row = zlib_of(numbers<std::uint64_t>({1, 2}));
  const Members members = {
      {"anchor.xml",
       anchor(metric("7", "visits", "EXCLUSIVE", "UINT64", "occ", metric("8", "t", "INCLUSIVE", "DOUBLE", "sec")))},
      {"7.index", sparse_index({2, 5})},
      {"7.data", "ZCUBEX.DATA" + numbers<std::uint64_t>({2, 0, 0, row.size(), 16, row.size(), row.size()}) + row + row},
      {"8.index", dense_index()},
      {"8.data", "CUBEX.DATA" + numbers({1., 2., 3., 4.})}};
  EXPECT_EQ(complaint(members), "");
  const std::string whole = bytes_of(file());
  std::uint32_t random = 1;
  const auto next = [&](std::size_t below) {
    random = random * 1664525u + 1013904223u;
    return (random >> 8) % below;
  };
  for (int round = 0; round < 1000; ++round) {
    std::string bytes = whole;
    if (round % 3 == 0) bytes.resize(next(bytes.size()));
    for (std::size_t n = next(4) + 1; n > 0 && !bytes.empty(); --n)
      bytes[next(bytes.size())] = static_cast<char>(next(256));
    std::ofstream(file(), std::ios::binary) << bytes;
    complaint();
  }
}

}  // namespace
}  // namespace waitstate::test

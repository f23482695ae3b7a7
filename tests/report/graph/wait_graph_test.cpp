// The wait graph of waits made by hand: the waits that count, the ranking, groups and circles, and the three forms in
// which it is written.
#include "waitstate/result/wait_graph.hpp"

#include <gtest/gtest.h>

#include <locale>
#include <sstream>

#include "report/facts/waits/wait_groups.hpp"
#include "report/graph/wait_graph_text.hpp"
#include "report/json/json_writer.hpp"
#include "report/judged.hpp"

namespace waitstate::test {
namespace {

using Level = WaitGraph::Level;

/// One location a process, rank by rank; ticks are microseconds.
AnalysisResult ranks(std::size_t n) {
  AnalysisResult r;
  r.definitions.clock.resolution = 1'000'000;
  for (std::size_t i = 0; i < n; ++i) {
    LocationGroup process;
    process.rank = static_cast<std::int64_t>(i);
    process.locations = {LocationId{i}};
    Location location;
    location.process = ProcessId{i};
    r.definitions.processes.push_back(process);
    r.definitions.locations.push_back(location);
  }
  r.metrics.add("late", "", Unit::seconds, false, "", "");
  return r;
}

void wait(AnalysisResult& r, std::size_t waiter, std::size_t culprit, Ticks ticks, MetricIndex metric = 0) {
  WaitPair& pair = r.waits[metric].pairs[{LocationId{culprit}, LocationId{waiter}}];
  pair.ticks += ticks;
  ++pair.count;
}

std::string labels(const WaitGraph& graph, const std::vector<WaitGraph::VertexIndex>& vertices) {
  std::string text;
  for (const auto v : vertices) text += (text.empty() ? "" : " ") + graph[v].label.substr(5);
  return text;
}

std::string text(const AnalysisResult& r, const std::vector<MetricIndex>& metrics = {}, Level level = Level::process,
                 unsigned width = 100) {
  return report::wait_graph_text(r, WaitGraph(r, metrics, level), {width, false});
}

TEST(WaitGraph, of_nothing_is_empty) {
  const WaitGraph graph(AnalysisResult{});
  EXPECT_EQ(graph.size(), 0u);
  EXPECT_TRUE(graph.matrix().empty() && graph.culprits().empty() && graph.components().empty());
  EXPECT_EQ(text(AnalysisResult{}), "Nobody waited for anybody.\n");
}

TEST(WaitGraph, who_still_waits_when_the_trace_ends_is_not_nobody) {
  AnalysisResult r;
  r.open_calls = {{LocationId{0}, CallPathId::none(), RegionId{0}, 10}};
  EXPECT_EQ(text(r), "No wait that ended was found, but 1 location still waits when the trace ends.\n");
  r.open_calls.push_back({LocationId{1}, CallPathId::none(), RegionId{0}, 12});
  EXPECT_EQ(text(r), "No wait that ended was found, but 2 locations still wait when the trace ends.\n");
}

TEST(WaitGraph, what_the_trace_cannot_tell_is_said) {
  AnalysisResult r = ranks(2);
  const MetricIndex sender = r.metrics.add("mpi_latesender", "", Unit::seconds, false, "", "");
  r.events_by_type[static_cast<std::size_t>(EventType::irecv_request)] = 3;
  r = judged(std::move(r));
  const std::string why =
      "\nUnknown in this trace\n"
      "  mpi_latesender: 3 of 3 non-blocking receives without a completion in the trace: it is not known\n"
      "  how long they waited\n";
  EXPECT_EQ(text(r), "Nobody is known to have waited for anybody, but not everything is known.\n" + why);
  const auto of = [&](MetricIndex metric) { return report::wait_graph_text(r, WaitGraph(r, {metric}), {}, {metric}); };
  EXPECT_EQ(of(sender), text(r));
  EXPECT_EQ(of(0), "Nobody waited for anybody.\n");
  wait(r, 0, 1, 100, sender);
  EXPECT_TRUE(text(r).ends_with(why)) << text(r);
}

TEST(WaitGraph, has_those_who_occur_and_ranks_them) {
  AnalysisResult r = ranks(5);
  wait(r, 4, 1, 100);
  wait(r, 4, 1, 50);
  wait(r, 2, 1, 30);
  wait(r, 1, 4, 30);
  wait(r, 2, 4, 200);
  const WaitGraph graph(r);
  ASSERT_EQ(graph.size(), 3u);
  EXPECT_EQ(graph[0].label, "rank 1");
  EXPECT_EQ(graph[2].id, 4u);
  EXPECT_EQ(graph[0].caused, (WaitPair{3, 180}));
  EXPECT_EQ(graph[0].waited, (WaitPair{1, 30}));
  EXPECT_EQ(graph.total(), (WaitPair{5, 410}));
  EXPECT_EQ(labels(graph, graph.culprits()), "4 1");   // 230, 180
  EXPECT_EQ(labels(graph, graph.victims()), "2 4 1");  // 230, 150, 30
  std::string cells;
  for (const auto& c : graph.matrix())
    cells += labels(graph, {c.culprit, c.victim}) + ":" + std::to_string(c.wait.ticks) + " ";
  EXPECT_EQ(cells, "1 2:30 1 4:150 4 1:30 4 2:200 ");
  cells.clear();
  for (const auto& c : graph.heaviest()) cells += labels(graph, {c.culprit, c.victim}) + " ";
  EXPECT_EQ(cells, "4 2 1 4 1 2 4 1 ");  // equal ones by culprit
}

/// time ⊃ p2p ⊃ late (a share of p2p) ⊃ order (a share of late) = same + different; barrier beside p2p.
struct Nested {
  AnalysisResult r = ranks(2);
  MetricIndex p2p, late, order, same, barrier;
  Nested() {
    r.metrics = MetricTree();
    r.metrics.add("time", "", Unit::seconds, false, "", "");
    p2p = r.metrics.add("p2p", "time", Unit::seconds, false, "", "");
    late = r.metrics.add("late", "p2p", Unit::seconds, true, "", "");
    order = r.metrics.add("order", "late", Unit::seconds, true, "", "");
    same = r.metrics.add("same", "order", Unit::seconds, false, "", "");
    barrier = r.metrics.add("barrier", "time", Unit::seconds, true, "", "");
    wait(r, 0, 1, 1000, late);
    wait(r, 0, 1, 10, order);
    wait(r, 0, 1, 1, same);
    wait(r, 0, 1, 20000, barrier);
  }
  Ticks total(const std::vector<MetricIndex>& metrics) const { return WaitGraph(r, metrics).total().ticks; }
};

TEST(WaitGraph, counts_no_wait_twice) {
  const Nested n;
  EXPECT_EQ(n.total({}), 21000);
  EXPECT_EQ(WaitGraph(n.r).metrics(), (std::vector<MetricIndex>{n.late, n.barrier}));
  EXPECT_EQ(n.total({n.late}), 1000);
  EXPECT_EQ(n.total({n.late, n.order, n.same, n.late}), 1000);
  EXPECT_EQ(n.total({n.same}), 1);
  EXPECT_EQ(n.total({n.order}), 11);  // its own waits do not contain those of a child that is not a share of it
  EXPECT_EQ(n.total({n.p2p}), 1000);  // not a wait state itself: the sum of those below it
  EXPECT_EQ(n.total({n.p2p, n.barrier}), 21000);
  EXPECT_EQ(n.total({0}), 21000);
  EXPECT_THROW(n.total({99}), std::out_of_range);
}

TEST(WaitGraph, of_processes_joins_their_threads) {
  AnalysisResult r = ranks(2);
  Location second;
  second.process = ProcessId{1};
  r.definitions.processes[1].locations.emplace_back(2);
  r.definitions.locations.push_back(second);
  wait(r, 0, 1, 10);
  wait(r, 0, 2, 5);
  wait(r, 2, 1, 3);
  const WaitGraph processes(r), locations(r, {}, Level::location);
  EXPECT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes[1].caused, (WaitPair{3, 18}));
  EXPECT_EQ(processes[1].waited, (WaitPair{1, 3}));  // waits for itself
  EXPECT_TRUE(processes.components().empty());
  EXPECT_EQ(locations.size(), 3u);
  EXPECT_EQ(locations[2].label, "rank 1 thread 1");
  EXPECT_EQ(locations[1].caused, (WaitPair{2, 13}));
}

TEST(WaitGraph, waiters_of_large_operations_are_one_crowd) {
  AnalysisResult r = ranks(2);
  wait(r, 0, 1, 5);
  wait(r, LocationId::none_value, 1, 7);
  const WaitGraph graph(r);
  EXPECT_EQ(graph.size(), 2u);
  EXPECT_EQ(graph.total(), (WaitPair{2, 12}));
  EXPECT_EQ(graph.aggregated(), (WaitPair{1, 7}));
  EXPECT_EQ(graph[1].caused, (WaitPair{2, 12}));
  EXPECT_EQ(graph[0].waited, (WaitPair{1, 5}));
  EXPECT_NE(text(r).find("of these, 7.000 µs in 1 wait in operations of more than 512 members"), std::string::npos)
      << text(r);
  EXPECT_NE(text(r).find("rank 1 made others wait 12.00 µs"), std::string::npos) << text(r);
}

TEST(WaitGraph, waits_without_culprit_are_told_apart) {
  AnalysisResult r = ranks(2);
  wait(r, 0, LocationId::none_value, 7);
  const WaitGraph graph(r);
  EXPECT_EQ(graph.size(), 0u);
  EXPECT_EQ(graph.without_culprit(), (WaitPair{1, 7}));
  EXPECT_EQ(text(r), "Nobody waited for anybody: late.\n  and 7.000 µs in 1 wait that nobody in particular caused\n");
}

TEST(WaitGraph, finds_who_wait_for_each_other_and_the_tightest_circle) {
  AnalysisResult r = ranks(8);
  wait(r, 0, 1, 1000);  // waits for a group, but nobody waits for it
  // 1, 2, 3, 4: circles 1→2→1 (least 5), 1→2→3→1 (least 40), 1→2→3→4→1 (least 30)
  wait(r, 1, 2, 90);
  wait(r, 2, 1, 5);
  wait(r, 2, 3, 50);
  wait(r, 3, 1, 40);
  wait(r, 3, 4, 80);
  wait(r, 4, 1, 30);
  wait(r, 4, 4, 999);  // nobody else's
  wait(r, 6, 5, 300);
  wait(r, 5, 6, 1);
  wait(r, 6, 7, 10'000);  // 7 waits for nobody
  const WaitGraph graph(r);
  const auto groups = graph.components();
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(labels(graph, groups[0].members), "5 6");
  EXPECT_EQ(groups[0].inside, (WaitPair{2, 301}));
  EXPECT_EQ(labels(graph, groups[0].circle), "5 6");
  EXPECT_EQ(groups[0].circle_least, 1);
  EXPECT_EQ(labels(graph, groups[1].members), "1 2 3 4");
  EXPECT_EQ(groups[1].inside, (WaitPair{6, 295}));
  EXPECT_EQ(labels(graph, groups[1].circle), "1 2 3");
  EXPECT_EQ(groups[1].circle_least, 40);
}

TEST(WaitGraph, groups_that_wait_for_each_other_as_reports_have_them) {
  AnalysisResult r = ranks(3);
  wait(r, 0, 1, 10);
  wait(r, 1, 0, 4);
  wait(r, 2, 0, 100);
  const std::vector<report::WaitGroup> groups = report::wait_groups(r);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].processes, (std::vector<ProcessId>{ProcessId{0}, ProcessId{1}}));
  EXPECT_EQ(groups[0].inside, (WaitPair{2, 14}));
  EXPECT_EQ(groups[0].circle, groups[0].processes);
  EXPECT_EQ(groups[0].circle_ticks, 4);
  std::ostringstream json;
  report::write_json(r, json);
  EXPECT_NE(json.str().find("\"wait_groups\": [\n"
                            "  {\"processes\":[0,1],\"left_out\":0,\"count\":2,\"ticks\":14,\"circle\":[0,1],"
                            "\"circle_ticks\":4}\n]"),
            std::string::npos)
      << json.str();
  // 300 in a ring: a group has at most 256 of them.
  AnalysisResult ring = ranks(300);
  for (std::size_t i = 0; i < 300; ++i) wait(ring, i, (i + 1) % 300, 7);
  const report::WaitGroup large = report::wait_groups(ring).front();
  EXPECT_EQ(large.processes.size(), 256u);
  EXPECT_EQ(large.left_out, 44u);
  EXPECT_EQ(large.circle.size(), 256u);
  EXPECT_EQ(large.inside, (WaitPair{300, 2100}));
}

/// The tightest circle against trying all circles, on small random graphs.
// Waits without a process are a vertex of their own, behind the others.
TEST(WaitGraph, open_calls_of_locations_without_process_are_there) {
  AnalysisResult r = ranks(3);
  r.definitions.locations[0].process = ProcessId::none();
  wait(r, 2, 1, 5);
  OpenCall call;
  call.location = LocationId{0};
  call.waits.emplace_back().whom = {LocationId{2}};
  r.open_calls.push_back(call);
  const WaitGraph graph(r);
  ASSERT_EQ(graph.size(), 3u);
  EXPECT_EQ(graph[0].id, 1u);
  EXPECT_EQ(graph[1].id, 2u);
  EXPECT_EQ(graph[2].id, ProcessId::none_value);
  EXPECT_EQ(graph.never_ended(), (std::vector<WaitGraph::NeverEnded>{{2, 1}}));
  EXPECT_EQ(graph.total().ticks, 5);
}

TEST(WaitGraph, tightest_circle_is_that_of_trying_all) {
  std::uint32_t state = 1;
  const auto random = [&](std::uint32_t n) {
    state = state * 1664525 + 1013904223;
    return (state >> 16) % n;
  };
  std::size_t circles = 0;
  for (int round = 0; round < 300; ++round) {
    AnalysisResult r = ranks(5);
    Ticks ticks[5][5] = {};
    for (int i = 0; i < 9; ++i) {
      const std::uint32_t from = random(5), to = random(5);
      const Ticks t = 1 + random(12);
      wait(r, from, to, t);
      ticks[from][to] += t;
    }
    // Widest circle through every vertex: the largest least wait over all simple paths back to it.
    const auto widest = [&](const auto& self, std::size_t start, std::size_t at, unsigned seen, Ticks least) -> Ticks {
      Ticks best = 0;
      for (std::size_t to = 0; to < 5; ++to) {
        const Ticks next = std::min(least, ticks[at][to]);
        if (next == 0 || to == at) continue;
        if (to == start) best = std::max(best, next);
        if ((seen >> to & 1) == 0) best = std::max(best, self(self, start, to, seen | 1u << to, next));
      }
      return best;
    };
    const WaitGraph graph(r);
    std::size_t members = 0;
    for (const auto& group : graph.components()) {
      Ticks expected = 0;
      for (const auto v : group.members)
        expected = std::max(expected, widest(widest, graph[v].id, graph[v].id, 1u << graph[v].id, 1'000'000));
      EXPECT_EQ(group.circle_least, expected);
      Ticks least = 1'000'000;
      for (std::size_t i = 0; i < group.circle.size(); ++i)
        least =
            std::min(least, ticks[graph[group.circle[i]].id][graph[group.circle[(i + 1) % group.circle.size()]].id]);
      EXPECT_EQ(least, expected);
      members += group.members.size();
      ++circles;
    }
    std::size_t on_circles = 0;  // in a group exactly if it lies on a circle
    for (std::size_t v = 0; v < 5; ++v) on_circles += widest(widest, v, v, 1u << v, 1'000'000) > 0;
    EXPECT_EQ(members, on_circles);
  }
  EXPECT_GT(circles, 100u);
}

TEST(WaitGraph, dot) {
  AnalysisResult r = ranks(2);
  r.definitions.processes[1].rank = -1;
  r.definitions.processes[1].name = "a \"b\\\n\xff";
  wait(r, 0, 1, 1500);
  std::ostringstream out;
  WaitGraph(r).write_dot(out);
  EXPECT_EQ(out.str(), R"(digraph G {
label="who waits for whom: late";
0 [label="rank 0", waited_ticks=1500, waited_seconds=0.0015, caused_ticks=0, caused_seconds=0];
1 [label="a \"b\\??", waited_ticks=0, waited_seconds=0, caused_ticks=1500, caused_seconds=0.0015];
0->1  [label="1.500 ms", ticks=1500, seconds=0.0015, count=1];
}
)");
}

TEST(WaitGraph, graphml) {
  AnalysisResult r = ranks(2);
  r.definitions.processes[1].rank = -1;
  r.definitions.processes[1].name = "<a&b>\xef\xbf\xbf";
  wait(r, 0, 1, 1500);
  std::ostringstream out;
  WaitGraph(r).write_graphml(out);
  const std::string xml = out.str();
  EXPECT_NE(xml.find("<data key=\"key3\">&lt;a&amp;b&gt;?</data>"), std::string::npos) << xml;
  EXPECT_NE(xml.find(R"(attr.name="ticks" attr.type="long")"), std::string::npos) << xml;
  EXPECT_NE(xml.find(R"(attr.name="seconds" attr.type="double")"), std::string::npos) << xml;
  EXPECT_EQ(xml.substr(xml.find("    <edge")), R"(    <edge id="e0" source="n0" target="n1">
      <data key="key2">1</data>
      <data key="key4">0.0015</data>
      <data key="key5">1500</data>
    </edge>
  </graph>
</graphml>
)");
}

/// Numbers in a program's own style: 1.234,5.
struct Grouping : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(WaitGraph, numbers_are_whole_whatever_the_locale) {
  AnalysisResult r = ranks(2);
  wait(r, 0, 1, 1'234'567'891);
  const WaitGraph graph(r);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouping));
  std::ostringstream dot, xml;
  graph.write_dot(dot);
  graph.write_graphml(xml);
  std::locale::global(before);
  EXPECT_NE(dot.str().find("0->1  [label=\"1,235 s\", ticks=1234567891, seconds=1234.567891, count=1];"),
            std::string::npos)
      << dot.str();
  EXPECT_NE(xml.str().find(R"(      <data key="key4">1234.567891</data>
      <data key="key5">1234567891</data>)"),
            std::string::npos)
      << xml.str();
}

AnalysisResult group_of_three() {
  AnalysisResult r = ranks(4);
  const RegionId region{0};
  r.definitions.regions.resize(2);
  r.definitions.regions[0].name = "main";
  r.definitions.regions[1].name = "work";
  const CallPathId main = r.call_tree.find_or_add({CallPathId::none(), region, StringId::none()});
  const CallPathId work = r.call_tree.find_or_add({main, RegionId{1}, StringId::none()});
  wait(r, 1, 0, 250'000);
  wait(r, 2, 0, 100'000);
  wait(r, 2, 1, 50'000);
  wait(r, 0, 2, 1'000);
  wait(r, 3, 2, 99'000);
  r.waits[0].causes[{work, LocationId{0}}] = {2, 280'000};
  r.waits[0].causes[{main, LocationId{0}}] = {1, 70'000};
  return r;
}

TEST(WaitGraphText, whole) {
  EXPECT_EQ(text(group_of_three()), R"(who waits for whom
  500.0 ms in 5 waits: late

  rows: culprits; columns: the processes that they made wait; in ms
  culprit  0    1    2   3
  rank 0   .  250  100   .
  rank 1   .    .   50   .
  rank 2   1    .    .  99

culprits
  rank 0 made 2 processes wait 350.0 ms (70.0 % of all), most of all rank 1: 250.0 ms; meanwhile it
  was in main/work (80.0 % of it)
  rank 2 made 2 processes wait 100.0 ms (20.0 % of all), most of all rank 3: 99.00 ms; it itself
  waited 150.0 ms in all
  rank 1 made rank 2 wait 50.00 ms (10.0 % of all); it itself waited 250.0 ms in all

waiting for each other
  ranks 0, 1 and 2 wait for each other: 401.0 ms; the tightest circle is rank 0 → rank 2 → rank 0,
  each of which waited at least 1.000 ms for the next
)");
}

TEST(WaitGraphText, pairs_where_the_matrix_does_not_fit) {
  EXPECT_NE(
      text(group_of_three(), {}, Level::process, 24).find("pairs\n  rank 1 waited 250.0 ms\n  for rank 0 (1 time)\n"),
      std::string::npos)
      << text(group_of_three(), {}, Level::process, 24);
  EXPECT_NE(text(group_of_three(), {}, Level::process, 24)
                .find("\n  rank 3 waited 99.00 ms\n  for rank 2 (1 time),\n  which itself waited\n  150.0 ms\n"),
            std::string::npos)
      << text(group_of_three(), {}, Level::process, 24);
  AnalysisResult r = ranks(18);
  for (std::size_t i = 1; i < 18; ++i) wait(r, i, 0, static_cast<Ticks>(i));
  const std::string many = text(r, {}, Level::process, 500);
  EXPECT_NE(many.find("heaviest pairs\n  rank 17 waited 17.00 µs for rank 0 (1 time)\n"), std::string::npos) << many;
  EXPECT_NE(many.find("\n  and 7 more pairs\n"), std::string::npos) << many;
  EXPECT_EQ(many.find("rows: culprits"), std::string::npos);
}

TEST(WaitGraphText, names_of_large_groups_are_cut) {
  AnalysisResult r = ranks(20);
  for (std::size_t i = 0; i < 20; ++i) wait(r, i, (i + 1) % 20, 10);
  const std::string ring = text(r, {}, Level::process, 1000);
  EXPECT_NE(ring.find("  ranks 0, 1, 2, 3, 4, 5, 6 and 13 more wait for each other: 200.0 µs; the tightest circle "
                      "is rank 0 → rank 1 → "),
            std::string::npos)
      << ring;
  EXPECT_NE(ring.find(" rank 19 → rank 0, each of which waited at least 10.00 µs for the next\n"), std::string::npos);
}

}  // namespace
}  // namespace waitstate::test

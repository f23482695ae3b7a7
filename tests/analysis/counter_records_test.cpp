// Counters of random traces: a recorder that writes its records just before an enter or exit, and one that writes them
// just after it, tell the same; and whether a counter is a level does not depend on how it is read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate {
namespace {

/// Enters and exits of one location, each with a record of a counter that only grows (metric 0), and of values for the
/// time since the last record (metric 1).
class Recorded {
 public:
  explicit Recorded(unsigned seed) : random_(seed) {
    before = after =
        "metric_member 0 name=count value=uint64\nmetric_member 1 name=since unit=W mode=33 value=double\n"
        "metric 0 members=(0)\nmetric 1 members=(1)\n";
    move("enter main");
    for (int i = 0; i < 8; ++i) visit(0);
    move("exit");
  }

  std::string before, after;

 private:
  std::uint32_t below(std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random_); }
  void move(const std::string& event) {
    const std::string line = fmt::format("0 {} {}\n", time_, event);
    const std::string records =
        fmt::format("0 {0} metric metric=0 values=(uint64:{1})\n0 {0} metric metric=1 values=(double:{2})\n", time_,
                    count_, below(9));
    before += records + line;
    after += line + records;
    time_ += 1 + below(5);  // no two events at one time
    count_ += below(100);
  }
  void visit(int depth) {
    move(fmt::format("enter r{}", below(3)));
    for (std::uint32_t children = depth == 3 ? 0 : below(4); children > 0; --children) visit(depth + 1);
    move("exit");
  }

  std::mt19937 random_;
  std::uint64_t time_ = 10, count_ = 5;
};

AnalysisResult analysed(const std::string& text, unsigned threads = 1, std::size_t chunk_events = 0) {
  const support::TraceFile file(text);
  AnalysisOptions options;
  options.threads = threads;
  options.chunk_events = chunk_events;
  return analyze(file.path(), options);
}

TEST(CounterRecords, BeforeOrAfterTheEventTellTheSame) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Recorded trace(seed);
    const AnalysisResult before = analysed(trace.before), after = analysed(trace.after);
    ASSERT_EQ(support::differences(support::severity_rows(before), support::severity_rows(after)), "")
        << "seed " << seed << "\n"
        << trace.after;
    ASSERT_EQ(support::diagnostic_rows(after), support::Rows{});
  }
}

/// Locations whose values of one counter rise and fall by chance; `falls` per cent of the steps go down.
std::string moving(unsigned seed, std::uint32_t falls) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return std::uniform_int_distribution<std::uint32_t>(0, n - 1)(random); };
  std::string text =
      "metric_member 0 name=c value=uint64\nmetric_member 1 name=c value=uint64\n"
      "metric 0 members=(0)\nmetric 1 members=(1)\n";
  for (int l = 0; l < 4; ++l) {
    std::uint64_t value = 1000 + below(1000);
    text += fmt::format("{} 0 enter main\n", l);
    for (int t = 1; t < 40; ++t) {
      value = below(100) < falls ? value - value / (3 + below(9)) : value + below(200);
      text += fmt::format("{} {} metric metric={} values=(uint64:{})\n", l, 10 * t, l % 2, value);
    }
    text += fmt::format("{} 400 exit\n", l);
  }
  return text;
}

TEST(CounterRecords, ALevelIsToldOnceWhateverTheThreadsAndChunks) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const std::string text = moving(seed, 40);
    const AnalysisResult r = analysed(text);
    ASSERT_EQ(r.counters.size(), 1u);
    EXPECT_EQ(r.counters[0].kind, CounterKind::absolute);
    EXPECT_EQ(r.counters[0].timing, CounterTiming::point);
    EXPECT_EQ(r.counters[0].total().samples, 4u * 39u);
    EXPECT_EQ(support::diagnostic_rows(r), support::Rows{"counter_level 1"});
    ASSERT_EQ(r.diagnostics[DiagnosticId::counter_level].places.size(), 1u);
    EXPECT_EQ(r.diagnostics[DiagnosticId::counter_level].places[0].text, "c");
    for (const unsigned threads : {1u, 3u})
      for (const std::size_t chunk_events : {1, 5}) {
        const AnalysisResult again = analysed(text, threads, chunk_events);
        EXPECT_EQ(support::differences(support::severity_rows(r), support::severity_rows(again)), "");
        EXPECT_EQ(support::diagnostic_rows(again), support::Rows{"counter_level 1"});
      }
  }
  const AnalysisResult grows = analysed(moving(1, 0));
  EXPECT_EQ(grows.counters[0].kind, CounterKind::accumulated);
  EXPECT_EQ(support::diagnostic_rows(grows), support::Rows{});
}

// The kind of a counter does not depend on the chosen part of the trace: it falls on location 1 and after 50 only.
TEST(CounterRecords, TheWholeTraceTellsALevel) {
  const std::string text =
      "process 0\nprocess 1\nlocation 0 process=0\nlocation 1 process=1\nmetric_member 0 name=c value=uint64\n"
      "metric 0 members=(0)\n0 0 enter main\n0 10 metric metric=0 values=(uint64:10)\n"
      "0 20 metric metric=0 values=(uint64:30)\n0 100 exit\n1 0 enter main\n1 60 metric metric=0 values=(uint64:90)\n"
      "1 70 metric metric=0 values=(uint64:80)\n1 100 exit\n";
  const support::TraceFile file(text);
  AnalysisOptions options;
  options.focus.locations = {LocationId{0}};
  options.focus.to = 50;
  const AnalysisResult r = analyze(file.path(), options);
  ASSERT_EQ(r.counters.size(), 1u);
  EXPECT_EQ(r.counters[0].kind, CounterKind::absolute);
  ASSERT_EQ(r.counters[0].rows.size(), 1u);
  EXPECT_EQ(r.counters[0].rows[0].samples, 2u);
  EXPECT_EQ(support::diagnostic_rows(r), support::Rows{"counter_level 1"});
}

}  // namespace
}  // namespace waitstate

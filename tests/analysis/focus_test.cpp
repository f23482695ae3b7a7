// The chosen part of a trace - locations, a time - has the same values as in the whole trace.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"
#include "waitstate/error.hpp"
#include "waitstate/pattern/pattern.hpp"

namespace waitstate {
namespace {

using Table = std::map<std::tuple<std::string, std::string, std::uint32_t>, std::int64_t>;

Table table_of(const AnalysisResult& r) {
  Table table;
  for (const SeverityRow& row : r.table())
    if (row.value != 0)
      table[{r.metrics[row.metric].id, r.call_tree.path(row.callpath, r.definitions), row.location.value}] += row.value;
  return table;
}

std::int64_t sum_of(const AnalysisResult& r, std::string_view metric) {
  std::int64_t sum = 0;
  for (const SeverityRow& row : r.table())
    if (row.metric == r.metrics.at(metric)) sum += row.value;
  return sum;
}

// This also holds if the cause is on a location that is not chosen: the idle time of workers follows from their
// master's time.
TEST(Focus, LocationsHaveTheValuesThatTheyHaveInTheWhole) {
  for (const char* name : {"hybrid_tasks", "omp_waits", "coll", "rma_waits"}) {
    const std::string path = std::string(WAITSTATE_TRACES "/") + name;
    const AnalysisResult whole = analyze(path);
    const Table all = table_of(whole);
    const std::size_t locations = whole.definitions.locations.size();
    for (std::size_t l = 0; l < std::min<std::size_t>(locations, 4); ++l)
      for (const unsigned threads : {1u, 2u}) {
        AnalysisOptions options;
        options.threads = threads;
        options.focus.locations = {LocationId{l}};
        Table expected;
        for (const auto& [key, value] : all)
          if (std::get<2>(key) == l) expected.emplace(key, value);
        EXPECT_FALSE(expected.empty()) << name;
        EXPECT_EQ(table_of(analyze(path, options)), expected) << name << ", location " << l;
      }
  }
}

TEST(Focus, TimesAfterALocationHasEndedHaveNothingOfIt) {
  const support::TraceFile trace(R"(0 0 enter main
0 10 enter foo
0 20 exit
0 50 exit
1 0 enter main
1 10 enter foo
1 20 exit
1 100 exit
)");
  const auto time = [&](Time from, Time to) {
    AnalysisOptions options;
    options.focus.from = from, options.focus.to = to;
    const AnalysisResult r = analyze(trace.path(), options);
    return std::pair(sum_of(r, "time"), sum_of(r, "visits"));
  };
  using Pair = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(time(60, 80), (Pair{20, 0}));
  EXPECT_EQ(time(45, 60), (Pair{20, 0}));
  EXPECT_EQ(time(0, 15), (Pair{30, 4}));
  EXPECT_EQ(time(100, 300), (Pair{0, 0}));
  try {
    time(200, 300);
    FAIL() << "nothing of the run lies there";
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(),
                 "the chosen time, from 2e-07 s to 2.99e-07 s after the first event, lies outside of the run, which is "
                 "0.000000100 s long (ticks 0 to 100)");
  }
}

// A wait is cut, also where a pattern adds it as a part of what another one waited for. Location 1 waits in 100 … 150
// for location 0's message of tag 2, although that of tag 1 is older; the call lasts until 160.
TEST(Focus, TimesBesideWaitsAreCutToo) {
  const support::TraceFile trace(R"(0 0 enter main
0 50 enter MPI_Send
0 51 send dest=1 tag=1 com=0 len=8
0 55 exit
0 150 enter MPI_Send
0 151 send dest=1 tag=2 com=0 len=8
0 155 exit
0 500 exit
1 0 enter main
1 100 enter MPI_Recv
1 159 recv src=0 tag=2 com=0 len=8
1 160 exit
1 170 enter MPI_Recv
1 175 recv src=0 tag=1 com=0 len=8
1 180 exit
1 500 exit
)");
  const auto values = [&](Time from, Time to) {
    AnalysisOptions options;
    options.focus.from = from, options.focus.to = to;
    const AnalysisResult r = analyze(trace.path(), options);
    return std::tuple(sum_of(r, "mpi_latesender"), sum_of(r, "overloaded_master"), sum_of(r, "wrong_order"));
  };
  using Values = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
  EXPECT_EQ(values(0, 500), (Values{50, 50, 60}));
  EXPECT_EQ(values(90, 120), (Values{20, 20, 20}));
  EXPECT_EQ(values(120, 155), (Values{30, 30, 35}));
  EXPECT_EQ(values(155, 500), (Values{0, 0, 5}));
}

// A thread that executes a task in a barrier waits before and after that: 20 … 25 and 45 … 60.
TEST(Focus, WaitsInBarriersAreBesideTheTasks) {
  const support::TraceFile trace(support::read_case(WAITSTATE_CASES "/omp_ibarrier_wait/tasks_inside.case").trace);
  const auto waits = [&](Time from, Time to) {
    AnalysisOptions options;
    options.focus.from = from, options.focus.to = to;
    return sum_of(analyze(trace.path(), options), "omp_ibarrier_wait");
  };
  EXPECT_EQ(waits(0, 90), 20);
  EXPECT_EQ(waits(0, 40), 5);
  EXPECT_EQ(waits(40, 50), 5);
  EXPECT_EQ(waits(50, 90), 10);
}

// For every trace, whichever location ends first: windows that cover it add up to its times and all waits. (Except for
// the idle time of workers, which is computed for whole parallel regions.)
TEST(Focus, TimesOfWindowsAddUp) {
  for (const char* name : {"p2p", "coll", "rma", "hybrid", "hybrid_tasks", "omp_waits", "rma_waits", "eztrace_late"}) {
    const std::string path = std::string(WAITSTATE_TRACES "/") + name;
    const AnalysisResult whole = analyze(path);
    Time first = ~Time{0}, last = 0;
    for (const LocationSummary& l : whole.locations)
      if (l.events != 0) first = std::min(first, l.first_time), last = std::max(last, l.last_time);
    std::int64_t time = 0, visits = 0;
    std::map<std::string, std::int64_t> waits;
    const Time step = (last - first) / 7 + 1;
    for (Time from = first; from <= last; from += step) {
      AnalysisOptions options;
      options.focus.from = from, options.focus.to = from + step;
      const AnalysisResult part = analyze(path, options);
      EXPECT_LE(sum_of(part, "time"), static_cast<std::int64_t>(step * whole.locations.size())) << name;
      time += sum_of(part, "time"), visits += sum_of(part, "visits");
      for (const auto& [m, summary] : part.waits) waits[part.metrics[m].id] += summary.statistics.sum;
    }
    for (const auto& [m, summary] : whole.waits) {
      if (whole.metrics[m].id.find("idle") != std::string::npos) continue;
      EXPECT_EQ(waits[whole.metrics[m].id], summary.statistics.sum) << name << ", " << whole.metrics[m].id;
    }
    if (whole.metrics.find("omp_idle_threads") == no_metric || sum_of(whole, "omp_idle_threads") == 0) {
      EXPECT_EQ(time, sum_of(whole, "time")) << name;
    }
    EXPECT_EQ(visits, sum_of(whole, "visits")) << name;
  }
}

/// Adds what does not exist.
class Wrong : public Pattern {
 public:
  explicit Wrong(int which) : which_(which) {}
  PatternInfo info() const override { return {.metrics = {{"wrong", "", Unit::seconds, false, "", ""}}}; }
  void completed_receives_callback(const CompletedReceives& r, Context& c) override {
    const Call call = r.call;
    Wait wait = make_wait(call, 1, *r.messages.front().send);
    switch (which_) {
      case 0:
        return c.add(Call{}, 1);
      case 1:
        return c.add(Wait{}, 1);
      case 2:
        return c.add_wait(Wait{});
      case 3:
        wait.location = LocationId{99999};
        return c.add_instance(wait);
      case 4:
        wait.culprit = LocationId{99999};
        return c.add_wait(wait);
      case 5:
        wait.culprit_callpath = CallPathId{99999};
        return c.add_wait(wait);
      default:
        return c.add(call, 1, MetricHandle{7});
    }
  }

 private:
  int which_;
};

TEST(Context, WhatIsAddedHasToExist) {
  for (int which = 0; which < 7; ++which)
    for (const unsigned threads : {1u, 2u}) {
      AnalysisOptions options;
      options.threads = threads;
      options.patterns = {make_pattern<Wrong>(which)};
      try {
        analyze(WAITSTATE_TRACES "/p2p", options);
        FAIL() << which;
      } catch (const Error& e) {
        const char* const wanted = which < 4 ? "a severity needs a call path and a location of the trace"
                                   : which < 6
                                       ? "the culprit of a wait and its call path must belong to the trace, or be none"
                                       : "the pattern has 1 metrics, numbered from 0: there is none with the number 7";
        EXPECT_NE(std::string(e.what()).find(wanted), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("'wrong'"), std::string::npos) << e.what();
      }
    }
}

class OtherUnit : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"other_unit", "time", Unit::occurrences, false, "", ""}}}; }
};

TEST(Context, MetricsOfAnotherUnitAreNotAddedUp) {
  AnalysisOptions options;
  options.patterns = {make_pattern<OtherUnit>()};
  try {
    analyze(WAITSTATE_TRACES "/p2p", options);
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(
        e.what(),
        "pattern 'other_unit' has a metric 'other_unit' of the unit occ, which is added to 'time' of the unit sec: "
        "choose another parent or none, or set within_parent");
  }
}

// The window does not cut the culprit's own waits, elsewhere or before: only the wait that it caused is cut.
TEST(Focus, WhatCulpritsWaitedIsKnownWhereverItWas) {
  const support::TraceFile trace(R"(0 0 enter main
0 10 enter MPI_Recv
0 110 recv src=1 tag=1 com=0 len=8
0 115 exit
0 120 exit
1 0 enter main
1 20 enter MPI_Recv
1 92 recv src=2 tag=1 com=0 len=8
1 95 exit
1 100 enter MPI_Send
1 102 send dest=0 tag=1 com=0 len=8
1 105 exit
1 120 exit
2 0 enter main
2 90 enter MPI_Send
2 91 send dest=1 tag=1 com=0 len=8
2 93 exit
2 120 exit
)");
  AnalysisOptions options;
  options.focus.locations = {LocationId{0}};
  const support::Rows whole{"mpi_latesender,0,10,70,2,70,main/MPI_Recv"},
      cut{"mpi_latesender,0,50,40,2,40,main/MPI_Recv"};
  EXPECT_EQ(support::culprit_wait_rows(analyze(trace.path(), options), {"mpi_latesender"}), whole);
  options.focus.from = 50;
  EXPECT_EQ(support::culprit_wait_rows(analyze(trace.path(), options), {"mpi_latesender"}), cut);
}

// A trace whose every time is the last one that there is lies in the whole time.
TEST(Focus, the_last_tick_is_chosen_unless_another_time_is) {
  const support::TraceFile file(
      "0 18446744073709551615 enter main\n"
      "0 18446744073709551615 exit main\n");
  EXPECT_EQ(analyze(file.path()).duration(), 0);
  AnalysisOptions before;
  before.focus.to = ~Time{0} - 1;
  EXPECT_THROW(analyze(file.path(), before), UsageError);
}

}  // namespace
}  // namespace waitstate

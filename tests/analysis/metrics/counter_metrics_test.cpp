// Counters and accelerators: what patterns of one's own receive, the chosen part of the run, units and scales, and
// waits for devices against a slow, obvious computation. Single sums are in tests/cases/counters and accelerator_wait.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/case_file.hpp"
#include "waitstate/analysis.hpp"

namespace waitstate {
namespace {

constexpr const char* counted = R"(metric_member 0 name=MISSES unit="#" value=uint64
metric_member 1 name=power unit=W mode=49 value=uint64 exponent=3 base=decimal
metric 0 members=(0)
metric 1 members=(1) occurrence=asynchronous
0 0 metric metric=0 values=(uint64:0)
0 0 enter main
0 10 metric metric=0 values=(uint64:5)
0 10 metric metric=1 values=(uint64:2)
0 10 enter foo
0 30 metric metric=0 values=(uint64:12)
0 30 exit
0 50 metric metric=0 values=(uint64:13)
0 50 metric metric=1 values=(uint64:9)
0 50 exit
)";

AnalysisResult analyzed(const std::string& text, const AnalysisOptions& options = {}) {
  const support::TraceFile trace(text);
  return analyze(trace.path(), options);
}

std::map<std::string, std::int64_t> by_path(const AnalysisResult& r, std::string_view metric) {
  std::map<std::string, std::int64_t> sums;
  if (r.metrics.find(metric) == no_metric) return sums;
  for (const SeverityRow& row : r.table())
    if (row.metric == r.metrics.at(metric)) sums[r.call_tree.path(row.callpath, r.definitions)] += row.value;
  return sums;
}

using Sums = std::map<std::string, std::int64_t>;

TEST(Counters, the_first_definition_stands_for_all_equal_ones_whoever_uses_which) {
  const AnalysisResult r = analyzed(R"(metric_member 0 name=X description="first" unit="#" value=uint64
metric_member 1 name=X description="second" unit="#" value=uint64
metric 0 members=(0)
metric 1 members=(1)
0 0 metric metric=1 values=(uint64:0)
0 0 enter main
0 50 metric metric=1 values=(uint64:5)
0 50 exit
1 0 metric metric=0 values=(uint64:0)
1 0 enter main
1 50 metric metric=0 values=(uint64:6)
1 50 exit
)");
  ASSERT_EQ(r.counters.size(), 1u);
  EXPECT_TRUE(r.metrics[r.counters[0].metric].summary.starts_with("first"));
}

TEST(Counters, units_scales_and_samples) {
  const AnalysisResult r = analyzed(counted);
  EXPECT_EQ(by_path(r, "MISSES"), (Sums{{"main", 6}, {"main/foo", 7}}));
  EXPECT_EQ(by_path(r, "power"), (Sums{{"main", 80}}));  // 2 for 40 ticks
  ASSERT_EQ(r.counters.size(), 2u);
  const MetricInfo& power = r.metrics[r.counters[1].metric];
  EXPECT_EQ(power.id, "power");
  EXPECT_EQ(power.unit_name, "W*s");
  EXPECT_DOUBLE_EQ(power.scaled(80), 80 * 1000.0 / 1e9);  // kilowatts, ticks of a nanosecond
  const CounterRow all = r.counters[1].total();
  EXPECT_EQ(all.samples, 1u);
  EXPECT_EQ(all.weight, 40u);
  EXPECT_EQ(all.least, 2000);
  EXPECT_EQ(r.counters[0].total().samples, 3u);
}

TEST(Counters, ids_are_text_whatever_was_recorded) {
  const AnalysisResult r = analyzed(
      "metric_member 0 name=\"\xb5J, \xc2\xb5J\" unit=J mode=2 value=uint64\n"
      "metric 0 members=(0)\n0 0 enter main\n0 5 metric metric=0 values=(uint64:3)\n0 9 exit\n");
  ASSERT_EQ(r.counters.size(), 1u);
  EXPECT_EQ(r.metrics[r.counters[0].metric].id, "_J__\xc2\xb5J");
  EXPECT_EQ(r.metrics[r.counters[0].metric].title, "\xb5J, \xc2\xb5J");
}

TEST(Counters, only_what_was_asked_for) {
  AnalysisOptions options;
  options.counters = false;
  const AnalysisResult none = analyzed(counted, options);
  EXPECT_TRUE(none.counters.empty());
  EXPECT_EQ(none.metrics.find("MISSES"), no_metric);
  options.counters = true;
  options.focus.region = "foo";
  EXPECT_EQ(by_path(analyzed(counted, options), "MISSES"), (Sums{{"main/foo", 7}}));
  options.focus = {};
  options.focus.from = 20;
  options.focus.to = 45;
  const AnalysisResult window = analyzed(counted, options);
  EXPECT_EQ(by_path(window, "MISSES"), (Sums{{"main/foo", 7}}));  // recorded at 30
  EXPECT_EQ(by_path(window, "power"), (Sums{{"main", 50}}));      // 2 from 20 to 45
}

/// Counts METRIC events by callback, and keeps a counter's severity as wrapup sees it.
class Records : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"records", "", Unit::occurrences, false, "", ""}}}; }
  void metric_callback(const Event& e, Context&) override { metrics.push_back(e.tail.front().bits); }
  void event_callback(const Event&, Context&) override { ++others; }
  void wrapup(Context& c) override {
    for (CallPathId path{0}; path.index() < c.call_tree().size(); path = CallPathId{path.index() + 1})
      misses += c.severities().value(c.metrics().at("MISSES"), path, LocationId{0});
  }
  std::vector<std::uint64_t> metrics;
  int others = 0;
  std::int64_t misses = 0;
};
class AnyEvent : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"any_event", "", Unit::occurrences, false, "", ""}}}; }
  void event_callback(const Event& e, Context&) override { metrics += e.type == EventType::metric; }
  int metrics = 0;
};

TEST(Counters, patterns_get_records_and_sums) {
  AnalysisOptions options;
  options.patterns = {make_pattern<Records>(), make_pattern<AnyEvent>()};
  const auto records = std::static_pointer_cast<Records>(options.patterns[0].pattern);
  const auto any = std::static_pointer_cast<AnyEvent>(options.patterns[1].pattern);
  analyzed(counted, options);
  EXPECT_EQ(records->metrics, (std::vector<std::uint64_t>{0, 5, 2, 12, 13, 9}));
  EXPECT_EQ(records->others, 0);
  EXPECT_EQ(records->misses, 13);
  EXPECT_EQ(any->metrics, 6);
}

// ---- accelerators ----

// Numbers from traces/cuda_waits/MANIFEST.md, in ticks of a nanosecond.
TEST(Devices, generated_trace_waits_as_designed) {
  const AnalysisResult r = analyze(WAITSTATE_SOURCE_DIR "/traces/cuda_waits");
  EXPECT_EQ(by_path(r, "accelerator_wait_kernel"), (Sums{{"main/kernel_is_late/cuCtxSynchronize", 15000000},
                                                         {"main/two_streams/cuCtxSynchronize", 25000000},
                                                         {"main/one_after_the_other/cuStreamSynchronize", 24990000},
                                                         {"main/blocking_copy/cuMemcpyDtoH_v2", 10000000}}));
  EXPECT_EQ(by_path(r, "accelerator_wait_copy"), (Sums{{"main/blocking_copy/cuMemcpyDtoH_v2", 8000000},
                                                       {"main/copy_is_late/cuStreamSynchronize", 5000000}}));
  const auto waits = r.waits.find(r.metrics.at("accelerator_wait_kernel"));
  ASSERT_NE(waits, r.waits.end());
  std::map<std::string, std::int64_t> by_culprit;
  for (const auto& [cause, wait] : waits->second.causes)
    by_culprit[std::to_string(cause.second.value) + ' ' + r.call_tree.path(cause.first, r.definitions)] += wait.ticks;
  EXPECT_EQ(by_culprit, (Sums{{"1 late_kernel", 15000000},
                              {"1 first_kernel", 9990000},
                              {"1 second_kernel", 15000000},
                              {"1 producer", 10000000},
                              {"2 long_kernel", 25000000}}));
}

struct Activity {
  Time begin, end;
};

/// The time that a call from `enter` to `exit` waits for each activity, decided for every tick.
Ticks waited(Time enter, Time exit, const std::vector<Activity>& activities) {
  Time last = enter;
  for (const Activity& a : activities)
    if (a.end > enter && a.end <= exit) last = std::max(last, a.end);
  return static_cast<Ticks>(last - enter);
}

TEST(Devices, random_traces_wait_as_long_as_a_slow_computation_says) {
  std::mt19937_64 dice(7);
  const auto upto = [&](Time n) { return dice() % n; };
  for (int round = 0; round < 60; ++round) {
    std::string text =
        "region 0 name=main\nregion 1 name=cudaDeviceSynchronize paradigm=cuda\n"
        "region 2 name=kernel paradigm=cuda\nprocess 0\nlocation 0 process=0\nlocation 1 process=0\n";
    const int streams = 1 + static_cast<int>(upto(3));
    for (int s = 0; s < streams; ++s)
      text += "location " + std::to_string(2 + s) + " process=0 type=accelerator_stream\n";
    std::vector<Activity> activities;
    for (int s = 0; s < streams; ++s) {
      Time t = upto(20);
      for (int k = 0; k < 40; ++k) {
        const Time begin = t + upto(9), end = begin + upto(12);
        activities.push_back({begin, end});
        const std::string location = std::to_string(2 + s);
        text +=
            location + ' ' + std::to_string(begin) + " enter #2\n" + location + ' ' + std::to_string(end) + " exit\n";
        t = end;
      }
    }
    Ticks expected = 0;
    for (int host = 0; host < 2; ++host) {
      Time t = upto(10);
      for (int k = 0; k < 30; ++k) {
        const Time enter = t + upto(15), exit = enter + upto(25);
        expected += waited(enter, exit, activities);
        const std::string location = std::to_string(host);
        text +=
            location + ' ' + std::to_string(enter) + " enter #1\n" + location + ' ' + std::to_string(exit) + " exit\n";
        t = exit;
      }
    }
    for (const std::size_t chunk : {0, 1, 13}) {
      AnalysisOptions options;
      options.chunk_events = chunk;
      options.threads = 2;
      const Sums found = by_path(analyzed(text, options), "accelerator_wait_kernel");
      EXPECT_EQ(found, (Sums{{"cudaDeviceSynchronize", expected}})) << text;
    }
  }
}

/// Parts follow each other without gaps from the enter of the call on.
class Parts : public Pattern {
 public:
  PatternInfo info() const override { return {.metrics = {{"parts", "", Unit::occurrences, false, "", ""}}}; }
  void device_wait_callback(const DeviceWait& w, Context&) override {
    Time at = w.call.enter;
    for (const DeviceWait::ActivityWait& part : w.parts) {
      EXPECT_EQ(part.begin, at);
      EXPECT_LT(part.begin, part.end);
      at = part.end;
      text += std::to_string(part.stream.value) + ':' + std::to_string(part.end - part.begin) + ' ';
    }
    EXPECT_LE(at, w.call.exit);
  }
  std::string text;
};

TEST(Devices, parts_have_no_gaps) {
  AnalysisOptions options;
  options.built_in = false;
  options.patterns = {make_pattern<Parts>()};
  const auto parts = std::static_pointer_cast<Parts>(options.patterns[0].pattern);
  analyzed(R"(region 0 name=cudaDeviceSynchronize paradigm=cuda
region 1 name=kernel paradigm=cuda
process 0
location 0 process=0
location 1 process=0 type=accelerator_stream
location 2 process=0 type=accelerator_stream
0 100 enter #0
0 200 exit
1 90 enter #1
1 110 exit
1 115 enter #1
1 130 exit
1 180 enter #1
1 180 exit
2 120 enter #1
2 180 exit
)",
           options);
  // The activity beside the longer one, and the one without duration, are not parts.
  EXPECT_EQ(parts->text, "1:10 2:70 ");
}

}  // namespace
}  // namespace waitstate
